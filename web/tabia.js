// Tabia in the browser: a UCI engine in a worker. node/tabia.js is the same under node.
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

/** In browsers only isolated pages have shared memory; node knows no isolation. */
const hasSharedMemory =
  typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;

/** One bit from here to the worker, raised at most once. */
class Signal {
  constructor() {
    this.forWorker = hasSharedMemory
      ? new Int32Array(new SharedArrayBuffer(4))
      : URL.createObjectURL(new Blob([]));
  }

  raise() {
    if (typeof this.forWorker === 'string') {
      URL.revokeObjectURL(this.forWorker);
    } else {
      Atomics.store(this.forWorker, 0, 1);
    }
  }
}

/** Words of lines during which the worker takes no messages: searches and tools. */
const LONG = /(?:^|\s)(go|bench|perft|genfens)(?:\s|$)/;
const LIMIT = /\s(depth|nodes|mate|movetime|[wb]time|[wb]inc|perft)(\s|$)/;

/**
 * Returns whether only `stop` or `ponderhit` ends the search of this line.
 * @param {string} line
 */
function isEndless(line) {
  return /\s(infinite|ponder)(\s|$)/.test(line) || !LIMIT.test(line);
}

/**
 * @typedef {object} Entry A line that the worker has not finished.
 * @property {string} line
 * @property {boolean} isSearch
 * @property {Signal} [stop] Only lines with signals keep the worker busy.
 * @property {Signal} [hit]
 */

/** @typedef {{ postMessage(message: any): void, terminate(): void }} Port */

export class Tabia {
  /** @type {((line: string) => void) | null} Called with each line of output. */
  onmessage = null;
  /**
   * @type {((error: Error) => void) | null} Called if the worker fails; the engine is then useless.
   */
  onerror = null;
  /** @type {(() => void) | null} Called when the engine has ended after `quit`. */
  onclose = null;
  /** Most threads that a search may have. */
  threads = 1;

  /** @type {Port | null} */
  #worker = null;
  #isClosed = false;
  /** @type {Entry[]} Oldest first. */
  #pending = [];
  /** Number of `isready` to answer when a search or tool runs. */
  #asked = 0;

  /**
   * Starts the engine.
   * @param {{ wasm?: string | URL }} [options] `wasm` is the URL of tabia.wasm, in a page also
   *   relative to it; by default beside this file.
   */
  constructor({ wasm } = {}) {
    const listener = {
      message: (/** @type {any} */ message) => this.#receive(message),
      error: (/** @type {Error} */ error) => this.#fail(error),
    };
    try {
      this.#worker = this.connect(wasm, listener);
    } catch (error) {
      // The caller has yet to set `onerror`.
      queueMicrotask(() => this.#fail(/** @type {Error} */ (error)));
    }
  }

  /**
   * Starts the worker.
   * @protected
   * @param {string | URL | undefined} wasm
   * @param {{ message(message: any): void, error(error: Error): void }} listener
   * @returns {Port}
   */
  connect(wasm, listener) {
    // Bundlers look for these words.
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => listener.message(data);
    // The event has no message when the file is missing or the browser is too old.
    const message = 'the worker could not be loaded';
    worker.onerror = (event) => listener.error(new Error(event.message || message));
    // A request resolves a URL as `fetch` does on the page; the base of the worker is its file.
    const { url } = new Request(wasm ?? new URL('./tabia.wasm', import.meta.url));
    worker.postMessage({ wasm: url });
    return worker;
  }

  /**
   * Sends a line, or several, to the engine.
   * @param {string} text
   */
  postMessage(text) {
    for (const line of String(text).split('\n')) {
      this.#send(line.trim());
    }
  }

  /** @param {string} line */
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
        .forEach((entry) => entry.stop?.raise());
    } else if (word === 'ponderhit') {
      this.#pending.forEach((entry) => entry.hit?.raise());
    }
    const long = LONG.exec(line)?.[1];
    /** @type {Entry} */
    const entry = { line, isSearch: long === 'go' };
    if (!long) {
      this.#pending.push(entry);
      this.#worker?.postMessage({ line });
      return;
    }
    const [stop, hit] = [new Signal(), new Signal()];
    this.#pending.push({ ...entry, stop, hit });
    this.#worker?.postMessage({ line, signals: { stop: stop.forWorker, hit: hit.forWorker } });
  }

  #answerReady() {
    if (this.#pending.length > 0 && this.#pending[0].stop) {
      for (; this.#asked > 0; this.#asked -= 1) {
        queueMicrotask(() => this.#print('readyok'));
      }
    }
  }

  /** @param {string | { isOver: boolean } | { error: string }} message */
  #receive(message) {
    if (this.#isClosed) {
      return;
    }
    if (typeof message === 'string') {
      this.#print(message);
      return;
    }
    if ('error' in message) {
      this.#fail(new Error(message.error));
      return;
    }
    const entry = this.#pending.shift();
    // Frees the URLs of blobs.
    entry?.stop?.raise();
    entry?.hit?.raise();
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

  /** @param {string} line */
  #print(line) {
    if (!this.#isClosed) {
      this.onmessage?.(line);
    }
  }

  /** @param {Error} error */
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
