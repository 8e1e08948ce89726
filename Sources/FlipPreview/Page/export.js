"use strict";
// The page that needs no server: its pictures are inside it. A drag moves as far as the pointer does; what is let go of falls to
// the half that it is in, or follows a hand that was fast.
(async () => {
  const $ = (id) => document.getElementById(id);
  const content = JSON.parse($("content").textContent);
  const canvas = $("canvas");
  const context = canvas.getContext("2d");
  const slider = $("slider");
  document.documentElement.style.setProperty("--aspect", content.width / content.height);
  const cache = new Map();
  let seam = 0;
  let time = 0;
  let running = null;

  const load = (index) => {
    if (!cache.has(index)) {
      cache.set(index, Promise.all(content.seams[index].pictures.map((text) => {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        return createImageBitmap(new Blob([bytes], { type: "image/jpeg" }), { colorSpaceConversion: "none" });
      })));
    }
    return cache.get(index);
  };

  async function show(to) {
    const shown = seam;
    time = Math.min(Math.max(to, 0), 1);
    const pictures = await load(shown);
    if (shown !== seam) return;
    const own = content.seams[seam];
    const index = Math.round(time * (pictures.length - 1));
    const bitmap = pictures[index];
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    context.drawImage(bitmap, 0, 0);
    const percent = Math.round(own.progress[index] * 100);
    const step = Math.round(time * (own.frames + 1));
    const where = step === 0 ? "first clip" : step > own.frames ? "second clip" : `frame ${step} of ${own.frames}`;
    slider.max = pictures.length - 1;
    slider.value = index;
    slider.setAttribute("aria-valuetext", `${own.style} ${percent} %, ${where}`);
    $("place").textContent = `${percent} % · ${where}`;
    window.exported = { seam, time, index };
  }

  /** The time at which the pictures reach `progress`. */
  function timeOf(progress) {
    const values = content.seams[seam].progress;
    let best = 0;
    values.forEach((value, index) => { if (Math.abs(value - progress) < Math.abs(values[best] - progress)) best = index; });
    return best / (values.length - 1);
  }

  function progressNow() {
    const values = content.seams[seam].progress;
    return values[Math.round(time * (values.length - 1))];
  }

  function stop() {
    cancelAnimationFrame(running);
    running = null;
    $("run").textContent = "Run";
  }

  function run(goal) {
    stop();
    const from = time;
    const start = performance.now();
    const length = content.seams[seam].milliseconds * Math.abs(goal - from);
    $("run").textContent = "Stop";
    const step = () => {
      const part = length > 0 ? Math.min((performance.now() - start) / length, 1) : 1;
      show(from + (goal - from) * part);
      if (part < 1) running = requestAnimationFrame(step); else stop();
    };
    step();
  }

  $("run").addEventListener("click", () => {
    if (running) return stop();
    if (time >= 1) time = 0;
    run(1);
  });
  slider.addEventListener("input", () => { stop(); show(slider.value / slider.max); });

  let drag = null;
  const along = (event) => {
    const own = content.seams[seam];
    const box = canvas.getBoundingClientRect();
    const place = own.isVertical ? (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width;
    return own.isBackward ? 1 - place : place;
  };
  canvas.addEventListener("pointerdown", (event) => {
    stop();
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    drag = { id: event.pointerId, start: along(event), base: progressNow(), last: [[event.timeStamp, along(event)]] };
    canvas.classList.add("held");
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    drag.last = drag.last.filter(([when]) => event.timeStamp - when <= 100).concat([[event.timeStamp, along(event)]]);
    show(timeOf(Math.min(Math.max(drag.base + drag.start - along(event), 0), 1)));
  });
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => {
      if (!drag || event.pointerId !== drag.id) return;
      const [first, last] = [drag.last[0], drag.last[drag.last.length - 1]];
      const passed = last[0] - first[0];
      const speed = passed > 0 && event.timeStamp - last[0] < 100 ? (first[1] - last[1]) / passed * 1000 : 0;
      const half = progressNow() >= 0.5 ? 1 : 0;
      drag = null;
      canvas.classList.remove("held");
      run(Math.abs(speed) > 0.2 ? (speed > 0 ? 1 : 0) : half);
    });
  }

  function showSeam(index) {
    stop();
    seam = Math.min(Math.max(index, 0), content.seams.length - 1);
    [...$("seams").children].forEach((button, number) => {
      if (number === seam) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
    });
    $("name").textContent = content.seams[seam].name;
    canvas.style.touchAction = content.seams[seam].isVertical ? "pan-x" : "pan-y";
    show(0);
  }

  $("seams").append(...content.seams.map((own, index) => {
    const button = document.createElement("button");
    button.textContent = own.name;
    button.setAttribute("aria-label", `Join ${index + 1}, ${own.name}`);
    button.addEventListener("click", () => showSeam(index));
    return button;
  }));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.matches("button") && [" ", "Enter"].includes(event.key)) return;
    const last = content.seams[seam].progress.length - 1;
    const step = (event.shiftKey ? 10 : 1) / last;
    const actions = {
      ArrowLeft: () => { stop(); show(time - step); },
      ArrowRight: () => { stop(); show(time + step); },
      Home: () => { stop(); show(0); },
      End: () => { stop(); show(1); },
      PageUp: () => showSeam(seam - 1),
      PageDown: () => showSeam(seam + 1),
      " ": () => $("run").click(),
      Enter: () => run(1),
      Escape: () => run(0),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });

  showSeam(0);
})();
