// Instances of tabia.wasm, with text in and out.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Loads and compiles a module.
 * @param {string | URL} url
 */
export async function compiled(url) {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`cannot load ${url}: ${response.status}`);
  }
  // compileStreaming needs the type application/wasm, which not every server sends.
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Returns an instance. It gives each line of output to `write`, and asks `signal` what came during
 * a
 * search: 1 for stop, 2 for ponderhit, else 0.
 * @param {WebAssembly.Module} module
 */
export async function instantiate(module) {
  /** @param {number} at @param {number} length */
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at >>> 0, length);
  const instance = {
    write: (/** @type {string} */ _line) => {},
    signal: () => 0,
    /** @param {'execute' | 'ask'} name @param {string} text @returns {number} */
    call(name, text) {
      const encoded = encoder.encode(text);
      bytes(exports.input(encoded.length), encoded.length).set(encoded);
      return exports[name]();
    },
  };
  const host = {
    now: () => performance.timeOrigin + performance.now(),
    write: (/** @type {number} */ at, /** @type {number} */ length) =>
      instance.write(decoder.decode(bytes(at, length))),
    signal: () => instance.signal(),
  };
  /** @type {any} */
  const { exports } = await WebAssembly.instantiate(module, { host });
  return instance;
}
