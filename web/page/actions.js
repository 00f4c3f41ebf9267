// What the user does with the game on the board.

import { $, dialog } from './dom.js';
import { say, show, showBoard } from './show.js';
import {
  engine,
  isOverHere,
  isPlaying,
  library,
  lookAtBoard,
  now,
  opponent,
  state,
} from './state.js';
import { rest, runReview, think } from './think.js';

/** @import { LegalMove } from '../rules.js' */
/** @import { Game, GameNode } from './game.js' */

/** Takes over the state of the game: shows and keeps it, and starts its search. */
export function update() {
  lookAtBoard();
  think();
  show(goTo);
  library.save(state.game);
}

/**
 * Runs a change of the game that may be impossible, and shows the reason.
 * @param {() => void} change
 */
export function attempt(change) {
  state.notice = null;
  try {
    change();
    update();
  } catch (error) {
    say(/** @type {Error} */ (error).message, true);
  }
}

/** Keeps the game, if it has moves, and shows another one. @param {Game} other */
export function open(other) {
  const { game } = state;
  if (game.root.children.length === 0) {
    library.remove(game.id);
  } else if (other !== game) {
    library.save(game);
  }
  if (state.isReviewing) {
    engine.cancel();
    state.isReviewing = false;
  }
  rest();
  state.notice = null;
  state.hint = null;
  state.game = other;
  state.isFlipped = other.play?.user === 'b';
  update();
}

/** Shows a position of the game. @param {GameNode | null} node */
export function goTo(node) {
  if (node && node !== state.game.shown) {
    state.notice = null;
    state.game.shown = node;
    update();
  }
}

/** Plays a move of the user. @param {LegalMove} move */
export function playMove(move) {
  const { game } = state;
  state.notice = null;
  if (game.play && isPlaying()) {
    opponent.move(game, game.play, move);
  } else {
    game.shown = game.add(game.shown, move.uci, move.san);
  }
  update();
}

/** Says why the board takes no move; shows the game's position if it is another one. */
export function refuseMove() {
  const { game } = state;
  if (state.isReviewing) {
    say('The review is running.');
  } else if (isPlaying() && game.shown !== game.head) {
    goTo(game.head);
    say('That was an earlier position. This is the game: move here.');
  } else if (isOverHere() && !now.end) {
    say(`${game.play?.reason}. To play on, press New game and choose this position.`);
  }
}

/** Shows a good move for the user. */
export async function giveHint() {
  const { game } = state;
  const node = game.head;
  goTo(node);
  say('Thinking of a hint …');
  const move = await opponent.hint(game);
  if (move && state.game.head === node) {
    state.hint = { node, uci: move.uci };
    say(`Hint: ${move.san}`);
    showBoard();
  }
}

/** Reviews the game. */
export async function startReview() {
  const { game } = state;
  state.notice = null;
  state.isAnalysing = false;
  rest();
  state.isReviewing = true;
  show(goTo);
  let isDone = false;
  try {
    isDone = await runReview();
  } catch (error) {
    say(/** @type {Error} */ (error).message, true);
  }
  // Meanwhile another game may have been opened.
  if (game === state.game) {
    state.isReviewing = false;
    update();
  }
  if (isDone) {
    $('review').scrollIntoView({ block: 'nearest' });
  }
}

/**
 * Asks a question with two answers.
 * @param {string} text
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export function ask(text, yes) {
  const asked = dialog('ask-dialog');
  $('ask-text').textContent = text;
  $('ask-yes').textContent = yes;
  asked.returnValue = 'no';
  asked.showModal();
  return new Promise((resolve) => {
    asked.onclose = () => resolve(asked.returnValue === 'yes');
  });
}
