// The controls of a style's options, made from the catalogue.

/** An HTML element; attributes that are false or missing are left out, and `text` is its text. */
export const element = (name, attributes = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") node.textContent = value; else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
};

const label = (name) => (name[0].toUpperCase() + name.slice(1)).replaceAll("-", " ");

/** Fills `parent` with a control for each of `style`'s options, with `values`; calls `change(name, text)`. */
export function build(parent, style, values, change) {
  parent.replaceChildren(...style.options.map((option) => {
    const id = `option-${option.name}`;
    const value = values[option.name] ?? option.default;
    const field = element("div", { class: "field" },
      element("label", { for: id, text: label(option.name), title: option.summary }));
    field.append(control(option, id, value, (text) => change(option.name, text)));
    return field;
  }));
}

function control(option, id, value, change) {
  switch (option.type) {
    case "word": return select(id, option.choices, value, change);
    case "flag": {
      const box = element("input", { type: "checkbox", id, checked: value === "true" });
      box.addEventListener("change", () => change(String(box.checked)));
      return box;
    }
    case "number": case "integer": return number(option, id, value, change);
    case "color": return color(option, id, value, change);
    case "easing": {
      const list = element("datalist", { id: `${id}-list` }, ...option.choices.map((name) => element("option", { value: name })));
      const input = element("input", { id, value, list: `${id}-list`, spellcheck: "false" });
      input.addEventListener("change", () => change(input.value));
      return element("div", {}, input, list);
    }
    default: {
      const input = element("input", { id, value, spellcheck: "false" });
      input.addEventListener("change", () => change(input.value));
      return input;
    }
  }
}

function select(id, choices, value, change) {
  const box = element("select", { id }, ...choices.map((name) => element("option", { value: name, text: name, selected: name === value })));
  box.addEventListener("change", () => change(box.value));
  return box;
}

/** A number with three decimals; finer steps can't be seen. */
const rounded = (value) => String(Math.round(value * 1000) / 1000);

function number(option, id, value, change) {
  // Ranges of many orders of magnitude get no slider that would jump over what matters.
  const span = option.maximum - option.minimum;
  const shown = Number.isFinite(Number(value)) ? rounded(value) : value;
  const input = element("input", { id, value: shown, inputmode: "decimal", title: option.values });
  input.addEventListener("change", () => change(input.value));
  if (span > 200) return input;
  const step = option.type === "integer" ? 1 : span / 100;
  const range = element("input", {
    type: "range", min: option.minimum, max: option.maximum, step, value, "aria-label": `${label(option.name)}, slider`,
  });
  range.addEventListener("input", () => {
    input.value = rounded(range.value);
    change(input.value);
  });
  return element("div", { class: "number" }, range, input);
}

function color(option, id, value, change) {
  const input = element("input", { id, value, spellcheck: "false" });
  const well = element("input", { type: "color", value: /^#[0-9a-f]{6}$/i.test(value) ? value : "#000000", "aria-label": `${label(option.name)}, color well` });
  well.addEventListener("input", () => { input.value = well.value; change(well.value); });
  input.addEventListener("change", () => change(input.value));
  return element("div", { class: "color" }, well, input);
}

/** Marks the fields of `parent` whose options have a message in `faults`, and no others. */
export function mark(parent, faults) {
  for (const old of parent.querySelectorAll(".fault")) old.remove();
  for (const input of parent.querySelectorAll("[id^=option-]:not(datalist)")) {
    const message = faults[input.id.slice("option-".length)];
    input.toggleAttribute("aria-invalid", Boolean(message));
    input.removeAttribute("aria-describedby");
    if (!message) continue;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", `${input.id}-fault`);
    input.closest(".field").append(element("p", { class: "fault", id: `${input.id}-fault`, text: message }));
  }
}

/** Fills a select with names. */
export function fill(box, rows, value) {
  box.replaceChildren(...rows.map(([name, text]) => element("option", { value: name, text, selected: name === value })));
}

/** The contact sheet: a button with pictures for each look; calls `choose(look)`. */
export function sheet(parent, seam, rows, choose) {
  parent.replaceChildren(...rows.map((row, index) => {
    const strip = element("div", { class: "strip" }, ...[2, 3, 4].map((step) =>
      element("img", { src: `/cell/${seam}/${index}/${step}`, alt: "", loading: "lazy" })));
    const button = element("button", { type: "button" }, strip, element("strong", { text: row.look.named ? `${row.name} (look)` : row.name }), element("small", { text: row.summary }));
    button.addEventListener("click", () => choose(row.look));
    return button;
  }));
}

/** Draws curves over the time 0...1 into an SVG. */
export function curves(svg, easing, gesture) {
  const name = "http://www.w3.org/2000/svg";
  const line = (points, kind) => {
    const node = document.createElementNS(name, "polyline");
    node.setAttribute("points", points.map((p, i) => `${(200 * i / (points.length - 1)).toFixed(2)},${(100 - 100 * p).toFixed(2)}`).join(" "));
    node.setAttribute("class", kind);
    return node;
  };
  const frame = document.createElementNS(name, "rect");
  for (const [key, value] of Object.entries({ x: 0, y: 0, width: 200, height: 100, class: "axis" })) frame.setAttribute(key, value);
  const dot = document.createElementNS(name, "circle");
  dot.setAttribute("r", 3);
  svg.replaceChildren(frame, line(easing, "easing"), ...(gesture ? [line(gesture, "gesture")] : []), dot);
}
