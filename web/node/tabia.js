// Tabia under node: the same as in browsers, in a thread of node.

import { Worker } from 'node:worker_threads';

import { Tabia as BrowserTabia } from '../tabia.js';

export class Tabia extends BrowserTabia {
  /**
   * @param {string | URL | undefined} wasm
   * @param {{ message(message: any): void, error(error: Error): void }} listener
   */
  connect(wasm, listener) {
    const workerData = String(wasm ?? new URL('../tabia.wasm', import.meta.url));
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData });
    worker.on('message', (message) => listener.message(message));
    worker.on('error', (error) => listener.error(error));
    return worker;
  }
}
