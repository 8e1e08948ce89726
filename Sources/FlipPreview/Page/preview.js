// The page: the transition, which the server draws, and what can be done with it.

import { Link, paint } from "/link.js";
import { Hand, mirrored } from "/hand.js";
import * as controls from "/controls.js";

const $ = (id) => document.getElementById(id);
const get = async (path) => (await fetch(path)).json();
// The address has done its duty; without the token it can be shown.
history.replaceState(null, "", "/");

const [info, catalogue] = await Promise.all([get("/info.json"), get("/catalogue.json")]);
const state = { seam: 0, looks: info.seams.map((seam) => seam.look), other: null, position: { progress: 0, bump: 0 } };
let curve = [0, 1];
let trace = null;
let recording = null;
let running = null;
let restTimer = null;
let wantedStep = null;
// For tests and for measuring: what was painted last, and the times from pointer events to paint.
const measured = (window.preview = {
  info, state, latencies: [], parts: [], last: null, lastPaint: 0, paints: 0, onPaint: null,
});

const canvas = $("canvas");
document.documentElement.style.setProperty("--aspect", info.width / info.height);
canvas.tabIndex = -1;

const link = new Link(onPicture, () => say("The preview has ended. Start it again to go on.", true));
const hand = new Hand(canvas, (samples, time) => {
  stopRunning();
  closeFilm();
  ask({}, samples, time);
});

// MARK: Asking and painting

function look() { return state.looks[state.seam]; }

/** The largest width of pictures in motion: browsers take longer to decode more than the server takes to draw it. */
const MOTION = 1280;

/** The width of pictures in motion: as they are shown, within limits. */
function motionWidth() {
  return Math.max(16, Math.min(info.width, MOTION, Math.round(hand.shown * devicePixelRatio)));
}

function ask(extra = {}, samples = [], time = null) {
  clearTimeout(restTimer);
  link.ask({ seam: state.seam, look: look(), shown: hand.shown, width: motionWidth(), ...extra }, samples, time);
}

async function onPicture(header, bytes, eventTime, request) {
  if (header.error) return say(header.error, true);
  const came = performance.now();
  await paint(canvas, bytes);
  const drawn = performance.now();
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
  if (!header.isMoving && !header.isExact && !link.isBusy && !running) {
    restTimer = setTimeout(() => { if (!link.isBusy) ask({ exact: true, width: info.width }); }, 80);
  }
  if (state.other && !request.aside) compareTo(header.isExact);
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
  stopRunning();
  closeFilm();
  const last = frames() + 1;
  const wanted = Math.min(Math.max(step, 0), last);
  $("slider").value = wanted;
  wantedStep = wanted;
  ask({ time: wanted / last });
}

$("slider").addEventListener("input", () => goToStep(Number($("slider").value)));

// MARK: Running and playing

function stopRunning() {
  if (running) cancelAnimationFrame(running.id);
  running = null;
  $("run").textContent = "Run";
}

/** Runs the transition in its own time, as the easing has it. */
function run(direction) {
  stopRunning();
  closeFilm();
  const length = info.seams[state.seam].milliseconds;
  let from = timeOf(state.position.progress);
  if (direction > 0 && from >= 1) from = 0;
  if (direction < 0 && from <= 0) from = 1;
  const start = performance.now();
  running = {};
  $("run").textContent = "Stop";
  const step = () => {
    if (!running) return;
    const time = Math.min(Math.max(from + direction * (performance.now() - start) / length, 0), 1);
    const isLast = direction > 0 ? time >= 1 : time <= 0;
    if (isLast) stopRunning();
    ask({ time });
    if (!isLast) running.id = requestAnimationFrame(step);
  };
  step();
}

$("run").addEventListener("click", () => running ? (stopRunning(), ask()) : run(1));

let isMakingFilm = false;
async function play() {
  const film = $("film");
  if (!film.hidden) return closeFilm();
  if (isMakingFilm) return;
  stopRunning();
  isMakingFilm = true;
  $("play").disabled = true;
  say("Rendering the join …");
  try {
    const { bytes } = await link.call({ kind: "film", seam: state.seam, look: look(), width: motionWidth() });
    film.src = URL.createObjectURL(new Blob([bytes], { type: "video/mp4" }));
    film.hidden = false;
    say("");
    $("play").textContent = "Stop";
    await film.play();
  } catch (error) {
    closeFilm();
    say(`The join can't be played: ${error.message}`, true);
  }
  isMakingFilm = false;
  $("play").disabled = false;
}

function closeFilm() {
  const film = $("film");
  if (film.hidden) return;
  film.pause();
  film.hidden = true;
  URL.revokeObjectURL(film.src);
  film.removeAttribute("src");
  $("play").textContent = "Play with sound";
}

$("play").addEventListener("click", play);
$("film").addEventListener("ended", closeFilm);
$("film").addEventListener("click", closeFilm);

// MARK: The look

function style() { return catalogue.find((row) => row.name === look().style); }

function setLook(choice, { rebuilds = true } = {}) {
  state.looks[state.seam] = choice;
  if (rebuilds) buildControls();
  describe();
  ask();
}

function buildControls() {
  const own = style();
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
  const asked = look();
  try {
    const { header } = await link.call({ kind: "describe", seam: state.seam, look: asked });
    if (asked !== look()) return;
    curve = header.curve;
    $("command").textContent = header.command;
    $("yaml").textContent = header.yaml;
    say(hand.isHolding ? "" : "Drag the picture to turn the page.");
    drawCurves();
  } catch (error) {
    say(error.message, true);
  }
}

function drawCurves() {
  controls.curves($("curve"), curve, trace);
  document.querySelector(".legend .gesture").hidden = !trace;
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

// MARK: Gestures

$("record").addEventListener("click", async () => {
  const isOn = $("record").getAttribute("aria-pressed") === "true";
  $("record").setAttribute("aria-pressed", String(!isOn));
  $("record").textContent = isOn ? "Record a gesture" : "End the recording";
  if (!isOn) {
    hand.recording = [];
    say("Recording: turn the page, then end the recording.");
    return ask({ restart: true });
  }
  recording = hand.recording;
  hand.recording = null;
  await useRecording();
});

async function useRecording() {
  trace = null;
  $("mirror").hidden = true;
  $("replay").disabled = recording.length === 0;
  $("save").disabled = true;
  const { header } = await link.call({ kind: "trace", seam: state.seam, look: look(), shown: hand.shown, samples: recording });
  if (header.error) {
    say(header.error, true);
    $("mirror").hidden = !header.canMirror;
  } else {
    trace = header.curve;
    $("save").disabled = false;
    say(`The gesture takes ${(header.milliseconds / 1000).toFixed(2)} s.`);
  }
  drawCurves();
}

$("mirror").addEventListener("click", async () => {
  const row = style().options.find((option) => option.name === "orientation");
  const axis = look().options.orientation ?? row?.default;
  recording = mirrored(recording, axis === "vertical");
  await useRecording();
});

$("replay").addEventListener("click", () => {
  stopRunning();
  closeFilm();
  const start = performance.now();
  const shift = start - recording[0][0];
  let next = 0;
  running = {};
  ask({ restart: true });
  const step = () => {
    if (!running) return;
    const now = performance.now();
    const due = [];
    while (next < recording.length && recording[next][0] + shift <= now) {
      const [time, ...rest] = recording[next++];
      due.push([time + shift, ...rest]);
    }
    ask({}, due);
    if (next < recording.length) running.id = requestAnimationFrame(step); else stopRunning();
  };
  step();
});

$("save").addEventListener("click", async () => {
  try {
    const { header, bytes } = await link.call({ kind: "save", seam: state.seam, look: look(), shown: hand.shown, samples: recording });
    if (header.saved) return say(`Saved as ${header.saved}; give it to --gesture.`);
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(new Blob([bytes], { type: "application/json" }));
    anchor.download = "gesture.json";
    anchor.click();
    say("Saved as gesture.json; give it to --gesture.");
  } catch (error) {
    say(error.message, true);
  }
});

// MARK: Comparing

$("compare").addEventListener("click", () => {
  const isOn = state.other === null;
  state.other = isOn ? { ...look() } : null;
  $("compare").setAttribute("aria-pressed", String(isOn));
  $("other").hidden = !isOn;
  $("nameB").textContent = isOn ? `kept look: ${look().named ?? look().style}` : "";
  buildControls();
  if (isOn) say("The look of now is kept on the right. Change the other one.");
  ask();
});

// MARK: Joins, keys

function showSeam(index) {
  state.seam = Math.min(Math.max(index, 0), info.seams.length - 1);
  for (const [number, button] of [...$("seams").children].entries()) {
    if (number === state.seam) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
  }
  trace = null;
  stopRunning();
  closeFilm();
  buildControls();
  describe();
  if ($("sheet").open) fillSheet();
  ask({ restart: true });
}

function fillSheet() { controls.sheet($("cells"), state.seam, info.sheet, (choice) => setLook({ ...choice })); }

$("sheet").addEventListener("toggle", () => $("sheet").open && fillSheet());

$("seams").replaceChildren(...info.seams.map((seam, index) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `${index + 1}`;
  button.title = `${seam.first} → ${seam.second}`;
  button.setAttribute("aria-label", `Join ${index + 1}, from ${seam.first} to ${seam.second}`);
  button.addEventListener("click", () => showSeam(index));
  return button;
}));

const actions = {
  ArrowLeft: (shift) => goToStep(Number($("slider").value) - (shift ? 10 : 1)),
  ArrowRight: (shift) => goToStep(Number($("slider").value) + (shift ? 10 : 1)),
  ",": () => goToStep(Number($("slider").value) - 1),
  ".": () => goToStep(Number($("slider").value) + 1),
  Home: () => goToStep(0),
  End: () => goToStep(frames() + 1),
  PageUp: () => showSeam(state.seam - 1),
  PageDown: () => showSeam(state.seam + 1),
  " ": play,
  j: () => run(-1),
  k: () => { stopRunning(); closeFilm(); ask(); },
  l: () => run(1),
  Enter: () => ask({ command: "complete" }),
  Escape: () => { closeFilm(); ask({ command: "cancel" }); },
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

await link.open();
showSeam(0);
