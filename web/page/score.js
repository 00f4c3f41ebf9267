// Scores as the page shows them, and the bar of the chances.

import { $ } from './dom.js';

/** @import { Score } from '../rules.js' */
/** @import { Evaluation, Side } from './game.js' */
/** @import { Line } from './engine.js' */

/**
 * Returns a line of the engine as an evaluation from White's view.
 * @param {Line} line
 * @param {Side} turn
 * @returns {Evaluation}
 */
export function evaluationOf({ score, wdl, depth, pv }, turn) {
  if (turn === 'w') {
    return { score, wdl, depth, pv };
  }
  const turned = 'mate' in score ? { mate: -score.mate } : { cp: -score.cp };
  return { score: turned, wdl: [...wdl].reverse(), depth, pv };
}

/** Returns a score as `+0.31` or `#−3`. @param {Score} score */
export function scoreText(score) {
  if ('mate' in score) {
    return score.mate < 0 ? `#−${-score.mate}` : `#${score.mate}`;
  }
  return `${score.cp < 0 ? '−' : '+'}${(Math.abs(score.cp) / 100).toFixed(2)}`;
}

/** Permille of White's wins, draws and losses of a result. @type {Record<string, number[]>} */
const CERTAIN = { '1-0': [1000, 0, 0], '1/2-1/2': [0, 1000, 0], '0-1': [0, 0, 1000] };

/**
 * Shows the chances in the position on the board: those of the result if the game is over there,
 * else those of its evaluation; none without one.
 * @param {string | null} result
 * @param {Evaluation | null} evaluation
 * @param {boolean} isFlipped
 */
export function showBar(result, evaluation, isFlipped) {
  const wdl = result ? CERTAIN[result] : evaluation?.wdl;
  const bar = $('bar');
  bar.classList.toggle('unknown', !wdl);
  bar.classList.toggle('flipped', isFlipped);
  const [win, draw, loss] = (wdl ?? [0, 0, 0]).map((permille) => permille / 10);
  $('bar-white').style.height = `${win}%`;
  $('bar-draw').style.height = `${draw}%`;
  const label = wdl ? `White wins ${win} %, draw ${draw} %, Black wins ${loss} %` : 'No evaluation';
  bar.setAttribute('aria-label', label);
  bar.title = label;
}
