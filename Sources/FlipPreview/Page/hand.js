// What pointers do on the picture, as samples: [milliseconds, pointer, action, x, y], in fractions of the picture.

export class Hand {
  #canvas;
  #down = new Set();
  #onSamples;
  recording = null;
  /** Called after each sample that is recorded. */
  onSample = () => {};

  /** Calls `onSamples(samples, time)` with what happened, and the time of the event. */
  constructor(canvas, onSamples) {
    this.#canvas = canvas;
    this.#onSamples = onSamples;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.button !== 0) return;
      event.preventDefault();
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      this.#down.add(event.pointerId);
      canvas.classList.add("held");
      this.#add(event, "down");
    });
    // Where it is known, this event comes at once, and not only before the next frame.
    const move = "onpointerrawupdate" in window ? "pointerrawupdate" : "pointermove";
    canvas.addEventListener(move, (event) => this.#down.has(event.pointerId) && this.#add(event, "move"));
    for (const [name, action] of [["pointerup", "up"], ["pointercancel", "cancel"], ["lostpointercapture", "cancel"]]) {
      canvas.addEventListener(name, (event) => {
        if (!this.#down.delete(event.pointerId)) return;
        if (this.#down.size === 0) canvas.classList.remove("held");
        this.#add(event, action);
      });
    }
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.#add(event, "wheel", event.deltaY);
    }, { passive: false });
  }

  get isHolding() { return this.#down.size > 0; }

  /** The width at which the picture is shown, in CSS pixels. */
  get shown() { return this.#canvas.getBoundingClientRect().width; }

  #add(event, action, wheel) {
    const box = this.#canvas.getBoundingClientRect();
    const sample = [
      event.timeStamp, event.pointerId ?? 0, action, (event.clientX - box.left) / box.width,
      (event.clientY - box.top) / box.height,
    ];
    if (wheel !== undefined) sample.push(wheel);
    this.#onSamples([sample], event.timeStamp);
    if (!this.recording) return;
    this.recording.push(sample);
    this.onSample();
  }
}

/** The samples mirrored along the motion. */
export function mirrored(samples, isVertical) {
  return samples.map((sample) => {
    const copy = [...sample];
    const axis = isVertical ? 4 : 3;
    copy[axis] = 1 - copy[axis];
    return copy;
  });
}
