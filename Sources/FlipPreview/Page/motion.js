// How wide pictures in motion are: as wide as they are shown, unless this computer is too slow for that.

/** The widths that are tried, from the widest on, and how many milliseconds a picture may take. */
const WIDTHS = [1920, 1280, 960, 640];
const LONGEST = 70;
/** So many pictures in a row have to be late before the next width is tried. */
const PATIENCE = 6;

export class MotionSize {
  #most = 0;
  #late = 0;

  /** The width for a picture that is `shown` pixels wide, of an output that is `full` wide. */
  width(full, shown) { return Math.max(16, Math.min(full, WIDTHS[this.#most], Math.round(shown))); }

  /** Notes that a picture took `time` milliseconds from the request to the canvas. */
  note(time) {
    this.#late = time > LONGEST ? this.#late + 1 : 0;
    if (this.#late < PATIENCE || this.#most === WIDTHS.length - 1) return;
    this.#most += 1;
    this.#late = 0;
  }
}
