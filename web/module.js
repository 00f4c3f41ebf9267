// Loads tabia.wasm and copies text in and out.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function compiled(url) {
  if (String(url).startsWith('file:')) {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(new URL(url)));
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`cannot load ${url}: ${response.status}`);
  }
  // compileStreaming needs the type application/wasm, which not every server sends.
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Returns the exports of an instance, with `call(name, text)`. The instance writes its lines to
 * `write` and asks `signal` what came during a search: 1 for stop, 2 for ponderhit, else 0.
 */
export async function instantiate(url, write, signal = () => 0) {
  const module = await compiled(url);
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at >>> 0, length);
  const host = {
    now: () => performance.timeOrigin + performance.now(),
    write: (at, length) => write(decoder.decode(bytes(at, length))),
    signal,
  };
  const { exports } = await WebAssembly.instantiate(module, { host });
  return {
    call(name, text) {
      const encoded = encoder.encode(text);
      bytes(exports.input(encoded.length), encoded.length).set(encoded);
      return exports[name]();
    },
  };
}
