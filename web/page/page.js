// The page: plays against the engine and analyses. tabia.wasm knows the rules; this file draws.

import { drawing, names } from './pieces.js';
import { Rules } from '../rules.js';
import { Tabia } from '../tabia.js';

const $ = (id) => document.getElementById(id);
const files = 'abcdefgh';

let rules = null;
const engine = new Tabia();

/**
 * Start position, moves in UCI notation, tags of the PGN as pairs of name and value, and the number
 * of moves before the position shown.
 */
const game = { fen: '', moves: [], tags: [], shown: 0 };
/** Answer of `rules` for the game up to the position shown, and for the whole game. */
let now = null;
let whole = null;
/** Side of the user in a game against the engine: 'w', 'b' or null. */
let user = null;
let isAnalysing = false;
let isFlipped = false;
let selected = null;

// The engine.

/** The running search: what it is for and its position. `next` replaces it when it has ended. */
let search = null;
let next = null;
let drawsSoon = false;
/** Message that the engine has failed, or null. */
let fault = null;

function send(...lines) {
  lines.forEach((line) => engine.postMessage(line));
}

function positionCommand(fen, moves) {
  const start = fen === '' ? 'startpos' : `fen ${fen}`;
  return moves.length === 0 ? `position ${start}` : `position ${start} moves ${moves.join(' ')}`;
}

function start(request) {
  search = { ...request, lines: [] };
  const isPlay = request.purpose === 'play';
  send(
    `setoption name UCI_AnalyseMode value ${!isPlay}`,
    `setoption name MultiPV value ${isPlay ? 1 : $('lines').value}`,
    `setoption name UCI_LimitStrength value ${!$('full').checked}`,
    `setoption name UCI_Elo value ${$('elo').value}`,
    positionCommand(request.fen, request.moves),
    isPlay ? `go movetime ${Number($('seconds').value) * 1000}` : 'go infinite',
  );
  $('stop').disabled = false;
}

/** Starts a search when the running one has ended; null only ends that. */
function replaceSearch(request) {
  if (search === null) {
    if (request !== null) {
      start(request);
    }
    return;
  }
  search.isOld = true;
  next = request;
  send('stop');
}

/** Returns whether the engine moves next, at the end of the game. */
function isEngineTurn() {
  const isLast = game.shown === game.moves.length;
  return user !== null && now.turn !== user && isLast && now.end === null;
}

/** Starts the search of the position shown, if it needs one and there is an engine. */
function think() {
  if (fault !== null) {
    return;
  }
  const position = { fen: game.fen, moves: game.moves.slice(0, game.shown), turn: now.turn };
  if (isAnalysing && now.end === null) {
    replaceSearch({ purpose: 'analyse', ...position });
  } else if (isEngineTurn()) {
    replaceSearch({ purpose: 'play', ...position });
  } else {
    replaceSearch(null);
  }
}

function receive(line) {
  const words = line.split(' ');
  if (words[0] === 'info' && words[1] === 'string') {
    console.info(line);
    if (words[2] === 'error:') {
      fail(words.slice(3).join(' '));
    }
  } else if (words[0] === 'info') {
    receiveInfo(words);
  } else if (words[0] === 'bestmove') {
    receiveBest(words[1]);
  } else if (line.startsWith('option name UCI_Elo ')) {
    const number = (name) => Number(words[words.indexOf(name) + 1]);
    const [min, max] = [number('min'), number('max')];
    Object.assign($('elo'), { min, max, step: 10, value: Math.min(1500, max) });
    showLevel();
  }
}

function receiveInfo(words) {
  if (search === null || search.isOld || !words.includes('pv') || words.includes('lowerbound')
    || words.includes('upperbound')) {
    return;
  }
  const after = (name, count = 1) => {
    const at = words.indexOf(name);
    return at < 0 ? null : words.slice(at + 1, at + 1 + count).map(Number);
  };
  const sign = search.turn === 'w' ? 1 : -1;
  const [kind, value] = words.slice(words.indexOf('score') + 1);
  const wdl = after('wdl', 3);
  const rank = after('multipv')[0];
  search.lines[rank - 1] = {
    depth: after('depth')[0],
    mate: kind === 'mate',
    score: sign * Number(value),
    wdl: wdl === null || sign > 0 ? wdl : wdl.reverse(),
    pv: words.slice(words.indexOf('pv') + 1),
  };
  search.numbers = `depth ${after('depth')[0]}/${after('seldepth')[0]}, `
    + `${after('nodes')[0].toLocaleString('en')} nodes, ${after('nps')[0].toLocaleString('en')} per second`;
  if (!drawsSoon) {
    drawsSoon = true;
    requestAnimationFrame(() => {
      drawsSoon = false;
      showLines();
    });
  }
}

function receiveBest(move) {
  const ended = search;
  search = null;
  $('stop').disabled = true;
  if (next !== null) {
    const request = next;
    next = null;
    start(request);
  } else if (ended !== null && !ended.isOld && ended.purpose === 'play' && move !== '(none)') {
    showBar(ended.lines[0]);
    play(move);
  }
}

function loseEngine(error) {
  fault = `The engine has failed: ${error.message}. Copy the PGN to keep the game, then reload.`;
  search = null;
  next = null;
  $('stop').disabled = true;
  fail(fault);
}

// The game.

/** Computes the state of the game, shows it and starts its search. */
function update() {
  const shownMoves = game.moves.slice(0, game.shown);
  now = rules.game(game.fen, shownMoves);
  whole = game.shown === game.moves.length ? now : rules.game(game.fen, game.moves);
  selected = null;
  show();
  think();
}

function setGame(fen, moves, tags = []) {
  rules.game(fen, moves);
  Object.assign(game, { fen, moves, tags, shown: moves.length });
  update();
}

/** Changes the moves of the game, and so its end. */
function setMoves(moves) {
  const ofEnd = ['PlyCount', 'Result', 'Termination'];
  setGame(game.fen, moves, game.tags.filter(([name]) => !ofEnd.includes(name)));
}

function play(uci) {
  setMoves([...game.moves.slice(0, game.shown), uci]);
}

function goTo(ply) {
  const shown = Math.max(0, Math.min(ply, game.moves.length));
  if (shown !== game.shown) {
    game.shown = shown;
    update();
  }
}

function newGame(side) {
  user = side;
  isAnalysing = false;
  isFlipped = side === 'b';
  send('ucinewgame');
  clearLines();
  setGame('', []);
}

/** Returns the tags of the PGN: in a game against the engine they follow from its settings. */
function currentTags() {
  if (user === null) {
    return game.tags;
  }
  const date = new Date().toISOString().slice(0, 10).replaceAll('-', '.');
  const level = $('full').checked ? '' : ` (${$('elo').value})`;
  return [
    ['Event', 'Game in a browser'], ['Date', date],
    ['White', user === 'w' ? 'User' : `Tabia${level}`],
    ['Black', user === 'b' ? 'User' : `Tabia${level}`],
  ];
}

/** Plays the user's move; asks for the piece of a promotion. */
async function tryMove(from, to) {
  const fits = now.legal.filter((move) => move.from === from && move.to === to);
  if (fits.length === 0 || !mayMove()) {
    return;
  }
  const move = fits.length === 1 ? fits[0] : await choosePromotion(fits);
  if (move) {
    play(move.uci);
  }
}

function mayMove() {
  return now.end === null && (isAnalysing || user === null || now.turn === user);
}

function choosePromotion(moves) {
  const dialog = $('promotion');
  return new Promise((resolve) => {
    dialog.replaceChildren(...moves.map((move) => {
      const button = document.createElement('button');
      const letter = move.promotion.toLowerCase();
      button.innerHTML = drawing(now.turn === 'w' ? letter.toUpperCase() : letter);
      button.setAttribute('aria-label', names[letter]);
      button.onclick = () => {
        dialog.onclose = null;
        dialog.close();
        resolve(move);
      };
      return button;
    }));
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}

// The board.

const squares = new Map();

function buildBoard() {
  const board = $('board');
  board.replaceChildren();
  squares.clear();
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 8; column += 1) {
      const file = isFlipped ? 7 - column : column;
      const rank = isFlipped ? row + 1 : 8 - row;
      const name = `${files[file]}${rank}`;
      const square = document.createElement('button');
      square.className = `square ${(file + rank) % 2 === 1 ? 'dark' : ''}`;
      square.dataset.square = name;
      square.tabIndex = row === 7 && column === 0 ? 0 : -1;
      if (row === 7) {
        square.dataset.file = files[file];
      }
      if (column === 0) {
        square.dataset.rank = rank;
      }
      board.append(square);
      squares.set(name, square);
    }
  }
  $('bar').classList.toggle('flipped', isFlipped);
}

function piecesOf(fen) {
  const pieces = new Map();
  fen.split(' ')[0].split('/').forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= '1' && letter <= '8') {
        file += Number(letter);
      } else {
        pieces.set(`${files[file]}${8 - index}`, letter);
        file += 1;
      }
    }
  });
  return pieces;
}

function pieces() {
  return piecesOf(now.fens.at(-1));
}

function showBoard() {
  const shown = pieces();
  const last = game.shown > 0 ? game.moves[game.shown - 1] : '';
  const targets = new Set(now.legal.filter((move) => move.from === selected).map((move) => move.to));
  for (const [name, square] of squares) {
    const letter = shown.get(name);
    const rank = square.dataset.rank ? `<span class="rank">${square.dataset.rank}</span>` : '';
    square.innerHTML = rank + (letter ? drawing(letter) : '');
    const color = letter && letter === letter.toUpperCase() ? 'white' : 'black';
    const label = letter ? [name, color, names[letter.toLowerCase()]] : [name];
    const mark = (kind, is) => square.classList.toggle(kind, is);
    mark('selected', name === selected);
    mark('target', targets.has(name));
    mark('full', targets.has(name) && Boolean(letter));
    mark('moved', last.slice(0, 2) === name || last.slice(2, 4) === name);
    mark('check', now.check === name);
    const named = ['moved', 'check', 'selected', 'target'];
    label.push(...named.filter((kind) => square.classList.contains(kind)));
    square.setAttribute('aria-label', label.join(' '));
  }
}

function select(name) {
  const canMove = mayMove() && now.legal.some((move) => move.from === name);
  selected = canMove ? name : null;
  showBoard();
}

function tap(name) {
  const from = selected;
  const isTarget = now.legal.some((move) => move.from === from && move.to === name);
  select(isTarget || name === from ? null : name);
  if (isTarget) {
    tryMove(from, name);
  }
}

/** Returns whether a key belongs to the page and not to the browser, as Alt with an arrow does. */
function isPlain(event) {
  return !event.altKey && !event.ctrlKey && !event.metaKey;
}

function squareAt(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest('.square')?.dataset.square;
}

let drag = null;
/** Whether the next click is that of a pointer, which has been served before. */
let isPointed = false;

function endDrag() {
  drag?.ghost?.remove();
  squares.get(drag?.from)?.classList.remove('lifted');
  drag = null;
}

function listenToBoard() {
  const board = $('board');
  board.addEventListener('pointerdown', (event) => {
    const from = squareAt(event);
    if (!from || event.button !== 0) {
      return;
    }
    endDrag();
    drag = { from, pointer: event.pointerId, x: event.clientX, y: event.clientY, ghost: null };
    isPointed = true;
    board.setPointerCapture(event.pointerId);
  });
  board.addEventListener('pointermove', (event) => {
    if (drag?.pointer !== event.pointerId) {
      return;
    }
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6;
    if (drag.ghost === null && far && now.legal.some((move) => move.from === drag.from)) {
      select(drag.from);
      if (selected === null) {
        return;
      }
      const square = squares.get(drag.from);
      drag.ghost = document.createElement('div');
      drag.ghost.id = 'ghost';
      drag.ghost.style.width = `${square.clientWidth * 1.15}px`;
      drag.ghost.innerHTML = drawing(pieces().get(drag.from));
      document.body.append(drag.ghost);
      square.classList.add('lifted');
    }
    if (drag.ghost) {
      drag.ghost.style.left = `${event.clientX}px`;
      drag.ghost.style.top = `${event.clientY}px`;
    }
  });
  board.addEventListener('pointerup', (event) => {
    if (drag?.pointer !== event.pointerId) {
      return;
    }
    const { from, ghost } = drag;
    const to = squareAt(event);
    endDrag();
    if (ghost === null) {
      squares.get(from).focus();
      tap(from);
    } else {
      select(null);
      if (to && to !== from) {
        tryMove(from, to);
      }
    }
  });
  board.addEventListener('pointercancel', endDrag);
  // Keys and assistive technology click without a pointer, some with a `detail` like a pointer's.
  board.addEventListener('click', (event) => {
    const square = event.target.closest('.square');
    if (square && (event.detail === 0 || !isPointed)) {
      tap(square.dataset.square);
    }
    isPointed = false;
  });
  // Tab returns to the square that had the focus last.
  board.addEventListener('focusin', (event) => squares.forEach((square) => {
    square.tabIndex = square === event.target ? 0 : -1;
  }));
  board.addEventListener('keydown', (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 };
    const list = [...board.children];
    const at = list.indexOf(document.activeElement);
    if (event.key in steps && isPlain(event)) {
      list[at + steps[event.key]]?.focus();
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

// The panel.

function scoreText({ mate, score }) {
  if (mate) {
    return score > 0 ? `#${score}` : `#−${-score}`;
  }
  return `${score < 0 ? '−' : '+'}${(Math.abs(score) / 100).toFixed(2)}`;
}

function showBar(line) {
  if (!line?.wdl) {
    return;
  }
  const [win, draw, loss] = line.wdl.map((permille) => permille / 10);
  $('white').style.height = `${win}%`;
  $('draw').style.height = `${draw}%`;
  const label = `White wins ${win} %, draw ${draw} %, Black wins ${loss} %`;
  $('bar').setAttribute('aria-label', label);
}

function clearLines() {
  $('output').replaceChildren();
  $('numbers').textContent = '';
}

function showLines() {
  if (search === null || search.isOld || search.purpose !== 'analyse') {
    return;
  }
  const rows = search.lines.filter(Boolean).map((line) => {
    const row = document.createElement('li');
    const score = document.createElement('b');
    score.textContent = scoreText(line);
    const chances = document.createElement('small');
    chances.textContent = line.wdl ? `${line.wdl.map((n) => Math.round(n / 10)).join('/')} ` : '';
    const text = rules.line(search.fen, search.moves, line.pv);
    row.append(score, chances, text);
    row.title = text;
    return row;
  });
  $('output').replaceChildren(...rows);
  $('numbers').textContent = search.numbers;
  showBar(search.lines[0]);
}

function showMoves() {
  const parts = [];
  let number = whole.number;
  whole.sans.forEach((san, index) => {
    const isWhite = (index % 2 === 0) === whole.startsWhite;
    if (isWhite || index === 0) {
      parts.push(document.createTextNode(` ${number}${isWhite ? '.' : '…'} `));
    }
    if (!isWhite) {
      number += 1;
    }
    const button = document.createElement('button');
    button.textContent = san;
    if (index + 1 === game.shown) {
      button.setAttribute('aria-current', 'true');
    }
    button.onclick = () => goTo(index + 1);
    parts.push(button);
  });
  $('moves').replaceChildren(...parts);
  $('moves').querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

function showStatus() {
  if (fault !== null) {
    fail(fault);
    return;
  }
  const side = now.turn === 'w' ? 'White' : 'Black';
  let text = `${side} to move`;
  if (now.end) {
    text = `${now.end.result}: ${now.end.reason}`;
  } else if (isAnalysing) {
    text = `Analysis, ${text}`;
  } else if (isEngineTurn()) {
    text = 'Tabia is thinking …';
  } else if (user === now.turn) {
    const last = now.sans.at(-1);
    text = `Your move (${side})${last ? ` after ${last}` : ''}`;
  }
  $('status').textContent = text;
  $('status').className = '';
}

function fail(message) {
  $('status').textContent = message;
  $('status').className = 'error';
}

function showLevel() {
  $('elo').disabled = $('full').checked;
  $('elo-text').textContent = $('elo').value;
}

function show() {
  if ((squares.size === 0) || (squares.keys().next().value === 'a8') === isFlipped) {
    buildBoard();
  }
  showBoard();
  showMoves();
  showStatus();
  $('fen').value = now.fens.at(-1);
  $('pgn').value = rules.writePgn(game.fen, game.moves, currentTags());
  $('analyse').setAttribute('aria-pressed', isAnalysing);
  if (!isAnalysing) {
    clearLines();
  }
}

/** Runs a change that the user's text may make impossible, and shows the reason. */
function attempt(change) {
  try {
    change();
  } catch (error) {
    fail(error.message);
  }
}

function listenToPanel() {
  $('new-white').onclick = () => newGame('w');
  $('new-black').onclick = () => newGame('b');
  $('analyse').onclick = () => {
    isAnalysing = !isAnalysing;
    game.tags = currentTags();
    user = null;
    update();
  };
  $('stop').onclick = () => send('stop');
  $('undo').onclick = () => {
    // Against the engine, its answer goes too.
    const plies = user !== null && now.turn === user ? 2 : 1;
    const left = Math.max(0, game.shown - plies);
    setMoves(game.moves.slice(0, left));
  };
  $('flip').onclick = () => {
    isFlipped = !isFlipped;
    show();
  };
  $('first').onclick = () => goTo(0);
  $('back').onclick = () => goTo(game.shown - 1);
  $('forward').onclick = () => goTo(game.shown + 1);
  $('last').onclick = () => goTo(game.moves.length);
  $('full').onchange = showLevel;
  $('elo').oninput = showLevel;
  $('lines').onchange = () => isAnalysing && think();
  $('fen-form').onsubmit = (event) => {
    event.preventDefault();
    attempt(() => {
      const fen = $('fen').value.trim();
      rules.game(fen, []);
      user = null;
      setGame(fen, []);
    });
  };
  $('pgn-form').onsubmit = (event) => {
    event.preventDefault();
    attempt(() => {
      const { fen, moves, tags } = rules.readPgn($('pgn').value);
      user = null;
      setGame(fen === rules.game('', []).fens[0] ? '' : fen, moves, tags);
    });
  };
  $('copy').onclick = () => {
    $('pgn').select();
    navigator.clipboard?.writeText($('pgn').value);
  };
  document.addEventListener('keydown', (event) => {
    if (!isPlain(event) || event.target.closest('input, textarea, select, dialog, #board')) {
      return;
    }
    if (event.key === 'ArrowLeft') {
      goTo(game.shown - 1);
    } else if (event.key === 'ArrowRight') {
      goTo(game.shown + 1);
    }
  });
}

engine.onmessage = receive;
engine.onerror = loseEngine;
send('uci', 'setoption name UCI_ShowWDL value true');
try {
  rules = await Rules.load();
  listenToBoard();
  listenToPanel();
  newGame('w');
} catch (error) {
  fail(error.message);
}
