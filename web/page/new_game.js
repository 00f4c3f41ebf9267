// The dialog for a new game, and the settings that are kept for the next one.

import { open } from './actions.js';
import { $, dialog, input, select } from './dom.js';
import { Game } from './game.js';
import { begin } from './play.js';
import { library, rules, state } from './state.js';

/** @import { Side } from './game.js' */

/** Shows what was chosen the last time, and the range of the engine's levels. */
export function prepareNewGame() {
  const { minElo, maxElo } = rules.engine();
  const { settings } = library;
  Object.assign(input('elo'), { min: minElo, max: maxElo });
  input('elo').value = String(settings.elo ?? 1500);
  input('full').checked = settings.full ?? false;
  select('time').value = settings.time ?? '';
  select('seconds').value = settings.seconds ?? '1';
  select('lines').value = settings.lines ?? '3';
  input('arrows').checked = settings.arrows ?? true;
  showLevel();
}

/** Keeps the settings of games and of the analysis. */
export function keepSettings() {
  library.settings = {
    elo: Number(input('elo').value),
    full: input('full').checked,
    time: select('time').value,
    seconds: select('seconds').value,
    lines: select('lines').value,
    arrows: input('arrows').checked,
  };
}

function showLevel() {
  input('elo').disabled = input('full').checked;
  $('elo-text').textContent = input('elo').value;
  $('seconds-label').hidden = select('time').value !== '';
}

/** Returns the chosen one of some radio buttons. @param {string} name */
function chosen(name) {
  const form = /** @type {HTMLFormElement} */ ($('new-form'));
  return String(new FormData(form).get(name));
}

/** Makes the first game of a new visitor: against the engine, at once. */
export function firstGame() {
  const first = new Game();
  begin(first, { user: 'w', level: 1500, time: null, seconds: 1 });
  return first;
}

function startGame() {
  const side = chosen('side');
  const from = chosen('from');
  const [minutes, increment] = select('time').value.split('+').map(Number);
  const user = /** @type {Side} */ (side === 'random' ? 'wb'[Math.floor(Math.random() * 2)] : side);
  const next = new Game();
  if (from === 'here') {
    const { game } = state;
    next.fen = game.fen;
    game.path().forEach(({ uci, san }) => next.add(next.end, uci, san));
  } else if (from === 'chess960') {
    next.fen = rules.chess960(input('number960').valueAsNumber);
  }
  begin(next, {
    user,
    level: input('full').checked ? null : Number(input('elo').value),
    time:
      select('time').value === '' ? null : { base: minutes * 60_000, increment: increment * 1000 },
    seconds: Number(select('seconds').value),
  });
  if (from === 'chess960') {
    next.setTag('Variant', 'Chess960');
  }
  keepSettings();
  state.isAnalysing = false;
  open(next);
}

/** Listens to the dialog. */
export function listenToNewGame() {
  const asked = dialog('new-dialog');
  $('new').onclick = () => asked.showModal();
  $('full').onchange = showLevel;
  $('elo').oninput = showLevel;
  $('time').onchange = showLevel;
  $('number960').onfocus = () => {
    /** @type {HTMLInputElement} */ (document.querySelector('[value=chess960]')).checked = true;
  };
  $('draw960').onclick = () => {
    $('number960').focus();
    input('number960').value = String(Math.floor(Math.random() * 960));
  };
  $('new-form').onsubmit = (event) => {
    if (/** @type {SubmitEvent} */ (event).submitter?.id === 'begin') {
      startGame();
    }
  };
}
