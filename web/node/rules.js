// Rules of chess under node.

import { instantiate } from '../module.js';
import { Rules as BrowserRules } from '../rules.js';
import { compiled } from './compiled.js';

export class Rules extends BrowserRules {
  /** @param {string | URL} [wasm] By default in the package. */
  static async load(wasm = new URL('../tabia.wasm', import.meta.url)) {
    return new this(await instantiate(await compiled(wasm)));
  }
}
