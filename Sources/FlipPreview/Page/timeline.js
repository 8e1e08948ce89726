// The time line: the clips, as long as they are shown alone, and a button for each join between them.

import { element } from "/controls.js";

/** Seconds as a short text. */
const duration = (frames, rate) => {
  const seconds = frames / rate;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  return (parts[0] ? parts : parts.slice(1)).map((part, index) => index ? String(part).padStart(2, "0") : part).join(":");
};

export class Timeline {
  #buttons;

  /** Fills `parent`; calls `choose(index)` with the join that is clicked. */
  constructor(parent, info, choose) {
    const ends = info.seams.map((seam) => seam.start + seam.frames);
    const clip = (index) => {
      const start = index > 0 ? ends[index - 1] : 0;
      const frames = Math.max(0, (info.seams[index]?.start ?? info.frames) - start);
      const name = info.seams[index]?.first ?? info.seams[index - 1].second;
      const length = duration(frames, info.frameRate);
      return sized(element("span", { class: "clip", title: `${name}: ${length} alone` }, name, element("small", { text: `${length} alone` })), frames);
    };
    this.#buttons = info.seams.map((seam, index) => {
      const [title, length] = [`${seam.first} → ${seam.second}`, duration(seam.frames, info.frameRate)];
      const button = element("button", {
        type: "button", text: `${index + 1}`, title: `${title}: ${length}`,
        "aria-label": `Join ${index + 1}, from ${seam.first} to ${seam.second}, ${length}`,
      });
      button.addEventListener("click", () => choose(index));
      return sized(button, seam.frames);
    });
    parent.replaceChildren(...this.#buttons.flatMap((button, index) => [clip(index), button]), clip(this.#buttons.length));
  }

  /** Marks the join that is shown. */
  select(index) {
    for (const [number, button] of this.#buttons.entries()) {
      if (number === index) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
    }
    this.#buttons[index].scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

function sized(node, frames) {
  node.style.flexGrow = frames;
  return node;
}
