// The page: the transition, which the server draws, and what can be done with it.

import { Link, paint } from "/link.js";
import { Hand } from "/hand.js";
import { MotionSize } from "/motion.js";
import { Player } from "/player.js";
import { Recorder } from "/recorder.js";
import { Timeline } from "/timeline.js";
import * as controls from "/controls.js";

const $ = (id) => document.getElementById(id);
const get = async (path) => (await fetch(path)).json();
// Remove the token from the visible address.
history.replaceState(null, "", "/");

const [info, catalogue] = await Promise.all([get("/info.json"), get("/catalogue.json")]);
// What the page sets of each join: its look, and the duration and the overlap where they differ from what was asked for.
const state = {
  seam: 0, looks: info.seams.map((seam) => seam.look), timings: info.seams.map(() => ({})), gesture: null, other: null,
  position: { progress: 0, bump: 0 },
};
// A reload of the page keeps them, as long as the preview is of the same joins.
const stored = {
  key: "fliptransition", joins: JSON.stringify(info.seams.map(({ first, second, start, frames }) => [first, second, start, frames])),
};
try {
  const kept = JSON.parse(sessionStorage.getItem(stored.key));
  if (kept?.joins === stored.joins) Object.assign(state, kept.state);
} catch { /* What is stored is not ours. */ }

function keep() {
  const { seam, looks, timings, gesture } = state;
  try {
    sessionStorage.setItem(stored.key, JSON.stringify({ joins: stored.joins, state: { seam, looks, timings, gesture } }));
  } catch { /* Without storage a reload begins anew. */ }
}
let curve = [0, 1];
let restTimer = null;
let wantedStep = null;
let isFaulty = false;
// For tests and for measuring: what was painted last, and the times from pointer events to paint.
const measured = (window.preview = {
  info, state, latencies: [], parts: [], last: null, lastPaint: 0, paints: 0, onPaint: null,
});

const canvas = $("canvas");
document.documentElement.style.setProperty("--aspect", info.width / info.height);
canvas.tabIndex = -1;

const link = new Link(onPicture, () => say("The preview has ended. Start it again to go on.", true));
const hand = new Hand(canvas, (samples, time) => {
  player.stop();
  ask({}, samples, time);
});
const motion = new MotionSize();
// What the page's parts need of it.
const player = new Player({
  ask, say, call,
  get length() { return info.seams[state.seam].milliseconds; },
  get time() { return timeOf(state.position.progress); },
  get motionWidth() { return motionWidth(); },
  get shown() { return settings(); },
});
const recorder = new Recorder({
  ask, say, call, drawCurves,
  replay: (recording) => player.replay(recording),
  limits: info,
  wasSaved: () => {
    // There is one file, so an earlier gesture is gone.
    state.gesture = state.seam;
    return changed();
  },
  get isVertical() { return option("orientation") === "vertical"; },
}, hand);

// MARK: Asking and painting

function look() { return state.looks[state.seam]; }

/** The value of an option of the look. */
function option(name) { return look().options[name] ?? style().options.find((row) => row.name === name)?.default; }

/** The join, its look and its timing as a text that is the same as long as they are the same. */
function settings() { return JSON.stringify(request()); }

/** What every request says of the join that is shown. */
function request() {
  const gesture = state.gesture === state.seam ? { gesture: true } : {};
  return { seam: state.seam, look: look(), ...state.timings[state.seam], ...gesture };
}

function motionWidth() { return motion.width(info.width, hand.shown * devicePixelRatio); }

/** Asks for something that isn't a picture. */
function call(own) { return link.call({ ...request(), ...own }); }

function ask(extra = {}, samples = [], time = null) {
  clearTimeout(restTimer);
  link.ask(
    { ...request(), shown: hand.shown, shownProgress: state.position.progress, width: motionWidth(), ...extra }, samples, time);
}

async function onPicture(header, bytes, eventTime, request) {
  // What is wrong with a look stands beside its fields.
  if (header.error) return isFaulty ? undefined : say(header.error, true);
  const came = performance.now();
  await paint(canvas, bytes);
  const drawn = performance.now();
  if (!header.isExact) motion.note(drawn - request.now);
  state.position = { progress: header.progress, bump: header.bump };
  measured.onPaint?.(header, canvas);
  showPlace();
  requestAnimationFrame(() => {
    // The task after this frame's callbacks runs once the frame has been produced.
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      measured.lastPaint = performance.now();
      measured.paints += 1;
      measured.last = { ...state.position, isExact: header.isExact, isMoving: header.isMoving, width: canvas.width };
      if (eventTime !== null) {
        measured.latencies.push(measured.lastPaint - eventTime);
        measured.parts.push([request.now - eventTime, came - request.now, drawn - came, measured.lastPaint - drawn]);
      }
    };
    channel.port2.postMessage(0);
  });
  if (header.isMoving && !link.isBusy) ask();
  if (!header.isMoving && !header.isExact && !link.isBusy && !player.isRunning) {
    restTimer = setTimeout(() => { if (!link.isBusy) ask({ exact: true, width: info.width }); }, 80);
  }
  if (state.other) compareTo(header.isExact);
}

let isComparing = false;
async function compareTo(isExact) {
  if (isComparing || !state.other) return;
  isComparing = true;
  const progress = state.position.progress;
  try {
    const { bytes } = await link.aside({
      seam: state.seam, look: state.other, progress, exact: isExact, width: isExact ? info.width : motionWidth(),
    });
    await paint($("canvasB"), bytes);
  } catch (error) {
    say(error.message, true);
  }
  isComparing = false;
  if (state.other && state.position.progress !== progress) compareTo(isExact);
}

function say(text, isError = false) {
  $("status").textContent = text.charAt(0).toUpperCase() + text.slice(1);
  $("status").classList.toggle("error", isError);
}

// MARK: The place in the transition

function frames() { return info.seams[state.seam].frames; }

/** The time at which the easing reaches `progress`. */
function timeOf(progress) {
  const last = curve.length - 1;
  if (progress <= 0) return 0;
  if (progress >= 1) return 1;
  for (let i = 0; i < last; i += 1) {
    if (curve[i + 1] >= progress && curve[i + 1] > curve[i]) {
      return (i + Math.max(0, progress - curve[i]) / (curve[i + 1] - curve[i])) / last;
    }
  }
  return 1;
}

function showPlace() {
  const { progress, bump } = state.position;
  const slider = $("slider");
  const step = Math.round(timeOf(progress) * (frames() + 1));
  slider.max = frames() + 1;
  // A picture that was asked for before the last key must not take the slider back.
  if (wantedStep === null || !link.isBusy) {
    slider.value = step;
    wantedStep = null;
  }
  const style = look().style;
  const name = style[0].toUpperCase() + style.slice(1);
  const where = step === 0 ? "first clip" : step > frames() ? "second clip" : `frame ${step} of ${frames()}`;
  slider.setAttribute("aria-valuetext", `${name} ${Math.round(progress * 100)} %, ${where}`);
  $("place").textContent = `${Math.round(progress * 100)} % · ${where}`;
  canvas.setAttribute("aria-label", `${name} at ${Math.round(progress * 100)} %${bump ? ", at its end" : ""}`);
  const dot = $("curve").querySelector("circle");
  if (dot) {
    dot.setAttribute("cx", 200 * timeOf(progress));
    dot.setAttribute("cy", 100 - 100 * progress);
  }
}

function goToStep(step) {
  player.stop();
  const last = frames() + 1;
  const wanted = Math.min(Math.max(step, 0), last);
  $("slider").value = wanted;
  wantedStep = wanted;
  ask({ time: wanted / last });
}

$("slider").addEventListener("input", () => goToStep(Number($("slider").value)));

// MARK: The look

function style() { return catalogue.find((row) => row.name === look().style); }

function setLook(choice, { rebuilds = true } = {}) {
  // A gesture is for one style, turned in one direction.
  const turn = (own) => [own.style, own.named, own.options.orientation, own.options.direction].join();
  if (state.gesture === state.seam && turn(choice) !== turn(look())) state.gesture = null;
  state.looks[state.seam] = choice;
  player.stop();
  if (rebuilds) buildControls();
  changed();
}

/** Keeps and shows what was changed. */
function changed() {
  keep();
  ask();
  return describe();
}

for (const name of ["duration", "overlap"]) {
  $(`option-${name}`).addEventListener("change", (event) => {
    const { [name]: _, ...others } = state.timings[state.seam];
    const value = event.target.value.trim();
    state.timings[state.seam] = value ? { ...others, [name]: value } : others;
    player.stop();
    changed();
  });
}

function buildControls() {
  const own = style();
  const timing = state.timings[state.seam];
  $("option-duration").value = timing.duration ?? "";
  $("option-overlap").value = timing.overlap ?? info.seams[state.seam].overlap;
  // A finger along the motion turns the page, and one across it scrolls; two fingers are for styles that are pinched.
  canvas.style.touchAction = option("orientation") === "vertical" ? "pan-x" : "pan-y";
  controls.fill($("style"), catalogue.map((row) => [row.name, row.name]), own.name);
  controls.fill($("named"), [["", "none"], ...own.looks.map((row) => [row.name, row.name])], look().named ?? "");
  $("named").disabled = own.looks.length === 0;
  const named = own.looks.find((row) => row.name === look().named);
  const values = Object.fromEntries((named?.options ?? []).map((option) => [option.name, option.value]));
  controls.build($("options"), own, { ...values, ...look().options }, (name, text) => {
    setLook({ ...look(), options: { ...look().options, [name]: text } }, { rebuilds: false });
  });
  $("nameA").textContent = state.other ? `this look: ${look().named ?? look().style}` : names();
}

function names() {
  const seam = info.seams[state.seam];
  return `${seam.first} → ${seam.second}`;
}

$("style").addEventListener("change", () => setLook({ style: $("style").value, options: {} }));
$("named").addEventListener("change", () => {
  setLook({ style: look().style, named: $("named").value || undefined, options: {} });
});
$("reset").addEventListener("click", () => setLook({ style: look().style, named: look().named, options: {} }));

async function describe() {
  const asked = settings();
  const aside = document.querySelector("aside");
  try {
    const { header } = await call({ kind: "describe" });
    if (asked !== settings()) return;
    curve = header.curve;
    Object.assign(info.seams[state.seam], { frames: header.frames, milliseconds: header.milliseconds });
    $("option-duration").placeholder = String(Math.round(header.milliseconds) / 1000);
    isFaulty = false;
    controls.mark(aside, {});
    $("curve").classList.remove("stale");
    $("command").textContent = header.command;
    $("yaml").textContent = header.yaml;
    say(hand.isHolding ? "" : "Drag the picture to turn the page.");
    drawCurves();
  } catch (error) {
    if (asked !== settings()) return;
    isFaulty = true;
    controls.mark(aside, faults(error));
    // The curve, the command line and the project are those of the last look that could be drawn.
    $("curve").classList.add("stale");
    say(error.message, true);
  }
}

/** What is wrong with which options. */
function faults(error) {
  const timing = ["duration", "overlap"].find((name) => error.message.startsWith(`invalid ${name} `));
  return error.header?.faults ?? (timing ? { [timing]: error.message } : {});
}

function drawCurves() {
  controls.curves($("curve"), curve, recorder.trace);
  document.querySelector(".legend .gesture").hidden = !recorder.trace;
  showPlace();
}

for (const [button, text] of [["copyCommand", "command"], ["copyYaml", "yaml"]]) {
  $(button).addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText($(text).textContent);
      say("Copied.");
    } catch {
      getSelection().selectAllChildren($(text));
      say("The text is selected; copy it with Ctrl+C.");
    }
  });
}

// MARK: Comparing

$("compare").addEventListener("click", () => {
  const isOn = state.other === null;
  state.other = isOn ? { ...look() } : null;
  $("compare").setAttribute("aria-pressed", String(isOn));
  $("other").hidden = !isOn;
  $("nameB").textContent = isOn ? `kept look: ${look().named ?? look().style}` : "";
  buildControls();
  if (isOn) say("The current look is kept on the right; change the left one.");
  ask();
});

// MARK: Joins, keys

function showSeam(index) {
  state.seam = Math.min(Math.max(index, 0), info.seams.length - 1);
  timeline.select(state.seam);
  recorder.trace = null;
  player.stop();
  buildControls();
  keep();
  describe();
  if ($("sheet").open) fillSheet();
  ask({ restart: true });
}

function fillSheet() { controls.sheet($("cells"), state.seam, info.sheet, (choice) => setLook({ ...choice })); }

$("sheet").addEventListener("toggle", () => $("sheet").open && fillSheet());

const timeline = new Timeline($("seams"), info, showSeam);

const actions = {
  ArrowLeft: (shift) => goToStep(Number($("slider").value) - (shift ? 10 : 1)),
  ArrowRight: (shift) => goToStep(Number($("slider").value) + (shift ? 10 : 1)),
  ",": () => goToStep(Number($("slider").value) - 1),
  ".": () => goToStep(Number($("slider").value) + 1),
  Home: () => goToStep(0),
  End: () => goToStep(frames() + 1),
  PageUp: () => showSeam(state.seam - 1),
  PageDown: () => showSeam(state.seam + 1),
  " ": () => player.play(),
  j: () => player.run(-1),
  k: () => { player.stop(); ask(); },
  l: () => player.run(1),
  Enter: () => ask({ command: "complete" }),
  Escape: () => { player.stop(); ask({ command: "cancel" }); },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target;
  const isSlider = target === $("slider");
  if (!isSlider && target.matches("input, select, textarea")) return;
  if (target.matches("button, summary") && [" ", "Enter"].includes(event.key)) return;
  if (target.matches("pre") && event.key.startsWith("Arrow")) return;
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action(event.shiftKey);
});

addEventListener("resize", () => ask());

showSeam(state.seam);
