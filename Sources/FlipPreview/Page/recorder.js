// Recording the hand: a gesture is recorded, shown over the easing, mirrored, replayed and saved.

import { mirrored } from "/hand.js";

const $ = (id) => document.getElementById(id);

export class Recorder {
  #page;
  #hand;
  #samples = [];
  /** The progress over time of the recording; null if there is none that completes. */
  trace = null;

  /** Records `hand` for `page`, which has `ask`, `say`, `call`, `isVertical`, `replay` and `drawCurves`. */
  constructor(page, hand) {
    [this.#page, this.#hand] = [page, hand];
    $("record").addEventListener("click", () => this.#toggle());
    $("mirror").addEventListener("click", () => this.#use(mirrored(this.#samples, page.isVertical)));
    $("replay").addEventListener("click", () => page.replay(this.#samples));
    $("save").addEventListener("click", () => this.#save());
  }

  async #toggle() {
    const isOn = this.#hand.recording !== null;
    $("record").setAttribute("aria-pressed", String(!isOn));
    $("record").textContent = isOn ? "Record a gesture" : "End the recording";
    if (isOn) {
      const samples = this.#hand.recording;
      this.#hand.recording = null;
      return this.#use(samples);
    }
    this.#hand.recording = [];
    this.#page.say("Recording: turn the page, then end the recording.");
    this.#page.ask({ restart: true });
  }

  async #use(samples) {
    this.#samples = samples;
    this.trace = null;
    $("mirror").hidden = true;
    $("replay").disabled = samples.length === 0;
    $("save").disabled = true;
    const { header } = await this.#page.call({ kind: "trace", shown: this.#hand.shown, samples });
    if (header.error) {
      this.#page.say(header.error, true);
      $("mirror").hidden = !header.canMirror;
    } else {
      this.trace = header.curve;
      $("save").disabled = false;
      this.#page.say(`The gesture takes ${(header.milliseconds / 1000).toFixed(2)} s.`);
    }
    this.#page.drawCurves();
  }

  async #save() {
    try {
      const { header, bytes } = await this.#page.call({ kind: "save", shown: this.#hand.shown, samples: this.#samples });
      if (header.saved) return this.#page.say(`Saved as ${header.saved}; give it to --gesture.`);
      const anchor = document.createElement("a");
      anchor.href = URL.createObjectURL(new Blob([bytes], { type: "application/json" }));
      anchor.download = "gesture.json";
      anchor.click();
      this.#page.say("Saved as gesture.json; give it to --gesture.");
    } catch (error) {
      this.#page.say(error.message, true);
    }
  }
}
