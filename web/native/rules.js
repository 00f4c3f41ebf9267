// The rules of `tabia web`, which serves this module in the place of rules.js: those of the
// program.

// @ts-expect-error The server has the rules of browsers there.
import { Rules as Found } from './web/rules.js';

const BrowserRules = /** @type {typeof import('../rules.js').Rules} */ (Found);

export class Rules extends BrowserRules {
  static async load() {
    const program = {
      write: (/** @type {string} */ _line) => {},
      signal: () => 0,
      /** @param {string} name @param {string} text */
      call(name, text) {
        // The page draws what it has asked for, so it waits: for a millisecond, on this machine.
        const request = new XMLHttpRequest();
        request.open('POST', `/${name}`, false);
        request.setRequestHeader('X-Token', location.hash.slice(1));
        request.send(text);
        if (request.status !== 200) {
          throw new Error(`the program refuses: ${request.responseText.trim()}`);
        }
        program.write(request.responseText);
        return 0;
      },
    };
    return new this(program);
  }
}
