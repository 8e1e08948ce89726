// Requests to the server. One picture is asked for at a time, and what happens meanwhile is asked for together, as the newest
// state.

export class Link {
  // The server remembers what the hand of each page did. (Only secure pages have randomUUID.)
  #page = crypto.getRandomValues(new Uint32Array(4)).join("-");
  #isAsking = false;
  #wanted = null;
  #samples = [];
  #firstEvent = null;
  #unshown = 0;
  #shown = Promise.resolve();

  /** Calls `onPicture(header, bytes, firstEvent, request)` with every picture, and `onClosed` when the server has gone. */
  constructor(onPicture, onClosed) {
    this.onPicture = onPicture;
    this.onClosed = onClosed;
  }

  /** Asks for a picture of the newest state, which `wanted` replaces; its one-time parts are kept until they are sent. */
  ask(wanted, samples = [], eventTime = null) {
    for (const key of ["progress", "time", "command", "restart"]) {
      if (wanted[key] === undefined && this.#wanted?.[key] !== undefined) wanted[key] = this.#wanted[key];
    }
    this.#wanted = wanted;
    this.#samples.push(...samples);
    if (eventTime !== null && this.#firstEvent === null) this.#firstEvent = eventTime;
    this.#next();
  }

  /** Whether a picture newer than the one that is being shown is on its way, or waits to be asked for or to be shown. */
  get isBusy() { return this.#isAsking || this.#wanted !== null || this.#unshown > 1; }

  async #next() {
    if (this.#isAsking || !this.#wanted) return;
    this.#isAsking = true;
    const firstEvent = this.#firstEvent;
    const request = { ...this.#wanted, kind: "frame", now: performance.now(), samples: this.#samples };
    this.#wanted = null;
    this.#samples = [];
    this.#firstEvent = null;
    const answer = await this.#send(request).catch(() => null);
    this.#isAsking = false;
    this.#next();
    if (answer) this.#show(answer.header, () => this.onPicture(answer.header, answer.bytes, firstEvent, request));
  }

  /** Shows pictures in the order in which they came, though some take longer to decode; all but the newest may be left out. */
  #show(header, show) {
    this.#unshown += 1;
    const showNewest = () => (this.#unshown > 1 && !header.error ? undefined : show());
    this.#shown = this.#shown.then(showNewest, showNewest).finally(() => { this.#unshown -= 1; });
  }

  /** Asks for a picture beside the hand's. */
  aside(request) { return this.call({ ...request, kind: "frame", aside: true }); }

  /** Asks for something else; resolves to the header and the bytes, or rejects with the error's message. */
  async call(request) {
    const { header, bytes } = await this.#send(request);
    if (header.error && request.kind !== "trace") throw Object.assign(new Error(header.error), { header });
    return { header, bytes };
  }

  async #send(request) {
    let data;
    try {
      const answer = await fetch("/ask", { method: "POST", body: JSON.stringify({ ...request, page: this.#page }) });
      if (answer.status !== 200) throw new Error(answer.statusText);
      data = await answer.arrayBuffer();
    } catch {
      this.onClosed();
      throw new Error("the preview has ended");
    }
    const length = new DataView(data).getUint32(0);
    return { header: JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))), bytes: data.slice(4 + length) };
  }
}

/** Draws the file of a picture. */
export async function paint(canvas, bytes) {
  const bitmap = await createImageBitmap(new Blob([bytes]), { colorSpaceConversion: "none" });
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
  }
  canvas.getContext("2d", { alpha: false, desynchronized: true }).drawImage(bitmap, 0, 0);
  bitmap.close();
}
