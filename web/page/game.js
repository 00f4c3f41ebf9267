// A game as a tree of moves, with the facts of a game against the engine. Knows no rules and no
// page.

/** @import { GameTree, Score } from '../rules.js' */

/**
 * @typedef {object} Evaluation What the engine found in a position, from White's view.
 * @property {Score} score
 * @property {number[]} wdl Permille of White's wins, draws and losses.
 * @property {number} depth
 * @property {string[]} pv
 */

/**
 * @typedef {object} GameNode A move with the position after it; the root has no move.
 * @property {string} uci
 * @property {string} san
 * @property {number[]} nags
 * @property {string[]} comments
 * @property {string[]} before Comments before the first move of a variation.
 * @property {GameNode | null} parent
 * @property {GameNode[]} children The first one goes on with the line, the others are variations.
 * @property {Evaluation | null} evaluation
 */

/** @typedef {'w' | 'b'} Side */

/**
 * @typedef {object} Play A game of the user against the engine.
 * @property {Side} user
 * @property {number | null} level Rating; null for full strength.
 * @property {{ base: number, increment: number } | null} time In milliseconds; null without clocks.
 * @property {number} seconds The engine's time for a move in a game without clocks.
 * @property {Record<Side, number>} clocks Milliseconds left when the side to move began to think.
 * @property {Score | null} score The engine's last score, from its own point of view.
 * @property {boolean} isOver
 * @property {string} [reason] How it ended, in words.
 */

/**
 * @typedef {object} Stored A game in the storage of the browser.
 * @property {GameTree} tree
 * @property {Play | null} play
 * @property {number} ply Moves of the main line before the position shown.
 * @property {number} headPly The same for the head.
 * @property {any} review
 * @property {(Evaluation | null)[]} evaluations Of all positions, in the order of the tree.
 * @property {number} changed Time of the last change, in milliseconds.
 */

/**
 * @param {GameNode | null} parent
 * @param {string} uci
 * @param {string} san
 * @returns {GameNode}
 */
function node(parent, uci, san) {
  return { uci, san, nags: [], comments: [], before: [], parent, children: [], evaluation: null };
}

export class Game {
  /** Name in the storage of the browser. */
  id = `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
  /** @type {[string, string][]} */
  tags = [];
  /** Start position, empty for the usual one. */
  fen = '';
  result = '*';
  root = node(null, '', '');
  /** Position on the board. */
  shown = this.root;
  /** @type {Play | null} */
  play = null;
  /** Last position of the game against the engine, which analysis does not move. */
  head = this.root;
  /** @type {any} Record of the review of the main line; null before one. */
  review = null;

  /** @param {string} [fen] */
  constructor(fen = '') {
    this.fen = fen;
  }

  /** @param {GameTree} tree */
  static fromTree(tree) {
    const game = new Game(tree.fen);
    game.tags = tree.tags.map(([name, value]) => [name, value]);
    game.result = tree.result;
    game.root.comments = [...tree.comments];
    const nodes = [game.root];
    for (const { parent, uci, san, nags, comments, before } of tree.moves) {
      const added = Object.assign(node(nodes[parent], uci, san), { nags, comments, before });
      nodes[parent].children.push(added);
      nodes.push(added);
    }
    game.head = game.end;
    game.shown = game.root;
    return game;
  }

  /** Returns all positions, each after the one that it follows. */
  #nodes() {
    const nodes = [];
    // A stack instead of recursion: games have hundreds of moves.
    const open = [this.root];
    for (let next = open.pop(); next; next = open.pop()) {
      nodes.push(next);
      open.push(...[...next.children].reverse());
    }
    return nodes;
  }

  /** @returns {GameTree} */
  tree() {
    const nodes = this.#nodes();
    const numbers = new Map(nodes.map((node, number) => [node, number]));
    const moves = nodes.slice(1).map(({ parent, uci, san, nags, comments, before }) => ({
      parent: (parent && numbers.get(parent)) ?? 0,
      uci,
      san,
      nags,
      comments,
      before,
    }));
    const { tags, fen, result, root } = this;
    return { tags, fen, result, comments: root.comments, moves };
  }

  /** Takes the annotations of the same game. @param {GameTree} tree */
  annotate(tree) {
    const [ply, headPly] = [this.path().length, this.path(this.head).length];
    const evaluations = this.mainLine().map(({ evaluation }) => evaluation);
    const { root, tags, result } = Game.fromTree(tree);
    Object.assign(this, { root, tags, result });
    this.mainLine().forEach((node, index) => (node.evaluation = evaluations[index]));
    this.head = this.mainLine()[headPly] ?? this.end;
    this.shown = this.mainLine()[ply] ?? this.end;
  }

  /** Returns the moves from the start to a position, the root left out. */
  path(end = this.shown) {
    /** @type {GameNode[]} */
    const path = [];
    for (let at = end; at.parent; at = at.parent) {
      path.unshift(at);
    }
    return path;
  }

  /** Returns the positions of the main line, the start position included. */
  mainLine() {
    const line = [this.root];
    for (let at = this.root.children[0]; at; at = at.children[0]) {
      line.push(at);
    }
    return line;
  }

  /** Returns the last position of the main line. */
  get end() {
    return this.endOf(this.root);
  }

  /** Returns the last position of the line that goes on after a node. @param {GameNode} at */
  endOf(at) {
    let end = at;
    while (end.children.length > 0) {
      end = end.children[0];
    }
    return end;
  }

  /** Returns whether a game against the engine is going on. */
  get isLive() {
    return this.play !== null && !this.play.isOver;
  }

  /**
   * Returns the node of a move after another one, which it adds if it is new.
   * @param {GameNode} parent
   * @param {string} uci
   * @param {string} san
   */
  add(parent, uci, san) {
    const known = parent.children.find((child) => child.uci === uci);
    if (known) {
      return known;
    }
    const added = node(parent, uci, san);
    parent.children.push(added);
    if (this.mainLine().includes(added)) {
      this.review = null;
    }
    return added;
  }

  /**
   * Adds a move of the game against the engine, before what was analysed there.
   * @param {string} uci
   * @param {string} san
   */
  advance(uci, san) {
    const { head } = this;
    const added = this.add(head, uci, san);
    head.children = [added, ...head.children.filter((child) => child !== added)];
    this.review = null;
    this.head = added;
    return added;
  }

  /** Removes a move and all that follows it. @param {GameNode} removed */
  remove(removed) {
    const { parent } = removed;
    if (parent === null) {
      return;
    }
    const isMain = this.mainLine().includes(removed);
    parent.children = parent.children.filter((child) => child !== removed);
    if (this.path().includes(removed)) {
      this.shown = parent;
    }
    if (isMain) {
      this.review = null;
      this.setEnd('*');
    }
    this.head = this.play ? this.head : this.end;
  }

  /** Makes the variation of a node the main line. @param {GameNode} promoted */
  promote(promoted) {
    for (const step of this.path(promoted)) {
      const siblings = /** @type {GameNode} */ (step.parent).children;
      siblings.splice(siblings.indexOf(step), 1);
      siblings.unshift(step);
    }
    this.review = null;
    this.setEnd('*');
    this.head = this.end;
  }

  /** @param {string} name */
  tag(name) {
    return this.tags.find(([known]) => known === name)?.[1] ?? '';
  }

  /** Sets a tag; null removes it. @param {string} name @param {string | null} value */
  setTag(name, value) {
    const known = this.tags.find(([other]) => other === name);
    if (value === null) {
      this.tags = this.tags.filter(([other]) => other !== name);
    } else if (known) {
      known[1] = value;
    } else {
      this.tags.push([name, value]);
    }
  }

  /**
   * Sets the result, and how the game ended.
   * @param {string} result
   * @param {string | null} termination
   */
  setEnd(result, termination = null) {
    this.result = result;
    this.setTag('Result', result);
    this.setTag('Termination', termination);
    this.setTag('PlyCount', null);
  }

  /** @returns {Stored} */
  stored() {
    const { play, review } = this;
    const [ply, headPly] = [this.path().length, this.path(this.head).length];
    // The best move is all that is shown of an old line.
    const evaluations = this.#nodes().map(
      ({ evaluation }) => evaluation && { ...evaluation, pv: evaluation.pv.slice(0, 1) },
    );
    return { tree: this.tree(), play, ply, headPly, review, evaluations, changed: Date.now() };
  }

  /** @param {string} id @param {Stored} stored */
  static restored(id, { tree, play, ply, headPly, review, evaluations }) {
    const game = Game.fromTree(tree);
    game.#nodes().forEach((node, index) => (node.evaluation = evaluations[index] ?? null));
    const line = game.mainLine();
    const [shown, head] = [line[ply] ?? game.end, line[headPly] ?? game.end];
    return Object.assign(game, { id, play, review, shown, head });
  }
}
