// Rules of chess from tabia.wasm: an instance of its own, so that it answers during a search.

import { instantiate } from './module.js';

export class Rules {
  #module;
  #answer = '';

  /** Loads the module; `wasm` is its URL, by default beside this file. */
  static async load(wasm = new URL('./tabia.wasm', import.meta.url)) {
    const rules = new Rules();
    rules.#module = await instantiate(wasm, (line) => (rules.#answer = line));
    return rules;
  }

  #ask(question) {
    this.#module.call('ask', JSON.stringify(question));
    const answer = JSON.parse(this.#answer);
    if (answer.error !== undefined) {
      throw new Error(answer.error);
    }
    return answer;
  }

  /**
   * Describes a game, given by a FEN (empty for the usual start) and moves in UCI notation: `fens`
   * and `sans` of all moves, and of the last position `turn`, `check`, `legal` and `end`.
   */
  game(fen, moves) {
    return this.#ask({ ask: 'game', fen, moves });
  }

  /** Returns a line from the last position of a game, as `12. Nf3 Nc6`. */
  line(fen, moves, line) {
    return this.#ask({ ask: 'line', fen, moves, line }).san;
  }

  /** Returns the PGN of a game; `tags` are pairs of name and value. */
  writePgn(fen, moves, tags) {
    return this.#ask({ ask: 'writePgn', fen, moves, tags }).pgn;
  }

  /**
   * Returns `fen`, `moves` and `tags` of the first game of a PGN. The tag `Result` is always there.
   */
  readPgn(text) {
    return this.#ask({ ask: 'readPgn', text });
  }
}
