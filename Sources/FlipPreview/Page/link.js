// The WebSocket. One picture is asked for at a time, and what happens meanwhile is asked for together, as the newest state.

export class Link {
  #socket;
  #number = 0;
  #answers = new Map();
  #isAsking = false;
  #wanted = null;
  #samples = [];
  #firstEvent = null;
  #unshown = 0;
  #shown = Promise.resolve();

  /** Calls `onPicture(header, blob, firstEvent)` with every picture, and `onClosed` when the server has gone. */
  constructor(onPicture, onClosed) {
    this.onPicture = onPicture;
    this.onClosed = onClosed;
  }

  open() {
    return new Promise((resolve, reject) => {
      this.#socket = new WebSocket(`ws://${location.host}/socket`);
      this.#socket.binaryType = "arraybuffer";
      this.#socket.onopen = resolve;
      this.#socket.onerror = reject;
      this.#socket.onclose = () => {
        this.onClosed();
        const answers = [...this.#answers.values()];
        this.#answers.clear();
        for (const { fail } of answers) fail();
      };
      this.#socket.onmessage = (event) => this.#receive(event.data);
    });
  }

  /** Asks for a picture of the newest state, which `wanted` replaces; its one-time parts are kept until they are sent. */
  ask(wanted, samples = [], eventTime = null) {
    for (const key of ["progress", "time", "command", "restart"]) {
      if (wanted[key] === undefined && this.#wanted?.[key] !== undefined && wanted.aside !== true) {
        wanted[key] = this.#wanted[key];
      }
    }
    this.#wanted = wanted;
    this.#samples.push(...samples);
    if (eventTime !== null && this.#firstEvent === null) this.#firstEvent = eventTime;
    this.#next();
  }

  /** Whether a picture newer than the one that is being shown is on its way, or waits to be asked for or to be shown. */
  get isBusy() { return this.#isAsking || this.#wanted !== null || this.#unshown > 1; }

  #next() {
    if (this.#isAsking || !this.#wanted || this.#socket.readyState !== WebSocket.OPEN) return;
    this.#isAsking = true;
    const firstEvent = this.#firstEvent;
    const request = { ...this.#wanted, kind: "frame", now: performance.now(), samples: this.#samples };
    this.#wanted = null;
    this.#samples = [];
    this.#firstEvent = null;
    this.#send(request, (header, bytes) => {
      this.#isAsking = false;
      this.#next();
      this.#show(header, () => this.onPicture(header, bytes, firstEvent, request));
    });
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
  call(request) {
    return new Promise((resolve, reject) => {
      this.#send(request, (header, bytes) => {
        if (header.error && request.kind !== "trace") reject(Object.assign(new Error(header.error), { header })); else resolve({ header, bytes });
      }, () => reject(new Error("the preview has ended")));
    });
  }

  /** Calls `answer` with the answer, or `fail` if the connection ends before there is one. */
  #send(request, answer, fail = () => {}) {
    if (this.#socket.readyState !== WebSocket.OPEN) return fail();
    request.number = ++this.#number;
    this.#answers.set(request.number, { answer, fail });
    this.#socket.send(JSON.stringify(request));
  }

  #receive(data) {
    const length = new DataView(data).getUint32(0);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    const waiting = this.#answers.get(header.number);
    this.#answers.delete(header.number);
    waiting?.answer(header, data.slice(4 + length));
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
