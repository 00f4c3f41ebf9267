// Draws the state of the page.

import { Board } from './board.js';
import { showPlayers } from './clock.js';
import { $, button, input, make } from './dom.js';
import { showMoves } from './moves.js';
import { showReview } from './review.js';
import { evaluationOf, scoreText, showBar } from './score.js';
import {
  isOverHere,
  isPlaying,
  legalMoves,
  now,
  opponent,
  positionOf,
  rules,
  state,
} from './state.js';

/** @import { Arrow } from './board.js' */
/** @import { GameNode } from './game.js' */

export const board = new Board();

/** Draws everything. @param {(node: GameNode) => void} onselect Called with a position chosen. */
export function show(onselect) {
  const { game, isAnalysing, isReviewing, fault } = state;
  showBoard();
  showAnalysis();
  showStatus();
  showClocks();
  showMoves(game, now, onselect);
  showReview(game, onselect);
  const { opening } = now;
  $('opening').textContent = opening ? `${opening.eco} ${opening.name}` : '';
  const { play } = game;
  const isLive = game.isLive && !isReviewing;
  $('play-actions').hidden = play === null;
  button('take-back').disabled = isReviewing || game.head.parent === null;
  button('hint').disabled = !isPlaying();
  button('draw').disabled = !isLive || isAnalysing;
  button('resign').disabled = !isLive;
  $('hint').hidden = isPlaying() && opponent.isThinking(game);
  $('move-now').hidden = !$('hint').hidden;
  button('analyse').disabled = isReviewing || fault !== null;
  $('analyse').textContent = isAnalysing ? 'Stop analysis' : 'Analyse';
  $('analyse').classList.toggle('main', isAnalysing);
  button('start-review').disabled =
    game.isLive || game.root.children.length === 0 || fault !== null;
  $('start-review').textContent = isReviewing ? 'Stop review' : 'Review';
  $('start-review').classList.toggle('main', isReviewing);
  $('progress').hidden = !isReviewing;
  $('edit').hidden = isLive || isReviewing || game.shown.parent === null;
  $('promote').hidden = game.mainLine().includes(game.shown);
  button('first').disabled = button('back').disabled = game.shown.parent === null;
  button('last').disabled = button('forward').disabled = game.shown.children.length === 0;
  input('fen').value = now.fens[now.fens.length - 1];
  input('pgn').value = rules.writeTree(game.tree());
}

/** Draws the board with its arrows, and the bar beside it. */
export function showBoard() {
  const { shown } = state.game;
  const isHidden = isPlaying();
  board.show({
    fen: now.fens[now.fens.length - 1],
    turn: now.turn,
    legal: legalMoves(),
    last: shown.uci === '0000' ? '' : shown.uci,
    check: now.check,
    arrows: arrows(),
    isFlipped: state.isFlipped,
  });
  const result = now.end?.result ?? null;
  showBar(result, isHidden ? null : shown.evaluation, state.isFlipped);
}

/** @returns {Arrow[]} */
function arrows() {
  const { game, hint, analysed, lines } = state;
  if (hint) {
    return [{ uci: hint.uci, kind: 'hint' }];
  }
  if (!input('arrows').checked || isPlaying() || now.end) {
    return [];
  }
  if (analysed === game.shown && lines.length > 0) {
    return lines
      .slice(0, 3)
      .map(({ pv }, rank) => ({ uci: pv[0], kind: rank === 0 ? 'best' : 'other' }));
  }
  const best = game.shown.evaluation?.pv[0];
  return best ? [{ uci: best, kind: 'best' }] : [];
}

/** Draws the lines of the analysis. */
export function showAnalysis() {
  $('analysis').hidden = !state.isAnalysing;
  if (!state.isAnalysing) {
    return;
  }
  const { fen, moves } = positionOf(state.game.shown);
  const rows = state.lines.map((line) => {
    const { score, wdl } = evaluationOf(line, now.turn);
    const text = rules.line(fen, moves, line.pv);
    const chances = wdl.map((permille) => Math.round(permille / 10)).join('/');
    return make(
      'li',
      { title: text },
      make('b', {}, scoreText(score)),
      make('small', {}, chances),
      text,
    );
  });
  $('output').replaceChildren(...rows);
  const [first] = state.lines;
  $('numbers').textContent = first
    ? `depth ${first.depth}/${first.seldepth}, ${first.nodes.toLocaleString('en')} nodes, ` +
      `${first.nps.toLocaleString('en')} per second`
    : '';
}

/** Shows a word to the user until the position changes. @param {string} text */
export function say(text, isError = false) {
  state.notice = { text, isError };
  showStatus();
}

/** Shows the last word to the user, or what the position is. */
export function showStatus() {
  const { fault, notice } = state;
  const status = $('status');
  const isError = fault !== null || notice?.isError === true;
  status.textContent = fault ?? notice?.text ?? statusText();
  status.classList.toggle('error', isError);
}

function statusText() {
  const { game, isAnalysing, isReviewing } = state;
  const side = now.turn === 'w' ? 'White' : 'Black';
  const { play } = game;
  if (isReviewing) {
    return 'The engine reviews the game …';
  }
  if (isOverHere()) {
    return `${game.result}: ${play?.reason}`;
  }
  if (now.end) {
    return `${now.end.result}: ${now.end.reason}`;
  }
  if (isAnalysing) {
    return game.isLive
      ? `The game waits while you analyse. ${side} to move`
      : `Analysis: ${side} to move`;
  }
  if (isPlaying() && game.shown !== game.head) {
    return 'An earlier position of the game';
  }
  if (isPlaying()) {
    const last = now.sans[now.sans.length - 1];
    return now.turn === play?.user
      ? `Your move (${side})${last ? ` after ${last}` : ''}`
      : 'Tabia is thinking …';
  }
  if (game.shown === game.end && game.result !== '*') {
    return `${game.result} · ${side} to move`;
  }
  return `${side} to move`;
}

/** Shows the names of the players, and their clocks. */
export function showClocks() {
  const { game, isFlipped } = state;
  const { play } = game;
  const clocks = play?.time
    ? { w: opponent.clock.left(play, 'w'), b: opponent.clock.left(play, 'b') }
    : null;
  /** @param {string} name @param {string} without */
  const name = (name, without) => game.tag(name).replace(/^\?$/, '') || without;
  const turn = game.isLive ? opponent.position(game).turn : now.turn;
  showPlayers({ w: name('White', 'White'), b: name('Black', 'Black') }, clocks, turn, isFlipped);
}
