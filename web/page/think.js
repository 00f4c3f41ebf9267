// What the engine does: analyses, plays, reviews a game, or nothing.

import { $, select } from './dom.js';
import { analysisOptions } from './engine.js';
import { review } from './review.js';
import { evaluationOf } from './score.js';
import { showAnalysis, showBoard } from './show.js';
import { engine, now, opponent, positionOf, rules, state } from './state.js';

let drawsSoon = false;

/** Lets the engine do what the game needs. */
export function think() {
  const { game } = state;
  const { play } = game;
  if (state.isReviewing) {
    return;
  }
  if (state.isAnalysing) {
    opponent.pause();
    analyse();
  } else if (play && game.isLive) {
    endAnalysis();
    opponent.go(game, play);
  } else {
    rest();
  }
}

/** Stops the engine and the clocks. */
export function rest() {
  opponent.pause();
  endAnalysis();
}

function endAnalysis() {
  if (state.analysed) {
    state.analysed = null;
    engine.cancel();
  }
  state.lines = [];
}

async function analyse() {
  const node = state.game.shown;
  if (now.end) {
    endAnalysis();
    return;
  }
  if (state.analysed === node) {
    return;
  }
  state.analysed = node;
  state.lines = [];
  const count = Number(select('lines').value);
  const { turn } = now;
  const request = { ...positionOf(node), options: analysisOptions(count), go: 'infinite' };
  await engine.search(request, (found) => {
    if (state.analysed === node) {
      state.lines = found;
      node.evaluation = evaluationOf(found[0], turn);
      drawSoon();
    }
  });
  if (state.analysed === node) {
    state.analysed = null;
  }
}

function drawSoon() {
  if (!drawsSoon) {
    drawsSoon = true;
    requestAnimationFrame(() => {
      drawsSoon = false;
      showAnalysis();
      showBoard();
    });
  }
}

/** Reviews the game on the board. Returns whether it came to its end. */
export function runReview() {
  return review(state.game, rules, engine, (done, all) => {
    Object.assign($('progress-bar'), { max: all, value: done });
    $('progress-text').textContent = `${done} of ${all} positions`;
  });
}
