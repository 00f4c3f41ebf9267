// The engine of `tabia web`, which serves this module in the place of tabia.js: the native program
// behind a WebSocket.

export class Tabia {
  /** @type {((line: string) => void) | null} Called with each line of output. */
  onmessage = null;
  /** @type {((error: Error) => void) | null} Called when the connection ends. */
  onerror = null;
  /** Most threads that a search may have. */
  threads = navigator.hardwareConcurrency ?? 1;
  #socket = new WebSocket(`ws://${location.host}/engine?token=${location.hash.slice(1)}`);
  /** @type {string[]} Lines from before the connection. */
  #early = [];

  constructor() {
    this.#socket.onopen = () => this.#early.splice(0).forEach((line) => this.#socket.send(line));
    this.#socket.onmessage = ({ data }) => this.onmessage?.(data);
    this.#socket.onclose = ({ reason }) =>
      this.onerror?.(new Error(reason || 'there is no connection to the program'));
  }

  /**
   * Sends a line to the engine.
   * @param {string} line
   */
  postMessage(line) {
    if (this.#socket.readyState === WebSocket.CONNECTING) {
      this.#early.push(line);
    } else {
      this.#socket.send(line);
    }
  }
}
