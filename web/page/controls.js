// What the user presses beside the board: steps through the game, play, analysis and review.

import {
  ask,
  attempt,
  giveHint,
  goTo,
  playMove,
  refuseMove,
  startReview,
  update,
} from './actions.js';
import { $, input, isPlain, select } from './dom.js';
import { keepSettings } from './new_game.js';
import { nextMistake } from './review.js';
import { board, say, show, showBoard } from './show.js';
import { engine, opponent, state } from './state.js';

/** @import { Game } from './game.js' */

/** Listens to the board and to the steps through the game. */
export function listenToBoard() {
  board.onmove = playMove;
  board.onrefused = refuseMove;
  $('first').onclick = () => goTo(state.game.root);
  $('back').onclick = () => goTo(state.game.shown.parent);
  $('forward').onclick = () => goTo(state.game.shown.children[0] ?? null);
  $('last').onclick = () => goTo(state.game.endOf(state.game.shown));
  $('flip').onclick = () => {
    state.isFlipped = !state.isFlipped;
    show(goTo);
  };
  document.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!isPlain(event) || target.closest('input, textarea, select, dialog, #board')) {
      return;
    }
    const key = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'first', End: 'last' }[event.key];
    if (key) {
      $(key).click();
      event.preventDefault();
    }
  });
}

/** Listens to what belongs to a game against the engine. */
export function listenToPlay() {
  $('take-back').onclick = () =>
    attempt(() => {
      const { game } = state;
      if (game.play) {
        state.isAnalysing = false;
        opponent.takeBack(game, game.play);
      }
    });
  $('hint').onclick = giveHint;
  $('draw').onclick = () => {
    const { game } = state;
    const refusal = game.play && opponent.offerDraw(game, game.play);
    update();
    if (refusal) {
      say(refusal);
    }
  };
  $('resign').onclick = async () => {
    const { game } = state;
    if (game.play && (await ask('Resign this game?', 'Resign')) && game.isLive) {
      state.isAnalysing = false;
      opponent.resign(game, game.play);
      game.shown = game.head;
      update();
    }
  };
  $('move-now').onclick = () => engine.stop();
}

/** Listens to analysis, review, and changes of the moves. */
export function listenToAnalysis() {
  $('analyse').onclick = () => {
    const { game } = state;
    state.isAnalysing = !state.isAnalysing;
    if (!state.isAnalysing && game.isLive) {
      game.shown = game.head;
    }
    state.notice = null;
    update();
  };
  select('lines').onchange = () => {
    state.analysed = null;
    keepSettings();
    update();
  };
  input('arrows').onchange = () => {
    keepSettings();
    showBoard();
  };
  $('start-review').onclick = () => {
    if (state.isReviewing) {
      engine.cancel();
    } else {
      startReview();
    }
  };
  $('next-mistake').onclick = () => goTo(nextMistake(state.game));
  $('delete').onclick = async () => {
    const { game } = state;
    const { shown } = game;
    const isLong = shown.children.length > 0;
    if (!isLong || (await ask(`Delete ${shown.san} and all moves after it?`, 'Delete'))) {
      attempt(() => game.remove(shown));
    }
  };
  $('promote').onclick = () => attempt(() => state.game.promote(state.game.shown));
}
