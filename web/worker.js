// Worker of tabia.js: executes lines by tabia.wasm and posts its output, one line a message, then
// an object when the line is done.

import { compiled, instantiate } from './module.js';

/** Milliseconds between two checks of the signals, and at least this many times their cost. */
const INTERVAL = 10;
const RARITY = 50;

const BLOCKED =
  'the Content-Security-Policy of the page blocks blob: URLs, by which `stop` reaches a ' +
  'search: add blob: to its connect-src, or isolate the page from other origins';

/** @typedef {Int32Array | string} Signal Shared memory or the URL of a blob. */
/**
 * @typedef {{ postMessage(message: string | { isOver: boolean } | { error: string }): void }} Port
 */

/**
 * Returns whether a URL can be loaded.
 * @param {string} url
 */
function canLoad(url) {
  try {
    const request = new XMLHttpRequest();
    request.open('GET', url, false);
    request.send();
    return true;
  } catch {
    return false;
  }
}

/** Returns whether this worker can load blobs, so that one that it cannot load has been revoked. */
function canLoadBlobs() {
  const url = URL.createObjectURL(new Blob([]));
  const can = canLoad(url);
  URL.revokeObjectURL(url);
  return can;
}

/** @param {Signal} signal */
function isRaised(signal) {
  return typeof signal === 'string' ? !canLoad(signal) : Atomics.load(signal, 0) !== 0;
}

/**
 * Answers messages by `port`: returns the function that takes them.
 * @param {Port} port
 * @param {Promise<WebAssembly.Module>} loading
 */
export function serve(port, loading) {
  /** @type {{ stop: Signal, hit: Signal | null } | null} Those of the running search. */
  let signals = null;
  let nextLook = 0;

  function signal() {
    const now = performance.now();
    if (signals === null || now < nextLook) {
      return 0;
    }
    const { stop, hit } = signals;
    let found = 0;
    if (isRaised(stop)) {
      found = 1;
      signals = null;
    } else if (hit !== null && isRaised(hit)) {
      found = 2;
      signals = { stop, hit: null };
    }
    const end = performance.now();
    nextLook = end + Math.max(INTERVAL, RARITY * (end - now));
    return found;
  }

  const engine = loading.then(instantiate).then((engine) => {
    engine.write = (line) => port.postMessage(line);
    engine.signal = signal;
    return engine;
  });
  engine.catch((error) => port.postMessage({ error: error.message }));

  /** @param {{ line: string, signals?: { stop: Signal, hit: Signal | null } }} message */
  return ({ line, signals: ofLine }) =>
    engine.then(
      (engine) => {
        if (ofLine) {
          const ponders = /\sponder(\s|$)/.test(line);
          signals = ponders ? ofLine : { stop: ofLine.stop, hit: null };
          nextLook = 0;
        }
        try {
          port.postMessage({ isOver: engine.call('execute', line) === 0 });
        } catch (error) {
          port.postMessage({ error: `the engine failed: ${/** @type {Error} */ (error).message}` });
        }
      },
      () => {},
    );
}

// Node has no such scope; its worker is in node/worker.js.
if ('WorkerGlobalScope' in globalThis) {
  /** @type {ReturnType<typeof serve> | null} */
  let execute = null;
  globalThis.onmessage = ({ data }) => {
    if (data.wasm === undefined) {
      execute?.(data);
    } else if (globalThis.crossOriginIsolated || canLoadBlobs()) {
      execute = serve(globalThis, compiled(data.wasm));
    } else {
      globalThis.postMessage({ error: BLOCKED });
    }
  };
}
