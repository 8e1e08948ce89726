// Recording the hand: a gesture is recorded, shown over the easing, mirrored, replayed and saved.

import { mirrored } from "/hand.js";

const $ = (id) => document.getElementById(id);

export class Recorder {
  #page;
  #hand;
  #samples = [];
  #timer = null;
  /** The progress over time of the recording; null if there is none that completes. */
  trace = null;

  /** Records `hand` for `page`, which has `ask`, `say`, `call`, `limits`, `isVertical`, `replay`, `drawCurves`
   * and `wasSaved`, which is called once the gesture has been saved. */
  constructor(page, hand) {
    [this.#page, this.#hand] = [page, hand];
    $("record").addEventListener("click", () => this.#toggle());
    $("mirror").addEventListener("click", () => this.#use(mirrored(this.#samples, page.isVertical)));
    $("replay").addEventListener("click", () => page.replay(this.#samples));
    $("save").addEventListener("click", () => this.#save());
  }

  async #toggle() {
    clearTimeout(this.#timer);
    const isOn = this.#hand.recording !== null;
    $("record").setAttribute("aria-pressed", String(!isOn));
    $("record").textContent = isOn ? "Record a gesture" : "End the recording";
    if (isOn) {
      const samples = this.#hand.recording;
      this.#hand.recording = null;
      return this.#use(samples);
    }
    this.#hand.recording = [];
    this.#hand.onSample = () => this.#limit();
    this.#page.say("Recording: turn the page, then end the recording.");
    this.#page.ask({ restart: true });
  }

  /** Ends the recording before it is longer than a gesture can be. */
  #limit() {
    const { recording } = this.#hand;
    const { longestGesture, mostSamples } = this.#page.limits;
    // The page needs some time to come to rest after the last sample.
    if (recording.length === 1) this.#timer = setTimeout(() => this.#toggle(), longestGesture - 5000);
    if (recording.length >= mostSamples) this.#toggle();
  }

  async #use(samples) {
    this.#samples = samples;
    this.trace = null;
    $("mirror").hidden = true;
    $("replay").disabled = samples.length === 0;
    $("save").disabled = true;
    let header;
    try {
      ({ header } = await this.#page.call({ kind: "trace", gesture: false, shown: this.#hand.shown, samples }));
    } catch (error) {
      header = { error: error.message };
    }
    if (header.error) {
      this.#page.say(header.error, true);
      $("mirror").hidden = !header.canMirror;
    } else {
      this.trace = header.curve;
      $("save").disabled = false;
      const length = `The gesture takes ${(header.milliseconds / 1000).toFixed(2)} s`;
      this.#page.say(header.note ? `${length}; ${header.note}.` : `${length}.`, Boolean(header.note));
    }
    this.#page.drawCurves();
  }

  async #save() {
    try {
      const { header, bytes } = await this.#page.call({ kind: "save", gesture: false, shown: this.#hand.shown, samples: this.#samples });
      if (header.saved) {
        await this.#page.wasSaved();
        return this.#page.say(`Saved as ${header.saved}; the command line and the project use it.`);
      }
      const anchor = document.createElement("a");
      anchor.href = URL.createObjectURL(new Blob([bytes], { type: "application/json" }));
      anchor.download = "gesture.json";
      anchor.click();
      await this.#page.wasSaved();
      this.#page.say("Saved as gesture.json by the browser; the command line and the project use it.");
    } catch (error) {
      this.#page.say(error.message, true);
    }
  }
}
