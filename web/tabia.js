// Tabia in the browser and under node: a UCI engine in a worker.
//
//     import { Tabia } from 'tabia';
//     const engine = new Tabia();
//     engine.onmessage = (line) => console.log(line);
//     engine.postMessage('uci');
//     engine.postMessage('go depth 15');
//
// The worker has one thread and searches on it, so it takes no messages during a search. `stop` and
// `ponderhit` reach it by signals: shared memory where there is some (node, and pages that are
// cross-origin isolated), else the URL of an empty blob, which the worker tries to load and which
// is revoked for a signal. Both work at any time, and the search itself is the same.

const isNode = typeof process === 'object' && Boolean(process.versions?.node);
const hasSharedMemory =
  typeof SharedArrayBuffer === 'function' && (isNode || globalThis.crossOriginIsolated === true);

/** One bit from here to the worker, raised at most once. */
class Signal {
  constructor() {
    this.forWorker = hasSharedMemory
      ? new Int32Array(new SharedArrayBuffer(4))
      : URL.createObjectURL(new Blob([]));
  }

  raise() {
    if (hasSharedMemory) {
      Atomics.store(this.forWorker, 0, 1);
    } else {
      URL.revokeObjectURL(this.forWorker);
    }
  }
}

/** Words of lines during which the worker takes no messages: searches and tools. */
const LONG = /(?:^|\s)(go|bench|perft|genfens)(?:\s|$)/;
const LIMIT = /\s(depth|nodes|mate|movetime|[wb]time|[wb]inc|perft)(\s|$)/;

/** Returns whether only `stop` or `ponderhit` ends the search of this line. */
function isEndless(line) {
  return /\s(infinite|ponder)(\s|$)/.test(line) || !LIMIT.test(line);
}

export class Tabia {
  /** Called with each line of output. */
  onmessage = null;
  /** Called with an Error if the worker fails; the engine is then useless. */
  onerror = null;
  /** Called when the engine has ended after `quit`. */
  onclose = null;

  #worker = null;
  #early = [];
  #isClosed = false;
  /** Lines that the worker has not finished, oldest first. */
  #pending = [];
  /** Number of `isready` to answer when a search or tool runs. */
  #asked = 0;

  /** `wasm` is the URL of tabia.wasm, in a page also relative to it; by default beside this file. */
  constructor({ wasm = new URL('./tabia.wasm', import.meta.url) } = {}) {
    this.#start(wasm).catch((error) => this.#fail(error));
  }

  async #start(wasm) {
    let worker;
    if (isNode) {
      const { Worker } = await import('node:worker_threads');
      worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: String(wasm) });
      worker.on('message', (message) => this.#receive(message));
      worker.on('error', (error) => this.#fail(error));
    } else {
      // A request resolves a URL as `fetch` does on the page; the base of the worker is its file.
      const { url } = new Request(wasm);
      worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }) => this.#receive(data);
      // The event has no message when the file is missing or the browser is too old.
      const message = 'the worker could not be loaded';
      worker.onerror = (event) => this.#fail(new Error(event.message || message));
      worker.postMessage({ wasm: url });
    }
    if (this.#isClosed) {
      worker.terminate();
      return;
    }
    this.#worker = worker;
    this.#early.splice(0).forEach((line) => worker.postMessage(line));
  }

  /** Sends a line, or several, to the engine. */
  postMessage(text) {
    for (const line of String(text).split('\n')) {
      this.#send(line.trim());
    }
  }

  #send(line) {
    if (line === '' || this.#isClosed) {
      return;
    }
    const word = line.split(/\s+/, 1)[0];
    if (word === 'isready' && this.#pending.some((entry) => entry.stop)) {
      // The engine answers at once during a search, not after it.
      this.#asked += 1;
      this.#answerReady();
      return;
    }
    if (word === 'stop') {
      this.#pending.forEach((entry) => entry.stop?.raise());
    } else if (word === 'quit') {
      // Tools finish first, and after `wait` the searches that can.
      const waits = this.#pending.some((entry) => entry.line === 'wait');
      this.#pending
        .filter((entry) => entry.isSearch && (!waits || isEndless(entry.line)))
        .forEach((entry) => entry.stop.raise());
    } else if (word === 'ponderhit') {
      this.#pending.forEach((entry) => entry.hit?.raise());
    }
    const long = LONG.exec(line)?.[1];
    const entry = { line, isSearch: long === 'go' };
    if (long) {
      entry.stop = new Signal();
      entry.hit = new Signal();
    }
    this.#pending.push(entry);
    const signals = entry.stop && { stop: entry.stop.forWorker, hit: entry.hit.forWorker };
    const message = { line, signals };
    if (this.#worker) {
      this.#worker.postMessage(message);
    } else {
      this.#early.push(message);
    }
  }

  #answerReady() {
    if (this.#pending.length > 0 && this.#pending[0].stop) {
      for (; this.#asked > 0; this.#asked -= 1) {
        queueMicrotask(() => this.#print('readyok'));
      }
    }
  }

  #receive(message) {
    if (this.#isClosed) {
      return;
    }
    if (typeof message === 'string') {
      this.#print(message);
      return;
    }
    if (message.error) {
      this.#fail(new Error(message.error));
      return;
    }
    const entry = this.#pending.shift();
    // Frees the URLs of blobs.
    entry.stop?.raise();
    entry.hit?.raise();
    if (message.isOver) {
      this.terminate();
      this.onclose?.();
      return;
    }
    if (!this.#pending.some((entry) => entry.stop)) {
      for (; this.#asked > 0; this.#asked -= 1) {
        this.#print('readyok');
      }
    }
    this.#answerReady();
  }

  #print(line) {
    if (!this.#isClosed) {
      this.onmessage?.(line);
    }
  }

  #fail(error) {
    this.terminate();
    if (this.onerror) {
      this.onerror(error);
    } else {
      console.error(error);
    }
  }

  /** Ends the engine at once. `quit` lets it finish first. */
  terminate() {
    this.#isClosed = true;
    this.#worker?.terminate();
    this.#pending.forEach((entry) => {
      entry.stop?.raise();
      entry.hit?.raise();
    });
    this.#pending = [];
  }
}
