// Worker of tabia.js: executes lines by tabia.wasm and posts its output, one line a message, then
// an object when the line is done.

import { instantiate } from './module.js';

/** Milliseconds between two checks of the signals, and at least this many times their cost. */
const INTERVAL = 10;
const RARITY = 50;

const isNode = typeof process === 'object' && Boolean(process.versions?.node);
const { parentPort, workerData } = isNode ? await import('node:worker_threads') : {};
const port = parentPort ?? globalThis;

/** Signals of the running search: an Int32Array or the URL of a blob each. */
let signals = null;
let nextLook = 0;

function isRaised(signal) {
  if (typeof signal !== 'string') {
    return Atomics.load(signal, 0) !== 0;
  }
  try {
    const request = new XMLHttpRequest();
    request.open('GET', signal, false);
    request.send();
    return false;
  } catch {
    return true;
  }
}

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

let engine = null;

/** Lines are executed in the order of their messages, the first ones after the module is loaded. */
let queue = Promise.resolve();

function execute({ line, signals: ofLine }) {
  if (ofLine) {
    signals = ofLine.hit !== null && !/\sponder(\s|$)/.test(line) ? { ...ofLine, hit: null } : ofLine;
    nextLook = 0;
  }
  try {
    const isOpen = engine.call('execute', line) !== 0;
    port.postMessage({ isOver: !isOpen });
  } catch (error) {
    port.postMessage({ error: `the engine failed: ${error.message}` });
  }
}

async function load(wasm) {
  try {
    engine = await instantiate(wasm, (line) => port.postMessage(line), signal);
  } catch (error) {
    port.postMessage({ error: error.message });
  }
}

function receive(message) {
  queue = queue.then(() => {
    if (message.wasm) {
      return load(message.wasm);
    }
    return engine && execute(message);
  });
}

if (parentPort) {
  parentPort.on('message', receive);
  receive({ wasm: workerData });
} else {
  globalThis.onmessage = ({ data }) => receive(data);
}
