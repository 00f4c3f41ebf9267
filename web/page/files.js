// Games in the storage of the browser, and in files.

import { $, input, make } from './dom.js';
import { Game } from './game.js';

/** @import { Listed } from '../rules.js' */
/** @import { Stored } from './game.js' */

const PREFIX = 'tabia.game.';
const LAST = 'tabia.last';
const SETTINGS = 'tabia.settings';
/** Rows of a list of games. A file may have thousands. */
const MAX_ROWS = 200;

/**
 * @typedef {object} Row
 * @property {string} text
 * @property {string} detail
 * @property {boolean} [isCurrent]
 * @property {() => void} [open] None for a game that cannot be read.
 * @property {() => void} [remove]
 */

/** Returns a game as it is stored, null if it is damaged. @param {string | null} text */
function storedGame(text) {
  try {
    /** @type {Stored} */
    const stored = JSON.parse(text ?? '');
    Game.restored('', stored);
    return stored;
  } catch {
    return null;
  }
}

/** The storage of the browser, which may be full or forbidden. Damaged games are passed over. */
export class Library {
  /** @type {(reason: string) => void} Called once when games cannot be kept. */
  onfault = () => {};
  #hasFailed = false;

  /**
   * @template T
   * @param {(storage: Storage) => T} access
   * @param {T} without
   */
  #try(access, without) {
    try {
      return access(localStorage);
    } catch (error) {
      if (!this.#hasFailed) {
        this.#hasFailed = true;
        this.onfault(/** @type {Error} */ (error).message);
      }
      return without;
    }
  }

  /** Keeps a game as the one that is open. @param {Game} game */
  save(game) {
    if (game.root.children.length > 0 || game.play || game.fen !== '') {
      this.#try((storage) => {
        storage.setItem(LAST, game.id);
        storage.setItem(PREFIX + game.id, JSON.stringify(game.stored()));
      }, undefined);
    }
  }

  /** @param {string} id */
  load(id) {
    return this.#try((storage) => {
      const stored = storedGame(storage.getItem(PREFIX + id));
      return stored && Game.restored(id, stored);
    }, null);
  }

  /** Returns the game that was open last. */
  last() {
    return this.#try((storage) => {
      const id = storage.getItem(LAST);
      return id === null ? null : this.load(id);
    }, null);
  }

  /** @param {string} id */
  remove(id) {
    this.#try((storage) => storage.removeItem(PREFIX + id), undefined);
  }

  /** Returns all games, the last one first. @returns {{ id: string, stored: Stored }[]} */
  games() {
    return this.#try((storage) => {
      const keys = Object.keys(storage).filter((key) => key.startsWith(PREFIX));
      const games = keys.flatMap((key) => {
        const stored = storedGame(storage.getItem(key));
        return stored ? [{ id: key.slice(PREFIX.length), stored }] : [];
      });
      return games.sort((a, b) => b.stored.changed - a.stored.changed);
    }, []);
  }

  /** @returns {Record<string, any>} */
  get settings() {
    return this.#try((storage) => JSON.parse(storage.getItem(SETTINGS) ?? '{}'), {});
  }

  set settings(settings) {
    this.#try((storage) => storage.setItem(SETTINGS, JSON.stringify(settings)), undefined);
  }
}

/**
 * Describes a game in a row.
 * @param {Pick<Listed, 'white' | 'black' | 'event' | 'date' | 'result' | 'moves'>} game
 */
export function described({ white, black, event, date, result, moves }) {
  /** @param {string} text */
  const known = (text) => text !== '' && !text.startsWith('?');
  const players = [white, black].map((name) => (known(name) ? name : '?'));
  const text = known(white) || known(black) ? players.join(' – ') : 'Analysis';
  const count = moves === 1 ? '1 move' : `${moves} moves`;
  const details = [result === '*' ? '' : result, count, date, event];
  return { text, detail: details.filter(known).join(' · ') };
}

/** Returns what a list shows of a stored game. @param {Stored} stored */
export function listed({ tree }) {
  const game = Game.fromTree(tree);
  return {
    white: game.tag('White'),
    black: game.tag('Black'),
    event: '',
    date: game.tag('Date'),
    result: game.result,
    moves: Math.ceil(game.path(game.end).length / 2),
  };
}

/**
 * Shows a list of games, of which those are shown that contain the text of the field above it.
 * @param {Row[]} rows
 */
export function showList(rows) {
  const search = input('games-search');
  search.hidden = rows.length < 8;
  search.value = '';
  const draw = () => {
    const words = search.value.toLowerCase();
    const fits = rows.filter(({ text, detail }) =>
      `${text} ${detail}`.toLowerCase().includes(words),
    );
    const items = fits.slice(0, MAX_ROWS).map(({ text, detail, isCurrent, open, remove }) => {
      const title = make('span', {}, text);
      const button = make(
        'button',
        { type: 'button', className: 'game', disabled: !open },
        title,
        make('small', {}, detail),
      );
      button.onclick = () => open?.();
      if (isCurrent) {
        button.setAttribute('aria-current', 'true');
      }
      const item = make('li', {}, button);
      if (remove) {
        const label = `Delete ${text}`;
        const removes = make(
          'button',
          { type: 'button', className: 'quiet', onclick: remove },
          '✕',
        );
        removes.setAttribute('aria-label', label);
        item.append(removes);
      }
      return item;
    });
    $('games-list').replaceChildren(...items);
    const left = fits.length - items.length;
    $('games-note').textContent =
      left > 0 ? `${left} more: search for a name` : rows.length === 0 ? 'No games yet.' : '';
  };
  search.oninput = draw;
  draw();
}

/**
 * Returns the text of a file, in UTF-8 or else in the code of Windows, which contains Latin-1.
 * @param {File} file
 */
export async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Returns whether a text is a position and no game. @param {string} text */
export function isFen(text) {
  return /^\s*([1-8pnbrqk]+\/){7}[1-8pnbrqk]+[^\n]*\s*$/i.test(text);
}

/** Lets the browser save a text as a file. @param {string} name @param {string} text */
export function saveFile(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  make('a', { href: url, download: name }).click();
  // The download has begun when the click returns.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
