// A game of the user against the engine: moves, clocks, draws, moves taken back, hints.

import { Clock } from './clock.js';
import { analysisOptions, playOptions } from './engine.js';

/** @import { LegalMove, Position, Rules } from '../rules.js' */
/** @import { Engine } from './engine.js' */
/** @import { Game, GameNode, Play, Side } from './game.js' */

const HINT = 'movetime 1000';

/**
 * @typedef {object} Settings Of a new game.
 * @property {Side} user
 * @property {number | null} level Rating; null for full strength.
 * @property {{ base: number, increment: number } | null} time In milliseconds.
 * @property {number} seconds The engine's time for a move without clocks.
 */

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === 'w' ? 'b' : 'w');

/**
 * Makes a game one of the user against the engine, from its end on.
 * @param {Game} game
 * @param {Settings} settings
 */
export function begin(game, { user, level, time, seconds }) {
  const base = time?.base ?? 0;
  game.play = {
    user,
    level,
    time,
    seconds,
    clocks: { w: base, b: base },
    score: null,
    isOver: false,
  };
  game.head = game.end;
  game.shown = game.end;
  const engine = level === null ? 'Tabia' : `Tabia (${level})`;
  const now = new Date();
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  game.tags = [
    ['Event', 'Game against Tabia'],
    ['Site', '?'],
    ['Date', date.join('.')],
    ['Round', '-'],
    ['White', user === 'w' ? 'You' : engine],
    ['Black', user === 'b' ? 'You' : engine],
    ['Result', '*'],
  ];
  if (time) {
    game.setTag('TimeControl', `${time.base / 1000}+${time.increment / 1000}`);
  }
}

export class Opponent {
  /** @type {() => void} Called when the game has changed: a move, an end, a clock. */
  onchange = () => {};
  clock = new Clock();
  #rules;
  #engine;
  /** Position of a game in which the engine is choosing its move. @type {GameNode | null} */
  #thinking = null;

  /** @param {Rules} rules @param {Engine} engine */
  constructor(rules, engine) {
    this.#rules = rules;
    this.#engine = engine;
  }

  /** Returns whether the engine is choosing a move in this game. @param {Game} game */
  isThinking(game) {
    return this.#thinking === game.head;
  }

  /**
   * Returns the last position of a game against the engine.
   * @param {Game} game
   * @returns {Position}
   */
  position(game) {
    return this.#rules.game(
      game.fen,
      game.path(game.head).map(({ uci }) => uci),
    );
  }

  /**
   * Lets the game go on: the clock of the side to move runs, and the engine thinks if it has the
   * move.
   * @param {Game} game
   * @param {Play} play
   */
  go(game, play) {
    const { turn, end } = this.position(game);
    if (end) {
      this.finish(game, play, end.result, end.reason);
      return;
    }
    this.clock.onflag = (side) => {
      const whose = side === play.user ? 'Your' : "Tabia's";
      this.finish(game, play, side === 'w' ? '0-1' : '1-0', `${whose} time is up`, 'time forfeit');
      this.onchange();
    };
    this.clock.run(play, turn);
    if (turn === play.user || this.#engine.isDead) {
      this.rest();
    } else if (!this.isThinking(game)) {
      this.#think(game, play, turn);
    }
  }

  /** Stops the clocks and the engine. */
  pause() {
    this.clock.pause();
    this.rest();
  }

  /** Ends the engine's search for a move. */
  rest() {
    if (this.#thinking) {
      this.#thinking = null;
      this.#engine.cancel();
    }
  }

  /** @param {Game} game @param {Play} play @param {Side} turn */
  async #think(game, play, turn) {
    const { head } = game;
    this.#thinking = head;
    const result = await this.#engine.search({
      fen: game.fen,
      moves: game.path(head).map(({ uci }) => uci),
      options: playOptions(play.level),
      go: this.#limits(play),
    });
    if (this.#thinking !== head) {
      return;
    }
    this.#thinking = null;
    const move = this.position(game).legal.find(({ uci }) => uci === result?.best);
    if (move) {
      play.score = result?.lines[0]?.score ?? null;
      this.#move(game, play, turn, move);
      this.onchange();
    }
  }

  /** @param {Play} play */
  #limits(play) {
    if (!play.time) {
      return `movetime ${Math.round(play.seconds * 1000)}`;
    }
    const [wtime, btime] = [this.clock.left(play, 'w'), this.clock.left(play, 'b')].map((left) =>
      Math.max(1, Math.round(left)),
    );
    const { increment } = play.time;
    return `wtime ${wtime} btime ${btime} winc ${increment} binc ${increment}`;
  }

  /** Plays the user's move. @param {Game} game @param {Play} play @param {LegalMove} move */
  move(game, play, move) {
    this.#move(game, play, play.user, move);
  }

  /** @param {Game} game @param {Play} play @param {Side} side @param {LegalMove} move */
  #move(game, play, side, { uci, san }) {
    this.clock.press(play, side);
    const isAtHead = game.shown === game.head;
    const added = game.advance(uci, san);
    if (isAtHead) {
      game.shown = added;
    }
  }

  /**
   * Ends a game. The reason is a comment of its last move.
   * @param {Game} game @param {Play} play @param {string} result @param {string} reason
   */
  finish(game, play, result, reason, termination = 'normal') {
    this.pause();
    play.isOver = true;
    play.reason = reason;
    game.setEnd(result, termination);
  }

  /**
   * Takes the user's last move back, and the engine's answer.
   * @param {Game} game
   * @param {Play} play
   */
  takeBack(game, play) {
    const plies = this.position(game).turn === play.user ? 2 : 1;
    this.pause();
    for (let ply = 0; ply < plies && game.head.parent; ply += 1) {
      const taken = game.head;
      game.head = /** @type {GameNode} */ (taken.parent);
      game.remove(taken);
    }
    game.shown = game.head;
    if (play.isOver) {
      play.isOver = false;
      game.setEnd('*');
      // A game that was lost on time goes on with full clocks.
      if (play.time && Math.min(play.clocks.w, play.clocks.b) <= 0) {
        play.clocks = { w: play.time.base, b: play.time.base };
      }
    }
  }

  /** @param {Game} game @param {Play} play */
  resign(game, play) {
    this.finish(game, play, play.user === 'w' ? '0-1' : '1-0', 'You resigned');
  }

  /**
   * Offers a draw: returns why the engine refuses, or null if it agrees.
   * @param {Game} game
   * @param {Play} play
   */
  offerDraw(game, play) {
    const moves = game.path(game.head).map(({ uci }) => uci);
    const refusal = this.#rules.offerDraw(game.fen, moves, play.score);
    if (refusal === null) {
      this.finish(game, play, '1/2-1/2', 'Draw agreed');
    }
    return refusal;
  }

  /** Returns a good move for the user, null if something else came between. @param {Game} game */
  async hint(game) {
    const { head } = game;
    const moves = game.path(head).map(({ uci }) => uci);
    const result = await this.#engine.search({
      fen: game.fen,
      moves,
      options: analysisOptions(1),
      go: HINT,
    });
    return game.head === head && result?.best
      ? (this.position(game).legal.find(({ uci }) => uci === result.best) ?? null)
      : null;
  }
}
