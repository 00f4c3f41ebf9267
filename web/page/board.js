// The board: draws a position, and takes moves by drag, taps and keys.

import { $, isPlain, make, svg } from './dom.js';
import { drawing, names } from './pieces.js';

/** @import { LegalMove } from '../rules.js' */
/** @import { Side } from './game.js' */

/**
 * @typedef {object} View What the board shows.
 * @property {string} fen
 * @property {Side} turn
 * @property {LegalMove[]} legal Moves that may be made; none to show only.
 * @property {string} last Last move in UCI notation; empty without one.
 * @property {string | null} check Square of the king in check.
 * @property {Arrow[]} arrows
 * @property {boolean} isFlipped
 */

/** @typedef {{ uci: string, kind: 'best' | 'other' | 'hint' }} Arrow */

const FILES = 'abcdefgh';
/** Movement in pixels from which a press is a drag. */
const DRAG_DISTANCE = 6;

export class Board {
  /** @type {(move: LegalMove) => void} Called with the user's moves. */
  onmove = () => {};
  /** @type {() => void} Called when the user touches a board that takes no moves now. */
  onrefused = () => {};

  #element = $('board');
  #arrows = svg('svg', { viewBox: '0 0 8 8', class: 'arrows', 'aria-hidden': 'true' });
  /** @type {Map<string, HTMLButtonElement>} */
  #squares = new Map();
  /** @type {View} */
  #view = { fen: '', turn: 'w', legal: [], last: '', check: null, arrows: [], isFlipped: false };
  /** @type {Map<string, string>} Letters of the pieces by square. */
  #pieces = new Map();
  /** @type {string | null} */
  #selected = null;
  /**
   * @type {{ from: string, pointer: number, x: number, y: number, ghost: HTMLElement | null } |
   *   null}
   */
  #drag = null;
  /** Whether the next click is that of a pointer, which has been served before. */
  #isPointed = false;
  /** @type {HTMLElement | null} Choice of the piece of a promotion. */
  #choice = null;

  constructor() {
    this.#listen();
  }

  /** @param {View} view */
  show(view) {
    const isTurned = this.#squares.size === 0 || view.isFlipped !== this.#view.isFlipped;
    if (view.fen !== this.#view.fen || isTurned) {
      this.#endChoice();
      this.#endDrag();
      this.#selected = null;
    }
    this.#view = view;
    this.#pieces = piecesOf(view.fen);
    if (isTurned) {
      this.#build();
    }
    this.#draw();
  }

  #build() {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.square;
    this.#element.replaceChildren();
    this.#squares.clear();
    const { isFlipped } = this.#view;
    for (let row = 0; row < 8; row += 1) {
      for (let column = 0; column < 8; column += 1) {
        const file = isFlipped ? 7 - column : column;
        const rank = isFlipped ? row + 1 : 8 - row;
        const name = `${FILES[file]}${rank}`;
        const isDark = (file + rank) % 2 === 1;
        const square = make('button', {
          type: 'button',
          className: `square ${isDark ? 'dark' : ''}`,
        });
        square.dataset.square = name;
        square.tabIndex = row === 7 && column === 0 ? 0 : -1;
        if (row === 7) {
          square.dataset.file = FILES[file];
        }
        if (column === 0) {
          square.dataset.rank = String(rank);
        }
        this.#element.append(square);
        this.#squares.set(name, square);
      }
    }
    this.#element.append(this.#arrows);
    if (focused) {
      this.#squares.get(focused)?.focus();
    }
  }

  #draw() {
    const { legal, last, check } = this.#view;
    const targets = new Set(
      legal.filter(({ from }) => from === this.#selected).map(({ to }) => to),
    );
    for (const [name, square] of this.#squares) {
      const letter = this.#pieces.get(name);
      const { rank } = square.dataset;
      square.innerHTML =
        (rank ? `<span class="rank">${rank}</span>` : '') + (letter ? drawing(letter) : '');
      const marks = {
        moved: last.slice(0, 2) === name || last.slice(2, 4) === name,
        check: check === name,
        selected: name === this.#selected,
        target: targets.has(name),
      };
      for (const [mark, is] of Object.entries(marks)) {
        square.classList.toggle(mark, is);
      }
      square.classList.toggle('full', targets.has(name) && letter !== undefined);
      const color = letter === letter?.toUpperCase() ? 'white' : 'black';
      const piece = letter ? [color, names[letter.toLowerCase()]] : [];
      const shown = Object.entries(marks)
        .filter(([, is]) => is)
        .map(([mark]) => mark);
      square.setAttribute('aria-label', [name, ...piece, ...shown].join(' '));
    }
    this.#drawArrows();
  }

  #drawArrows() {
    const { arrows, isFlipped } = this.#view;
    /** @param {string} square */
    const center = (square) => {
      const [file, rank] = [FILES.indexOf(square[0]), Number(square[1])];
      return isFlipped ? [7.5 - file, rank - 0.5] : [file + 0.5, 8.5 - rank];
    };
    this.#arrows.replaceChildren(
      ...[...arrows].reverse().map(({ uci, kind }) => {
        const [[x1, y1], [x2, y2]] = [center(uci.slice(0, 2)), center(uci.slice(2, 4))];
        const length = Math.hypot(x2 - x1, y2 - y1);
        const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
        const half = kind === 'other' ? 0.05 : 0.085;
        const head = kind === 'other' ? 0.18 : 0.26;
        /** @param {number} along @param {number} aside */
        const point = (along, aside) =>
          [x1 + dx * along - dy * aside, y1 + dy * along + dx * aside]
            .map((n) => n.toFixed(3))
            .join(',');
        const neck = length - 0.12 - head * 1.3;
        const points = [
          point(0.2, half),
          point(neck, half),
          point(neck, head),
          point(length - 0.12, 0),
          point(neck, -head),
          point(neck, -half),
          point(0.2, -half),
        ];
        return svg('polygon', { points: points.join(' '), class: `arrow ${kind}` });
      }),
    );
  }

  /** @param {string} from */
  #canMove(from) {
    return this.#view.legal.some((move) => move.from === from);
  }

  /** @param {string | null} name */
  #select(name) {
    this.#selected = name !== null && this.#canMove(name) ? name : null;
    this.#draw();
  }

  /** @param {string} name */
  #tap(name) {
    if (this.#view.legal.length === 0) {
      this.onrefused();
      return;
    }
    const from = this.#selected;
    const isTarget = this.#view.legal.some((move) => move.from === from && move.to === name);
    this.#select(isTarget || name === from ? null : name);
    if (from !== null && isTarget) {
      this.#move(from, name);
    }
  }

  /**
   * Makes a move, and asks for the piece of a promotion.
   * @param {string} from
   * @param {string} to
   */
  #move(from, to) {
    const fits = this.#view.legal.filter((move) => move.from === from && move.to === to);
    if (fits.length === 1) {
      this.onmove(fits[0]);
    } else if (fits.length > 1) {
      this.#choose(fits);
    }
  }

  /**
   * Shows the pieces of a promotion, from its square towards the middle.
   * @param {LegalMove[]} moves
   */
  #choose(moves) {
    this.#endChoice();
    const square = /** @type {HTMLElement} */ (this.#squares.get(moves[0].to));
    const isTop = square.offsetTop < this.#element.clientHeight / 2;
    const choice = make('div', { className: 'choice' });
    choice.setAttribute('role', 'dialog');
    choice.setAttribute('aria-label', 'Promote to');
    const sorted = [...moves].sort(
      (a, b) => 'QNRB'.indexOf(letterOf(a)) - 'QNRB'.indexOf(letterOf(b)),
    );
    for (const move of sorted) {
      const letter = letterOf(move);
      const isWhite = this.#view.turn === 'w';
      const item = make('button', { type: 'button' });
      item.innerHTML = drawing(isWhite ? letter : letter.toLowerCase());
      item.setAttribute('aria-label', names[letter.toLowerCase()]);
      item.onclick = () => {
        this.#endChoice();
        this.onmove(move);
      };
      isTop ? choice.append(item) : choice.prepend(item);
    }
    const size = square.offsetWidth;
    Object.assign(choice.style, {
      left: `${square.offsetLeft}px`,
      top: `${isTop ? 0 : this.#element.clientHeight - size * moves.length}px`,
      width: `${size}px`,
    });
    choice.onkeydown = (event) => {
      const items = /** @type {HTMLElement[]} */ ([...choice.children]);
      const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (event.key === 'Escape') {
        this.#endChoice();
        square.focus();
      } else if (step) {
        items[at + step]?.focus();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    };
    this.#choice = choice;
    this.#element.append(choice);
    /** @type {HTMLElement} */ (isTop ? choice.firstChild : choice.lastChild).focus();
  }

  #endChoice() {
    this.#choice?.remove();
    this.#choice = null;
  }

  /** @param {PointerEvent} event */
  #squareAt(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return /** @type {HTMLElement | null | undefined} */ (element?.closest('.square'))?.dataset
      .square;
  }

  #endDrag() {
    this.#drag?.ghost?.remove();
    this.#squares.get(this.#drag?.from ?? '')?.classList.remove('lifted');
    this.#drag = null;
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (this.#choice) {
      if (!this.#choice.contains(/** @type {Node} */ (event.target))) {
        this.#endChoice();
      }
      return;
    }
    const from = this.#squareAt(event);
    if (!from || event.button !== 0) {
      return;
    }
    this.#endDrag();
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    this.#drag = { from, pointer, x, y, ghost: null };
    this.#isPointed = true;
    this.#element.setPointerCapture(pointer);
  }

  /** @param {PointerEvent} event */
  #pull(event) {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) {
      return;
    }
    const isFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_DISTANCE;
    if (drag.ghost === null && isFar && this.#canMove(drag.from)) {
      this.#select(drag.from);
      const square = /** @type {HTMLElement} */ (this.#squares.get(drag.from));
      drag.ghost = make('div', { id: 'ghost' });
      drag.ghost.style.width = `${square.clientWidth * 1.15}px`;
      drag.ghost.innerHTML = drawing(/** @type {string} */ (this.#pieces.get(drag.from)));
      document.body.append(drag.ghost);
      square.classList.add('lifted');
    }
    if (drag.ghost) {
      drag.ghost.style.left = `${event.clientX}px`;
      drag.ghost.style.top = `${event.clientY}px`;
    }
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) {
      return;
    }
    const to = this.#squareAt(event);
    this.#endDrag();
    if (drag.ghost) {
      this.#select(null);
      if (to && to !== drag.from) {
        this.#move(drag.from, to);
      }
    } else if (to && to !== drag.from) {
      // A drag from a piece that has no move, or on a board that takes none.
      if (this.#view.legal.length === 0) {
        this.onrefused();
      }
    } else {
      this.#squares.get(drag.from)?.focus();
      this.#tap(drag.from);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[event.key];
    const list = [...this.#squares.values()];
    const at = list.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (at < 0 || !isPlain(event)) {
      return;
    }
    if (event.key === 'Escape') {
      this.#select(null);
    } else if (step) {
      list[at + step]?.focus();
      event.preventDefault();
      event.stopPropagation();
    }
  }

  #listen() {
    const board = this.#element;
    board.addEventListener('pointerdown', (event) => this.#press(event));
    board.addEventListener('pointermove', (event) => this.#pull(event));
    board.addEventListener('pointerup', (event) => this.#release(event));
    board.addEventListener('pointercancel', () => this.#endDrag());
    // Keys and assistive technology click without a pointer, some with a `detail` like a pointer's.
    board.addEventListener('click', (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const square = /** @type {HTMLElement | null} */ (target.closest('.square'));
      if (square && (event.detail === 0 || !this.#isPointed)) {
        this.#tap(/** @type {string} */ (square.dataset.square));
      }
      this.#isPointed = false;
    });
    // Tab returns to the square that had the focus last.
    board.addEventListener('focusin', ({ target }) => {
      const squares = [...this.#squares.values()];
      if (squares.some((square) => square === target)) {
        squares.forEach((square) => (square.tabIndex = square === target ? 0 : -1));
      }
    });
    board.addEventListener('keydown', (event) => this.#key(event));
  }
}

/** @param {LegalMove} move */
function letterOf(move) {
  return (move.promotion ?? '').toUpperCase();
}

/** Returns the letters of the pieces by square. @param {string} fen */
function piecesOf(fen) {
  /** @type {Map<string, string>} */
  const pieces = new Map();
  fen
    .split(' ')[0]
    .split('/')
    .forEach((row, index) => {
      let file = 0;
      for (const letter of row) {
        if (letter >= '1' && letter <= '8') {
          file += Number(letter);
        } else {
          pieces.set(`${FILES[file]}${8 - index}`, letter);
          file += 1;
        }
      }
    });
  return pieces;
}
