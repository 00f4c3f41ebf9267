// The page: plays against the engine, analyses, reviews games.
//
// `game` and the few variables below are its state. What the user does changes them and calls
// `update`, which asks the rules for the position on the board, draws everything, keeps the game in
// the storage, and lets the engine do what the position needs. The other files:
//
//     game.js    a game as a tree of moves             board.js   the board
//     play.js    a game against the engine             moves.js   the moves
//     review.js  judgement of a game, and its graph    score.js   the bar, scores as text
//     engine.js  searches                              clock.js   clocks and names
//     files.js   storage, files, the list of games     dom.js     elements

import { Board } from './board.js';
import { showPlayers } from './clock.js';
import { $, button, dialog, input, isPlain, make, select } from './dom.js';
import { Engine, analysisOptions, searchPosition } from './engine.js';
import { Library, described, isFen, listed, saveFile, showList, textOf } from './files.js';
import { Game } from './game.js';
import { showMoves } from './moves.js';
import { Opponent, begin } from './play.js';
import { nextMistake, review, showReview } from './review.js';
import { evaluationOf, scoreText, showBar } from './score.js';
import { Rules } from '../rules.js';

/** @import { LegalMove, Position } from '../rules.js' */
/** @import { Arrow } from './board.js' */
/** @import { Line } from './engine.js' */
/** @import { GameNode, Side } from './game.js' */

/** @type {Engine} */
const engine = new Engine();
/** @type {Library} */
const library = new Library();
const board = new Board();
/** @type {Rules} */
let rules;
/** @type {Opponent} */
let opponent;

let game = new Game();
/** @type {Position} The position on the board. */
let now;
let isAnalysing = false;
let isReviewing = false;
let isFlipped = false;
/** Position that the engine analyses. @type {GameNode | null} */
let analysed = null;
/** Lines of the analysis, and when to draw them. @type {Line[]} */
let lines = [];
let drawsSoon = false;
/**
 * Word to the user until the position changes.
 * @type {{ text: string, isError: boolean } | null}
 */
let notice = null;
/** @type {{ node: GameNode, uci: string } | null} */
let hint = null;
/** Message that the engine has failed, or null. @type {string | null} */
let fault = null;

// What the engine does.

/** Lets the engine do what the game needs: analyse, play, or nothing. */
function think() {
  const { play } = game;
  if (isReviewing) {
    return;
  }
  if (isAnalysing) {
    opponent.pause();
    analyse();
  } else if (play && game.isLive) {
    endAnalysis();
    opponent.go(game, play);
  } else {
    opponent.pause();
    endAnalysis();
  }
}

function endAnalysis() {
  if (analysed) {
    analysed = null;
    engine.cancel();
  }
  lines = [];
}

async function analyse() {
  const node = game.shown;
  if (now.end) {
    endAnalysis();
    return;
  }
  if (analysed === node) {
    return;
  }
  analysed = node;
  lines = [];
  const count = Number(select('lines').value);
  const { turn } = now;
  const request = { ...positionOf(node), options: analysisOptions(count), go: 'infinite' };
  await engine.search(request, (found) => {
    if (analysed === node) {
      lines = found;
      node.evaluation = evaluationOf(found[0], turn);
      drawSoon();
    }
  });
  if (analysed === node) {
    analysed = null;
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

/** Returns a position for the engine. @param {GameNode} node */
function positionOf(node) {
  return searchPosition(
    rules,
    game.fen,
    game.path(node).map(({ uci }) => uci),
  );
}

async function startReview() {
  const reviewed = game;
  isAnalysing = false;
  endAnalysis();
  opponent.pause();
  isReviewing = true;
  show();
  let isDone = false;
  try {
    isDone = await review(game, rules, engine, (done, all) => {
      Object.assign($('progress-bar'), { max: all, value: done });
      $('progress-text').textContent = `${done} of ${all} positions`;
    });
  } catch (error) {
    say(/** @type {Error} */ (error).message, true);
  }
  // Meanwhile another game may have been opened.
  if (reviewed === game) {
    isReviewing = false;
    update();
  }
  if (isDone) {
    $('review').scrollIntoView({ block: 'nearest' });
  }
}

// What the user does with the game.

/** Takes over the state of the game: shows and keeps it, and starts its search. */
function update() {
  now = rules.game(
    game.fen,
    game.path().map(({ uci }) => uci),
  );
  if (hint && hint.node !== game.shown) {
    hint = null;
  }
  think();
  show();
  library.save(game);
}

/** Shows a word to the user until the position changes. @param {string} text */
function say(text, isError = false) {
  notice = { text, isError };
  showStatus();
}

/**
 * Runs a change of the game that may be impossible, and shows the reason.
 * @param {() => void} change
 */
function attempt(change) {
  notice = null;
  try {
    change();
    update();
  } catch (error) {
    say(/** @type {Error} */ (error).message, true);
  }
}

/** Keeps the game, if it has moves, and shows another one. @param {Game} other */
function open(other) {
  if (game.root.children.length === 0) {
    library.remove(game.id);
  } else if (other !== game) {
    library.save(game);
  }
  if (isReviewing) {
    engine.cancel();
    isReviewing = false;
  }
  opponent.pause();
  endAnalysis();
  notice = null;
  hint = null;
  game = other;
  isFlipped = game.play?.user === 'b';
  update();
}

/** @param {GameNode | null} node */
function goTo(node) {
  if (node && node !== game.shown) {
    notice = null;
    game.shown = node;
    update();
  }
}

/** Whether moves on the board are those of the game against the engine. */
function isPlaying() {
  return game.isLive && !isAnalysing;
}

/** @param {LegalMove} move */
function playMove(move) {
  notice = null;
  if (game.play && isPlaying()) {
    opponent.move(game, game.play, move);
  } else {
    game.shown = game.add(game.shown, move.uci, move.san);
  }
  update();
}

/** Says why the board takes no move; shows the game's position if it is another one. */
function refuseMove() {
  if (isReviewing) {
    say('The review is running.');
  } else if (isPlaying() && game.shown !== game.head) {
    goTo(game.head);
    say('That was an earlier position. This is the game: move here.');
  }
}

/** Returns the moves that the board takes. */
function legalMoves() {
  if (now.end || isReviewing) {
    return [];
  }
  if (isPlaying()) {
    return game.shown === game.head && now.turn === game.play?.user ? now.legal : [];
  }
  return now.legal;
}

async function giveHint() {
  const node = game.head;
  goTo(node);
  say('Thinking of a hint …');
  const move = await opponent.hint(game);
  if (move && game.head === node) {
    hint = { node, uci: move.uci };
    say(`Hint: ${move.san}`);
    showBoard();
  }
}

/**
 * Asks a question with two answers.
 * @param {string} text
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
function ask(text, yes) {
  const asked = dialog('ask-dialog');
  $('ask-text').textContent = text;
  $('ask-yes').textContent = yes;
  asked.returnValue = 'no';
  asked.showModal();
  return new Promise((resolve) => {
    asked.onclose = () => resolve(asked.returnValue === 'yes');
  });
}

// Drawing.

function show() {
  showBoard();
  showAnalysis();
  showStatus();
  showClocks();
  showMoves(game, now, goTo);
  showReview(game, goTo);
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

function showBoard() {
  const { shown } = game;
  const isHidden = isPlaying();
  board.show({
    fen: now.fens[now.fens.length - 1],
    turn: now.turn,
    legal: legalMoves(),
    last: shown.uci === '0000' ? '' : shown.uci,
    check: now.check,
    arrows: arrows(),
    isFlipped,
  });
  const result = now.end?.result ?? null;
  showBar(result, isHidden ? null : shown.evaluation, isFlipped);
}

/** @returns {Arrow[]} */
function arrows() {
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

function showAnalysis() {
  $('analysis').hidden = !isAnalysing;
  if (!isAnalysing) {
    return;
  }
  const { fen, moves } = positionOf(game.shown);
  const rows = lines.map((line) => {
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
  const [first] = lines;
  $('numbers').textContent = first
    ? `depth ${first.depth}/${first.seldepth}, ${first.nodes.toLocaleString('en')} nodes, ` +
      `${first.nps.toLocaleString('en')} per second`
    : '';
}

function showStatus() {
  const status = $('status');
  const isError = fault !== null || notice?.isError === true;
  status.textContent = fault ?? notice?.text ?? statusText();
  status.classList.toggle('error', isError);
}

function statusText() {
  const side = now.turn === 'w' ? 'White' : 'Black';
  const { play } = game;
  if (isReviewing) {
    return 'The engine reviews the game …';
  }
  if (play?.isOver && game.shown === game.head) {
    return `${game.result}: ${play.reason}`;
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

function showClocks() {
  const { play } = game;
  const clocks = play?.time
    ? { w: opponent.clock.left(play, 'w'), b: opponent.clock.left(play, 'b') }
    : null;
  /** @param {string} name @param {string} without */
  const name = (name, without) => game.tag(name).replace(/^\?$/, '') || without;
  const turn = game.isLive ? opponent.position(game).turn : now.turn;
  showPlayers({ w: name('White', 'White'), b: name('Black', 'Black') }, clocks, turn, isFlipped);
}

// What the user may press.

function listenToBoard() {
  board.onmove = playMove;
  board.onrefused = refuseMove;
  $('first').onclick = () => goTo(game.root);
  $('back').onclick = () => goTo(game.shown.parent);
  $('forward').onclick = () => goTo(game.shown.children[0] ?? null);
  $('last').onclick = () => goTo(game.endOf(game.shown));
  $('flip').onclick = () => {
    isFlipped = !isFlipped;
    show();
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

function listenToPlay() {
  /** @param {string} id @param {(play: NonNullable<Game['play']>) => void} action */
  const on = (id, action) => {
    $(id).onclick = () => attempt(() => game.play && action(game.play));
  };
  on('take-back', (play) => {
    isAnalysing = false;
    opponent.takeBack(game, play);
  });
  $('hint').onclick = giveHint;
  $('draw').onclick = () => {
    const refusal = game.play && opponent.offerDraw(game, game.play);
    update();
    if (refusal) {
      say(refusal);
    }
  };
  $('resign').onclick = async () => {
    const { play } = game;
    if (play && (await ask('Resign this game?', 'Resign')) && game.isLive) {
      isAnalysing = false;
      opponent.resign(game, play);
      game.shown = game.head;
      update();
    }
  };
  $('move-now').onclick = () => engine.stop();
}

function listenToAnalysis() {
  $('analyse').onclick = () => {
    isAnalysing = !isAnalysing;
    if (!isAnalysing && game.isLive) {
      game.shown = game.head;
    }
    notice = null;
    update();
  };
  select('lines').onchange = () => {
    analysed = null;
    keepSettings();
    update();
  };
  input('arrows').onchange = () => {
    keepSettings();
    showBoard();
  };
  $('start-review').onclick = () => {
    if (isReviewing) {
      engine.cancel();
    } else {
      notice = null;
      startReview();
    }
  };
  $('next-mistake').onclick = () => goTo(nextMistake(game));
  $('delete').onclick = async () => {
    const { shown } = game;
    const isLong = shown.children.length > 0;
    if (!isLong || (await ask(`Delete ${shown.san} and all moves after it?`, 'Delete'))) {
      attempt(() => game.remove(shown));
    }
  };
  $('promote').onclick = () => attempt(() => game.promote(game.shown));
}

/** Shows in the dialog what was chosen the last time, and the range of the engine's levels. */
function prepareNewGame() {
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

function keepSettings() {
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

function startGame() {
  const side = chosen('side');
  const from = chosen('from');
  const [minutes, increment] = select('time').value.split('+').map(Number);
  const user = /** @type {Side} */ (side === 'random' ? 'wb'[Math.floor(Math.random() * 2)] : side);
  const next = new Game();
  if (from === 'here') {
    const path = game.path();
    next.fen = game.fen;
    path.forEach(({ uci, san }) => next.add(next.end, uci, san));
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
  isAnalysing = false;
  open(next);
}

function listenToNewGame() {
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

/** Opens a text: a position, or a game, or a list of games to choose from. @param {string} text */
function openText(text) {
  attempt(() => {
    if (isFen(text)) {
      rules.game(text.trim(), []);
      open(new Game(text.trim()));
      return;
    }
    const games = rules.listGames(text);
    if (games.length > 1) {
      chooseGame(text, games);
      return;
    }
    open(Game.fromTree(rules.readPgn(text).tree));
  });
}

/** @param {string} text @param {import('../rules.js').Listed[]} games */
function chooseGame(text, games) {
  const asked = dialog('games-dialog');
  $('games-title').textContent = `${games.length} games in the file`;
  $('save-all').hidden = true;
  showList(
    games.map((listed, index) => {
      if (listed.error !== undefined) {
        return { text: `Game ${index + 1} cannot be read`, detail: listed.error };
      }
      const openGame = () => {
        asked.close();
        attempt(() => open(Game.fromTree(rules.readPgn(text, index + 1).tree)));
      };
      return { ...described(listed), open: openGame };
    }),
  );
  asked.showModal();
}

function showGames() {
  const asked = dialog('games-dialog');
  $('games-title').textContent = 'Games';
  const games = library.games();
  $('save-all').hidden = games.length === 0;
  showList(
    games.map(({ id, stored }) => ({
      ...described(listed(stored)),
      isCurrent: id === game.id,
      open: () => {
        asked.close();
        const loaded = id === game.id ? null : library.load(id);
        if (loaded) {
          isAnalysing = false;
          open(loaded);
        }
      },
      remove: () => {
        library.remove(id);
        if (id === game.id) {
          game = new Game();
          open(game);
        }
        showGames();
      },
    })),
  );
  if (!asked.open) {
    asked.showModal();
  }
}

function listenToFiles() {
  $('games').onclick = () => {
    library.save(game);
    showGames();
  };
  $('save-all').onclick = () => {
    const texts = library.games().map(({ stored }) => rules.writeTree(stored.tree));
    saveFile('tabia.pgn', texts.join('\n'));
  };
  $('open').onclick = () => $('file').click();
  $('save').onclick = () => {
    const players = ['White', 'Black']
      .map((name) => game.tag(name))
      .filter(Boolean)
      .join('-');
    const name = players.replace(/[^\p{L}\p{N}-]+/gu, '_') || 'game';
    saveFile(`${name}.pgn`, input('pgn').value);
  };
  input('file').onchange = async () => {
    const [file] = input('file').files ?? [];
    if (file) {
      openText(await textOf(file));
    }
    input('file').value = '';
  };
  document.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) {
      event.preventDefault();
      $('drop').hidden = false;
    }
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) {
      $('drop').hidden = true;
    }
  });
  document.addEventListener('drop', async (event) => {
    $('drop').hidden = true;
    const [file] = event.dataTransfer?.files ?? [];
    if (file) {
      event.preventDefault();
      openText(await textOf(file));
    }
  });
  $('fen-form').onsubmit = (event) => {
    event.preventDefault();
    attempt(() => {
      const fen = input('fen').value.trim();
      rules.game(fen, []);
      open(new Game(fen));
    });
  };
  $('pgn-form').onsubmit = (event) => {
    event.preventDefault();
    openText(input('pgn').value);
  };
  $('copy').onclick = async () => {
    try {
      await navigator.clipboard.writeText(input('pgn').value);
      say('The PGN is copied.');
    } catch {
      input('pgn').select();
      say('The browser forbids to copy. The PGN is selected: press Ctrl and C.');
    }
  };
  // The clocks of a game that is closed are those of this moment.
  window.addEventListener('pagehide', () => {
    opponent.clock.pause();
    library.save(game);
  });
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) {
      update();
    }
  });
}

/** Makes the first game of a new visitor: against the engine, at once. */
function firstGame() {
  const first = new Game();
  begin(first, { user: 'w', level: 1500, time: null, seconds: 1 });
  return first;
}

engine.onfault = (message) => {
  if (!engine.isDead) {
    say(`The engine reports: ${message}`, true);
    return;
  }
  fault = `The engine has failed: ${message}. The moves stay here.`;
  isAnalysing = false;
  if (now) {
    update();
  } else {
    showStatus();
  }
};
library.onfault = (reason) => {
  // After the change that could not be kept has been shown.
  queueMicrotask(() =>
    say(`The browser cannot keep this game: ${reason}. Save it as a file.`, true),
  );
};
try {
  rules = await Rules.load();
  opponent = new Opponent(rules, engine);
  opponent.onchange = () => update();
  opponent.clock.ontick = showClocks;
  listenToBoard();
  listenToPlay();
  listenToAnalysis();
  listenToNewGame();
  listenToFiles();
  prepareNewGame();
  open(library.last() ?? firstGame());
} catch (error) {
  fault = /** @type {Error} */ (error).message;
  showStatus();
}
