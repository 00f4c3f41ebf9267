// The moves of a game with their variations and comments.

import { $, make } from './dom.js';

/** @import { Game, GameNode } from './game.js' */

/**
 * Signs of the glyphs 1 to 6, with the class of their colour.
 * @type {Record<number, [string, string]>}
 */
const SIGNS = {
  1: ['!', 'good'],
  2: ['?', 'mistake'],
  3: ['!!', 'good'],
  4: ['??', 'blunder'],
  5: ['!?', 'good'],
  6: ['?!', 'inaccuracy'],
};

/** Returns a comment without commands such as `[%clk 0:01:00]`. @param {string} comment */
function plain(comment) {
  return comment.replace(/\[%[^\]]*\]/g, '').trim();
}

/**
 * Shows the moves and marks the position on the board.
 * @param {Game} game
 * @param {{ number: number, startsWhite: boolean }} start
 * @param {(node: GameNode) => void} onselect
 */
export function showMoves(game, { number, startsWhite }, onselect) {
  const firstPly = 2 * number + (startsWhite ? 0 : 1);

  /**
   * @param {ParentNode} parent
   * @param {string[]} comments
   * @returns {boolean} whether there are any
   */
  const addComments = (parent, comments) => {
    const texts = comments.map(plain).filter(Boolean);
    texts.forEach((text) => parent.append(make('span', { className: 'comment' }, text), ' '));
    return texts.length > 0;
  };

  /**
   * @param {ParentNode} parent
   * @param {GameNode} node
   * @param {number} ply
   * @param {boolean} needsNumber
   */
  const addMove = (parent, node, ply, needsNumber) => {
    const isWhite = (firstPly + ply) % 2 === 0;
    // The number stays on the line of its move.
    const unit = make('span', { className: 'move' });
    if (isWhite || needsNumber) {
      const text = `${Math.floor((firstPly + ply) / 2)}${isWhite ? '.' : '…'}`;
      unit.append(make('span', { className: 'number' }, text), ' ');
    }
    const button = make('button', { type: 'button', onclick: () => onselect(node) }, node.san);
    // A file may judge a move twice, `e4! $5`. As in PGN, the first judgement is its sign.
    const judgement = node.nags.find((nag) => nag in SIGNS);
    if (judgement !== undefined) {
      const [sign, kind] = SIGNS[judgement];
      button.append(make('span', { className: kind }, sign));
    }
    if (node === game.shown) {
      button.setAttribute('aria-current', 'true');
    }
    unit.append(button);
    parent.append(unit, ' ');
  };

  /**
   * Adds the moves of a line, the first of which has the given variations.
   * @param {ParentNode} parent
   * @param {GameNode} first
   * @param {GameNode[]} variations
   * @param {number} ply
   */
  const addLine = (parent, first, variations, ply) => {
    let needsNumber = true;
    let [node, others] = [first, variations];
    while (node) {
      addMove(parent, node, ply, needsNumber);
      needsNumber = addComments(parent, node.comments) || others.length > 0;
      for (const other of others) {
        const variation = make('div', { className: 'variation' });
        addComments(variation, other.before);
        addLine(variation, other, [], ply);
        parent.append(variation);
      }
      [node, ...others] = node.children;
      ply += 1;
    }
  };

  const content = document.createDocumentFragment();
  addComments(content, game.root.comments);
  const [first, ...variations] = game.root.children;
  addLine(content, first, variations, 0);
  const list = $('moves');
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(content);
  /** @type {HTMLElement | null} */
  const current = list.querySelector('[aria-current]');
  if (current) {
    // Not `scrollIntoView`, which would scroll the page too.
    const below = current.offsetTop + current.offsetHeight - list.clientHeight;
    list.scrollTop = Math.min(current.offsetTop, Math.max(list.scrollTop, below));
    if (hadFocus) {
      current.focus({ preventScroll: true });
    }
  } else {
    list.scrollTop = 0;
  }
}
