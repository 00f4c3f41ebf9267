// State of the page, and what follows from it. Changes nothing on the screen.

import { Engine, searchPosition } from './engine.js';
import { Library } from './files.js';
import { Game } from './game.js';
import { Opponent } from './play.js';
import { Rules } from '../rules.js';

/** @import { LegalMove, Position } from '../rules.js' */
/** @import { Line } from './engine.js' */
/** @import { GameNode } from './game.js' */

export const engine = new Engine();
export const library = new Library();
/** @type {Rules} */
export let rules;
/** @type {Opponent} */
export let opponent;
/** @type {Position} The position on the board. */
export let now;

export const state = {
  game: new Game(),
  isAnalysing: false,
  isReviewing: false,
  isFlipped: false,
  /** Position that the engine analyses. @type {GameNode | null} */
  analysed: null,
  /** Lines of the analysis. @type {Line[]} */
  lines: [],
  /** Word to the user until the position changes. @type {{ text: string, isError: boolean } | null} */
  notice: null,
  /** @type {{ node: GameNode, uci: string } | null} */
  hint: null,
  /** Message that the engine has failed, or null. @type {string | null} */
  fault: null,
};

/** Loads the rules. */
export async function load() {
  rules = await Rules.load();
  opponent = new Opponent(rules, engine);
}

/** Asks the rules for the position on the board. */
export function lookAtBoard() {
  const { game } = state;
  now = rules.game(
    game.fen,
    game.path().map(({ uci }) => uci),
  );
  if (state.hint && state.hint.node !== game.shown) {
    state.hint = null;
  }
}

/** Whether moves on the board are those of the game against the engine. */
export function isPlaying() {
  return state.game.isLive && !state.isAnalysing;
}

/** Whether the game against the engine has ended in the position on the board. */
export function isOverHere() {
  const { game } = state;
  return game.play?.isOver === true && game.shown === game.head;
}

/** Returns the moves that the board takes. @returns {LegalMove[]} */
export function legalMoves() {
  const { game } = state;
  if (now.end || state.isReviewing || isOverHere()) {
    return [];
  }
  if (isPlaying()) {
    return game.shown === game.head && now.turn === game.play?.user ? now.legal : [];
  }
  return now.legal;
}

/** Returns a position for the engine. @param {GameNode} node */
export function positionOf(node) {
  const { game } = state;
  return searchPosition(
    rules,
    game.fen,
    game.path(node).map(({ uci }) => uci),
  );
}
