// Searches of the engine, one at a time: a new one ends the one before.

import { Tabia } from '../tabia.js';

/** @import { Found, Rules } from '../rules.js' */

/**
 * @typedef {Found & { seldepth: number, nps: number }} Line Best line of a search, as `info` has
 * it:
 *   from the point of view of the side to move.
 */

/**
 * @typedef {object} Request
 * @property {string} fen Start position, empty for the usual one.
 * @property {string[]} moves
 * @property {Record<string, string | number | boolean>} options UCI options for the search.
 * @property {string} go Arguments of `go`.
 * @property {boolean} [isNewGame] Whether nothing is left from searches before.
 */

/** @typedef {{ best: string | null, lines: Line[] }} Result */

/**
 * @typedef {object} Search
 * @property {Request} request
 * @property {Line[]} lines
 * @property {(lines: Line[]) => void} onlines
 * @property {(result: Result | null) => void} resolve
 * @property {boolean} isOld Whether another search waits for the end of this one.
 */

export class Engine {
  /** @type {(message: string) => void} Called when the engine has failed, for good or not. */
  onfault = () => {};
  isDead = false;
  #tabia = new Tabia();
  /** @type {Search | null} */
  #running = null;
  /** @type {Search | null} */
  #next = null;
  #options = new Map();

  constructor() {
    this.#tabia.onmessage = (line) => this.#receive(line);
    this.#tabia.onerror = (error) => {
      this.isDead = true;
      [this.#running, this.#next].forEach((search) => search?.resolve(null));
      this.#running = null;
      this.#next = null;
      this.onfault(error.message);
    };
    this.#send('uci', 'setoption name UCI_ShowWDL value true');
  }

  /** @param {string[]} lines */
  #send(...lines) {
    lines.forEach((line) => this.#tabia.postMessage(line));
  }

  /**
   * Searches a position. The result is null if another search took its place, or the engine failed.
   * @param {Request} request
   * @param {(lines: Line[]) => void} [onlines] Called with the lines found so far, best first.
   * @returns {Promise<Result | null>}
   */
  search(request, onlines = () => {}) {
    return new Promise((resolve) => {
      if (this.isDead) {
        resolve(null);
        return;
      }
      const search = { request, lines: [], onlines, resolve, isOld: false };
      this.#next?.resolve(null);
      if (this.#running === null) {
        this.#start(search);
      } else {
        this.#next = search;
        this.#running.isOld = true;
        this.#send('stop');
      }
    });
  }

  /** Ends the search with what it has found. */
  stop() {
    if (this.#running) {
      this.#send('stop');
    }
  }

  /** Ends the search without a result. */
  cancel() {
    this.#next?.resolve(null);
    this.#next = null;
    if (this.#running) {
      this.#running.isOld = true;
      this.#send('stop');
    }
  }

  /** @param {Search} search */
  #start(search) {
    this.#running = search;
    const { fen, moves, options, go, isNewGame } = search.request;
    if (isNewGame) {
      this.#send('ucinewgame');
    }
    for (const [name, value] of Object.entries({ Threads: this.#tabia.threads, ...options })) {
      if (this.#options.get(name) !== value) {
        this.#options.set(name, value);
        this.#send(`setoption name ${name} value ${value}`);
      }
    }
    const start = fen === '' ? 'startpos' : `fen ${fen}`;
    const played = moves.length === 0 ? '' : ` moves ${moves.join(' ')}`;
    this.#send(`position ${start}${played}`, `go ${go}`);
  }

  /** @param {string} line */
  #receive(line) {
    const words = line.split(' ');
    if (words[0] === 'info' && words[1] === 'string') {
      if (words[2] === 'error:') {
        this.onfault(words.slice(3).join(' '));
      }
    } else if (words[0] === 'info' && this.#running && !this.#running.isOld) {
      const found = lineOf(words);
      if (found) {
        this.#running.lines[found.rank] = found.line;
        this.#running.onlines(this.#running.lines.filter(Boolean));
      }
    } else if (words[0] === 'bestmove') {
      this.#end(words[1]);
    }
  }

  /** @param {string} best */
  #end(best) {
    const ended = this.#running;
    const next = this.#next;
    this.#running = null;
    this.#next = null;
    if (ended) {
      const lines = ended.lines.filter(Boolean);
      ended.resolve(ended.isOld ? null : { best: best === '(none)' ? null : best, lines });
    }
    if (next) {
      this.#start(next);
    }
  }
}

/**
 * Returns the position after some moves for a search. The engine takes no null moves, so what comes
 * before one is left out.
 * @param {Rules} rules
 * @param {string} fen
 * @param {string[]} moves
 */
export function searchPosition(rules, fen, moves) {
  const start = moves.lastIndexOf('0000') + 1;
  return start === 0
    ? { fen, moves }
    : { fen: rules.game(fen, moves).fens[start], moves: moves.slice(start) };
}

/**
 * Returns the options of a search for a move of the engine.
 * @param {number | null} level
 * @returns {Request['options']}
 */
export function playOptions(level) {
  const options = { MultiPV: 1, UCI_AnalyseMode: false, UCI_LimitStrength: level !== null };
  return level === null ? options : { ...options, UCI_Elo: level };
}

/**
 * Returns the options of a search for so many best lines.
 * @param {number} lines
 * @returns {Request['options']}
 */
export function analysisOptions(lines) {
  return { MultiPV: lines, UCI_AnalyseMode: true, UCI_LimitStrength: false };
}

/**
 * Returns what a line of `info` says, and its rank from 0; null if it has no exact line.
 * @param {string[]} words
 */
function lineOf(words) {
  if (!words.includes('pv') || words.includes('lowerbound') || words.includes('upperbound')) {
    return null;
  }
  /** @param {string} name */
  const number = (name, offset = 1) => Number(words[words.indexOf(name) + offset]);
  const kind = words[words.indexOf('score') + 1];
  const value = number('score', 2);
  /** @type {Line} */
  const line = {
    depth: number('depth'),
    seldepth: number('seldepth'),
    nodes: number('nodes'),
    nps: number('nps'),
    score: kind === 'mate' ? { mate: value } : { cp: value },
    wdl: [1, 2, 3].map((offset) => number('wdl', offset)),
    pv: words.slice(words.indexOf('pv') + 1),
  };
  return { rank: number('multipv') - 1, line };
}
