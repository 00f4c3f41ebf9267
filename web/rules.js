// Rules of chess from tabia.wasm: an instance of its own, so that it answers during a search.

import { compiled, instantiate } from './module.js';

/**
 * @typedef {{ uci: string, san: string, from: string, to: string, promotion: string | null }}
 * LegalMove
 *   A castling king moves two squares, or onto its rook where Chess960 needs that.
 */

/**
 * @typedef {object} Position Last position of a game, with the moves before it.
 * @property {number} number Number of the first move.
 * @property {boolean} startsWhite Whether White makes the first move.
 * @property {string[]} fens All positions, one more than the moves.
 * @property {string[]} sans All moves.
 * @property {'w' | 'b'} turn
 * @property {string | null} check Square of the king in check.
 * @property {LegalMove[]} legal
 * @property {{ result: string, reason: string } | null} end
 * @property {{ eco: string, name: string } | null} opening The last one that the game passed.
 */

/**
 * @typedef {object} TreeMove
 * @property {number} parent Number of the move before, counted from 1 in the order of the list; 0
 *   for the start position. The first move with a parent belongs to the line, others begin
 *   variations.
 * @property {string} uci `0000` for a null move.
 * @property {string} san
 * @property {number[]} nags
 * @property {string[]} comments
 * @property {string[]} before Comments before the first move of a variation.
 */

/**
 * @typedef {object} GameTree A game with its variations.
 * @property {[string, string][]} tags
 * @property {string} fen Empty for the usual start.
 * @property {string} result
 * @property {string[]} comments Comments before the first move.
 * @property {TreeMove[]} moves
 */

/**
 * @typedef {{ cp: number } | { mate: number }} Score In hundredths of a pawn, or moves until mate.
 */

/**
 * @typedef {object} Found Best line of a position, from the point of view of the side to move.
 * @property {Score} score
 * @property {number[]} wdl Permille of wins, draws and losses.
 * @property {string[]} pv
 * @property {number} depth
 * @property {number} nodes
 */

/**
 * @typedef {object} Listed A game of a file; `error` alone if it cannot be read.
 * @property {string} white
 * @property {string} black
 * @property {string} event
 * @property {string} date
 * @property {string} result
 * @property {number} moves
 * @property {string} [error]
 */

/** Half of a surrogate pair, which no UTF-8 has. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** @param {string} _name @param {unknown} value */
function checked(_name, value) {
  if (typeof value === 'string' && LONE_SURROGATE.test(value)) {
    const at = value.search(LONE_SURROGATE) + 1;
    throw new Error(`the text is not Unicode: character ${at} is half of a surrogate pair`);
  }
  return value;
}

export class Rules {
  /** @type {Awaited<ReturnType<typeof instantiate>>} */
  #module;
  #answer = '';

  /** @param {Awaited<ReturnType<typeof instantiate>>} module */
  constructor(module) {
    this.#module = module;
    module.write = (line) => (this.#answer = line);
  }

  /**
   * Loads the module.
   * @param {string | URL} [wasm] By default beside this file.
   */
  static async load(wasm = new URL('./tabia.wasm', import.meta.url)) {
    return new this(await instantiate(await compiled(wasm)));
  }

  /** @param {object} question */
  #ask(question) {
    this.#module.call('ask', JSON.stringify(question, checked));
    const answer = JSON.parse(this.#answer);
    if (answer.error !== undefined) {
      throw new Error(answer.error);
    }
    return answer;
  }

  /**
   * Describes a game, given by a FEN (empty for the usual start) and moves in UCI notation.
   * @param {string} fen
   * @param {string[]} moves
   * @returns {Position}
   */
  game(fen, moves) {
    return this.#ask({ ask: 'game', fen, moves });
  }

  /**
   * Returns a line from the last position of a game, as `12. Nf3 Nc6`.
   * @param {string} fen
   * @param {string[]} moves
   * @param {string[]} line
   * @returns {string}
   */
  line(fen, moves, line) {
    return this.#ask({ ask: 'line', fen, moves, line }).san;
  }

  /**
   * Returns the PGN of a game without variations.
   * @param {string} fen
   * @param {string[]} moves
   * @param {[string, string][]} tags
   * @returns {string}
   */
  writePgn(fen, moves, tags) {
    return this.#ask({ ask: 'writePgn', fen, moves, tags }).pgn;
  }

  /**
   * Returns the PGN of a game with its variations.
   * @param {GameTree} tree
   * @returns {string}
   */
  writeTree(tree) {
    return this.#ask({ ask: 'writeTree', tree }).pgn;
  }

  /**
   * Reads a game of a PGN, by its number from 1: `fen`, the `moves` of its main line, its `tags`,
   * of which `Result` is always there, and all of it as a `tree`.
   * @param {string} text
   * @param {number} [number]
   * @returns {{ fen: string, moves: string[], tags: [string, string][], tree: GameTree }}
   */
  readPgn(text, number = 1) {
    return this.#ask({ ask: 'readPgn', text, number });
  }

  /**
   * Lists the games of a PGN.
   * @param {string} text
   * @returns {Listed[]}
   */
  listGames(text) {
    return this.#ask({ ask: 'listGames', text }).games;
  }

  /**
   * Judges the moves of a game's main line, given what an engine found in each position, null where
   * the game is over. Returns the record of `tabia analyse --json` and the annotated game.
   * @param {GameTree} tree
   * @param {(Found | null)[]} found
   * @returns {{ record: any, tree: GameTree }}
   */
  review(tree, found) {
    return this.#ask({ ask: 'review', tree, found });
  }

  /**
   * Returns the FEN of a Chess960 start position, by its number from 0 to 959.
   * @param {number} number
   * @returns {string}
   */
  chess960(number) {
    return this.#ask({ ask: 'chess960', number }).fen;
  }

  /**
   * Returns the engine's version and the range of its levels.
   * @returns {{ version: string, minElo: number, maxElo: number }}
   */
  engine() {
    return this.#ask({ ask: 'engine' });
  }

  /**
   * Returns why the engine refuses a draw after the moves of a game, or null if it agrees.
   * @param {string} fen
   * @param {string[]} moves
   * @param {Score | null} score The engine's last one, from its own point of view.
   * @returns {string | null}
   */
  offerDraw(fen, moves, score) {
    return this.#ask({ ask: 'offerDraw', fen, moves, score }).refusal;
  }
}
