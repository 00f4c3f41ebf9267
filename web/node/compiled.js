// Loads tabia.wasm from a file or, as in browsers, from a server.

import { readFile } from 'node:fs/promises';

import { compiled as fetched } from '../module.js';

/** @param {string | URL} url */
export async function compiled(url) {
  const { href, protocol } = new URL(url);
  return protocol === 'file:' ? WebAssembly.compile(await readFile(new URL(href))) : fetched(href);
}
