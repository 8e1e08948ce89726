// What moves by itself: the transition in its own time, a recorded gesture, and the join as a film with sound.

const $ = (id) => document.getElementById(id);

export class Player {
  #page;
  #running = null;
  #isMakingFilm = false;

  /** Plays on `page`, which has `ask`, `say`, `call`, `length`, `time`, `shown` and `motionWidth`. */
  constructor(page) {
    this.#page = page;
    $("run").addEventListener("click", () => {
      if (!this.isRunning) return this.run(1);
      this.stop();
      page.ask();
    });
    $("play").addEventListener("click", () => this.play());
    for (const name of ["ended", "click"]) $("film").addEventListener(name, () => this.#closeFilm());
  }

  get isRunning() { return this.#running !== null; }

  /** Stops whatever moves. */
  stop() {
    this.#stopRunning();
    this.#closeFilm();
  }

  /** Runs the transition in its own time, as the easing has it: forward if `direction` is 1, backward if it is -1. */
  run(direction) {
    let from = this.#page.time;
    if (direction > 0 && from >= 1) from = 0;
    if (direction < 0 && from <= 0) from = 1;
    const length = this.#page.length;
    this.#repeat((elapsed) => {
      const time = Math.min(Math.max(from + direction * elapsed / length, 0), 1);
      this.#page.ask({ time });
      return direction > 0 ? time < 1 : time > 0;
    });
  }

  /** Moves the page as recorded samples do. */
  replay(recording) {
    const shift = performance.now() - recording[0][0];
    let next = 0;
    this.#page.ask({ restart: true });
    this.#repeat((elapsed) => {
      const due = [];
      while (next < recording.length && recording[next][0] - recording[0][0] <= elapsed) {
        const [time, ...rest] = recording[next++];
        due.push([time + shift, ...rest]);
      }
      this.#page.ask({}, due);
      return next < recording.length;
    });
  }

  /** Calls `step` before each frame with the milliseconds since now, until it returns false or something else begins. */
  #repeat(step) {
    const start = performance.now();
    this.stop();
    $("run").textContent = "Stop";
    const running = (this.#running = {});
    const next = () => {
      if (this.#running !== running) return;
      if (step(performance.now() - start)) running.id = requestAnimationFrame(next); else this.#stopRunning();
    };
    next();
  }

  #stopRunning() {
    if (this.#running) cancelAnimationFrame(this.#running.id);
    this.#running = null;
    $("run").textContent = "Run";
  }

  /** Renders the join and plays it with its sound; if it plays already, closes it. */
  async play() {
    const film = $("film");
    if (!film.hidden) return this.#closeFilm();
    if (this.#isMakingFilm) return;
    this.#stopRunning();
    this.#isMakingFilm = true;
    $("play").disabled = true;
    this.#page.say("Rendering the join …");
    const asked = this.#page.shown;
    try {
      const { bytes } = await this.#page.call({ kind: "film", width: this.#page.motionWidth });
      if (this.#page.shown !== asked) {
        this.#page.say("The film is of what was shown before; play again.");
      } else {
        film.src = URL.createObjectURL(new Blob([bytes], { type: "video/mp4" }));
        film.hidden = false;
        this.#page.say("");
        $("play").textContent = "Stop";
        await film.play();
      }
    } catch (error) {
      this.#closeFilm();
      this.#page.say(`The join can't be played: ${error.message}`, true);
    }
    this.#isMakingFilm = false;
    $("play").disabled = false;
  }

  #closeFilm() {
    const film = $("film");
    if (film.hidden) return;
    film.pause();
    film.hidden = true;
    URL.revokeObjectURL(film.src);
    film.removeAttribute("src");
    $("play").textContent = "Play with sound";
  }
}
