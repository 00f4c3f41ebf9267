// Review of a game: the engine searches every position, the rules judge the moves as `tabia
// analyse`
// does, and a graph shows White's winning chances.

import { $, make, svg } from './dom.js';
import { analysisOptions, searchPosition } from './engine.js';
import { evaluationOf } from './score.js';

/** @import { Found, Rules } from '../rules.js' */
/** @import { Engine } from './engine.js' */
/** @import { Game, GameNode } from './game.js' */

/** As `tabia analyse` without options, so that both find the same. */
const GO = 'nodes 200000';
const OPTIONS = { ...analysisOptions(1), Threads: 1, Hash: 64 };

/** Size of the graph, in its own units. */
const [WIDTH, HEIGHT] = [600, 140];

/**
 * Reviews a game: annotates it and keeps the record. Returns whether it came to its end.
 * @param {Game} game
 * @param {Rules} rules
 * @param {Engine} engine
 * @param {(done: number, all: number) => void} onprogress
 */
export async function review(game, rules, engine, onprogress) {
  const line = game.mainLine();
  const moves = game.path(line[line.length - 1]).map(({ uci }) => uci);
  /** @type {(Found | null)[]} */
  const found = line.map(() => null);
  // From the end, so that the transposition table has the results of later positions.
  for (let ply = moves.length; ply >= 0; ply -= 1) {
    onprogress(moves.length - ply, line.length);
    const before = moves.slice(0, ply);
    const { turn, legal, end } = rules.game(game.fen, before);
    if (legal.length === 0 || (end && ply === moves.length)) {
      continue;
    }
    const result = await engine.search({
      ...searchPosition(rules, game.fen, before),
      options: OPTIONS,
      go: GO,
      isNewGame: ply === moves.length,
    });
    if (!result?.best) {
      return false;
    }
    const [best] = result.lines;
    // A search that ends in a re-search may have no line with the best move.
    const exact = best.pv[0] === result.best ? best : { ...best, pv: [result.best] };
    found[ply] = exact;
    line[ply].evaluation = evaluationOf(exact, turn);
  }
  const { record, tree } = rules.review(game.tree(), found);
  game.annotate(tree);
  game.review = record;
  return true;
}

/**
 * Shows the review of a game, and the position on the board in its graph.
 * @param {Game} game
 * @param {(node: GameNode) => void} onselect
 */
export function showReview(game, onselect) {
  const { review } = game;
  $('review').hidden = review === null;
  if (review === null) {
    return;
  }
  const line = game.mainLine();
  const chances = [review.chances, ...review.moves.map((/** @type {any} */ move) => move.chances)];
  const last = Math.max(1, chances.length - 1);
  /** @param {number} ply */
  const x = (ply) => (WIDTH * ply) / last;
  /** @param {number} percent */
  const y = (percent) => HEIGHT * (1 - percent / 100);
  const points = chances
    .map((value, ply) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`)
    .join(' ');
  const graph = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  });
  graph.append(
    svg('rect', { width: WIDTH, height: HEIGHT, class: 'black' }),
    svg('polygon', { points: `0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}`, class: 'white' }),
    svg('line', { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: 'even' }),
  );
  const shown = line.indexOf(game.shown);
  if (shown >= 0) {
    graph.append(svg('line', { x1: x(shown), x2: x(shown), y1: 0, y2: HEIGHT, class: 'shown' }));
  }
  // Dots are no part of the drawing, which is stretched.
  const dots = review.moves.flatMap((/** @type {any} */ move, /** @type {number} */ index) => {
    if (move.judgement === null) {
      return [];
    }
    const dot = make('span', { className: `dot ${move.judgement}` });
    dot.style.left = `${(100 * (index + 1)) / last}%`;
    dot.style.top = `${100 - move.chances}%`;
    return [dot];
  });
  const place = $('graph');
  place.replaceChildren(graph, ...dots);
  place.onclick = (event) => {
    const { left, width } = place.getBoundingClientRect();
    const ply = Math.round((last * (event.clientX - left)) / width);
    onselect(line[Math.max(0, Math.min(line.length - 1, ply))]);
  };
  showPlayers(review);
  showMove(game, line, shown);
}

/** @param {any} review */
function showPlayers(review) {
  const rows = review.players.map((/** @type {any} */ player) => {
    const { accuracy, inaccuracies, mistakes, blunders } = player;
    const name = player.name === '?' ? (player.side === 'white' ? 'White' : 'Black') : player.name;
    const cells = [
      accuracy === null ? '–' : `${accuracy.toFixed(1)} %`,
      inaccuracies,
      mistakes,
      blunders,
    ];
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, name),
      ...cells.map((cell) => make('td', {}, String(cell))),
    );
  });
  $('players').replaceChildren(...rows);
}

/**
 * Says in words what the review found at the position on the board.
 * @param {Game} game
 * @param {GameNode[]} line
 * @param {number} shown
 */
function showMove({ review }, line, shown) {
  const move = review.moves[shown - 1];
  $('verdict').textContent = '';
  if (move?.judgement) {
    const before = (review.moves[shown - 2] ?? review).chances;
    const isWhite = move.side === 'white';
    const [from, to] = [before, move.chances].map(
      (chances) => `${Math.round(isWhite ? chances : 100 - chances)}\u00a0%`,
    );
    const article = move.judgement === 'inaccuracy' ? 'an' : 'a';
    $('verdict').textContent =
      `${line[shown].san} is ${article} ${move.judgement}: ` +
      `${isWhite ? 'White' : 'Black'}'s winning chances fall from ${from} to ${to}. ` +
      `Better was ${move.best}.`;
  }
}

/**
 * Returns the next bad move after a position of the main line, from its start if there is none.
 * @param {Game} game
 * @returns {GameNode | null}
 */
export function nextMistake(game) {
  const line = game.mainLine();
  const shown = line.indexOf(game.shown);
  const bad = game.review.moves.flatMap((/** @type {any} */ move, /** @type {number} */ index) =>
    move.judgement === null ? [] : [index + 1],
  );
  const next = bad.find((/** @type {number} */ ply) => ply > shown) ?? bad[0];
  return next === undefined ? null : line[next];
}
