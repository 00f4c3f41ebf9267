// Tests of the page: they do in Chromium what people do, and look at what is shown.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844, isPhone: true };

const START = 'rnbqkbnr/pppppppp';
const OPERA =
  '[Event "Paris Opera"]\n[Date "1858.11.02"]\n[White "Morphy, Paul"]\n' +
  '[Black "Duke Karl / Count Isouard"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 ' +
  '6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 ' +
  'Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n';
const SCHOLAR = '[White "Anna"]\n[Black "Bert"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0\n';

/** A page of Tabia with what a person sees in it. */
class Visit {
  constructor(page, pictures) {
    this.page = page;
    this.pictures = pictures;
  }

  async keep(name) {
    if (this.pictures) {
      mkdirSync(this.pictures, { recursive: true });
      // Squares may still fade, and dialogs open.
      await new Promise((resolve) => setTimeout(resolve, 400));
      writeFileSync(join(this.pictures, `${name}.png`), await this.page.picture());
    }
  }

  text(id) {
    return this.page.evaluate(`document.getElementById('${id}').textContent.trim()`);
  }

  value(id) {
    return this.page.evaluate(`document.getElementById('${id}').value`);
  }

  label(selector) {
    return this.page.evaluate(`document.querySelector('${selector}').getAttribute('aria-label')`);
  }

  /** Waits until the status begins so. */
  async status(start, seconds = 60) {
    const text = `document.getElementById('status').textContent`;
    await this.page
      .until(`${text}.startsWith(${JSON.stringify(start)})`, seconds)
      .catch(async () => {
        throw new Error(`the status is '${await this.text('status')}', not '${start}'`);
      });
  }

  /** Returns the moves of the list, variations included. */
  moves() {
    return this.page.evaluate(`[...document.querySelectorAll('#moves button')]
      .map((button) => button.textContent)`);
  }

  async movesCount(count) {
    await this.page.until(`document.querySelectorAll('#moves button').length === ${count}`);
  }

  bar() {
    return this.label('#bar');
  }

  /**
   * Starts a new game with these choices in the dialog: ids with values, names with radio buttons.
   */
  async newGame({ side = 'w', from = 'start', full = false, ...values } = {}) {
    const { page } = this;
    await page.click('#new');
    await page.click(`#new-form [name=side][value=${side}]`);
    await page.click(`#new-form [name=from][value=${from}]`);
    if ((await page.evaluate(`document.getElementById('full').checked`)) !== full) {
      await page.click('#full');
    }
    for (const [id, value] of Object.entries(values)) {
      await page.choose(`#${id}`, value);
    }
    await page.click('#begin');
  }

  async setUp(fen) {
    await this.openTexts();
    await this.page.type('#fen', fen);
    await this.page.click('#fen-form button');
  }

  async load(pgn) {
    await this.openTexts();
    await this.page.evaluate(`document.getElementById('pgn').value = ${JSON.stringify(pgn)}`);
    await this.page.click('#pgn-form button');
  }

  async openTexts() {
    if (!(await this.page.evaluate(`document.getElementById('texts').open`))) {
      await this.page.click('#texts summary');
    }
  }
}

async function visit({ browser, root, pictures }, options = DESKTOP) {
  const page = await browser.open(root, options);
  const visit = new Visit(page, pictures);
  await page.until(`document.getElementById('fen').value !== ''`);
  return visit;
}

/** Moves by drag, by keys and as a screen reader makes them; a promotion at its square. */
async function movesAreMade(place) {
  const at = await visit(place);
  const { page } = at;
  await at.status('Your move (White)');
  await page.drag('e2', 'e5');
  assert.deepEqual(await at.moves(), []);
  await page.drag('e2', 'e4');
  await at.status('Your move (White) after ');
  await at.movesCount(2);

  // Keys: g1 to f3 from the corner of the board.
  const square = (name) => `document.querySelector('[data-square=${name}]')`;
  await page.evaluate(`${square('a1')}.focus()`);
  const right = (count) => Array(count).fill('ArrowRight');
  for (const key of [...right(6), 'Enter', 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'Enter']) {
    await page.press(key);
  }
  await at.movesCount(4);
  assert.equal(await page.evaluate(`${square('f3')}.tabIndex - ${square('a1')}.tabIndex`), 1);

  // A screen reader reads the labels, and clicks without a pointer, with any detail.
  await at.setUp('4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1');
  await at.status('White to move');
  await page.evaluate(`${square('g1')}.click()`);
  assert.equal(await at.label('[data-square=g1]'), 'g1 white knight selected');
  assert.equal(await at.label('[data-square=f3]'), 'f3 target');
  const clicked = `new MouseEvent('click', { bubbles: true, detail: 1 })`;
  await page.evaluate(`${square('f3')}.dispatchEvent(${clicked})`);
  await at.movesCount(1);

  // A promotion is chosen at its square, by the pointer or by keys.
  await at.setUp('8/P2k4/8/8/8/8/8/4K2R w K - 0 1');
  await page.drag('a7', 'a8');
  const box = (selector) =>
    page.evaluate(`(({ left, top, width }) => [left, top, width].map(Math.round))(
    document.querySelector('${selector}').getBoundingClientRect())`);
  await page.until(`document.querySelector('.choice') !== null`);
  assert.deepEqual(await box('.choice'), await box('[data-square=a8]'));
  await at.keep('promotion');
  await page.press('Escape');
  assert.equal(await page.evaluate(`document.querySelector('.choice')`), null);
  await page.drag('a7', 'a8');
  await page.click('.choice [aria-label=knight]');
  await at.movesCount(1);
  assert.match(await at.value('fen'), /^N7\//);
  await page.click('#back');
  await page.drag('a7', 'a8');
  await page.until(`document.querySelector('.choice') !== null`);
  await page.press('Enter');
  await at.movesCount(2);
  assert.match(await at.value('pgn'), /1\. a8=N \(1\. a8=Q\) \*/);
  await page.close();
}

/** The bar shows the chances in the position on the board, or none. */
async function barBelongsToThePosition(place) {
  const at = await visit(place);
  const { page } = at;
  assert.equal(await at.bar(), 'No evaluation');
  await page.drag('e2', 'e4');
  await at.movesCount(2);
  assert.equal(await at.bar(), 'No evaluation');
  await at.setUp('7k/8/8/8/8/8/PPP5/K7 w - - 0 1');
  assert.equal(await at.bar(), 'No evaluation');
  await page.click('#analyse');
  await page.until(`/^White wins 9\\d|^White wins 100/.test(
    document.getElementById('bar').getAttribute('aria-label'))`);
  await page.click('#analyse');
  const won = await at.bar();
  await page.drag('a2', 'a4');
  assert.equal(await at.bar(), 'No evaluation');
  await page.click('#back');
  assert.equal(await at.bar(), won);
  await at.newGame();
  assert.equal(await at.bar(), 'No evaluation');
  await at.load(SCHOLAR);
  for (const step of ['forward', 'forward']) {
    await page.click(`#${step}`);
    assert.equal(await at.bar(), 'No evaluation');
  }
  // The heights follow the label.
  await page.click('#analyse');
  await page.until(`document.querySelectorAll('#output li').length === 3`);
  await page.until(`(() => {
    const height = (id) => document.getElementById(id).getBoundingClientRect().height;
    const label = /White wins (\\S+) %, draw (\\S+) %, Black wins (\\S+) %/
      .exec(document.getElementById('bar').getAttribute('aria-label'));
    const [win, draw, loss] = label.slice(1).map(Number);
    const differs = (id, percent) => Math.abs(100 * height(id) / height('bar') - percent) > 2;
    return Math.abs(win + draw + loss - 100) < 0.2 && !differs('bar-white', win)
      && !differs('bar-draw', draw);
  })()`);
  await page.click('#last');
  assert.equal(await at.bar(), 'White wins 100 %, draw 0 %, Black wins 0 %');
  assert.equal(await at.text('status'), '1-0: checkmate');
  await page.close();
}

/** A game keeps its moves, whatever is shown or analysed meanwhile. */
async function gameStaysAsItIs(place) {
  const at = await visit(place);
  const { page } = at;
  await at.newGame({ seconds: '0.2' });
  await page.drag('e2', 'e4');
  await at.movesCount(2);
  await page.drag('d2', 'd4');
  await at.movesCount(4);
  await at.status('Your move');
  const moves = await at.moves();
  await page.click('#first');
  assert.equal(await at.text('status'), 'An earlier position of the game');
  await page.drag('a2', 'a3');
  await at.status('That was an earlier position');
  assert.deepEqual(await at.moves(), moves);
  assert.match(await at.value('fen'), / w .* 3$/);

  // Analysis stops the game, and its moves are variations.
  await page.click('#analyse');
  assert.equal(await at.text('analyse'), 'Stop analysis');
  await at.status('The game waits while you analyse');
  await page.until(`document.querySelectorAll('.arrow').length === 3`);
  await page.drag('g1', 'h3');
  await at.movesCount(5);
  await at.keep('analysis-in-a-game');
  await page.click('#analyse');
  assert.equal(await at.text('analyse'), 'Analyse');
  await at.status('Your move');
  await page.drag('a2', 'a3');
  await at.movesCount(7);
  await at.status('Your move');
  assert.equal((await at.moves())[4], 'a3');
  assert.match(await at.value('pgn'), /3\. a3 \(3\. Nh3\)/);
  await page.close();
}

/** The level stays as it is set; the other choices of a new game do what they say. */
async function newGamesAreAsChosen(place) {
  const at = await visit(place);
  const { page } = at;
  await page.click('#new');
  await page.choose('#elo', '800');
  assert.equal(await at.text('elo-text'), '800');
  await at.keep('new-game');
  await page.press('Escape');
  await page.click('#new');
  assert.equal(await at.text('elo-text'), '800');
  await page.press('Escape');
  await at.newGame({ side: 'b', elo: '800', seconds: '0.2' });
  await at.status('Your move (Black) after ');
  assert.equal(
    await page.evaluate(`document.querySelector('#board .square').dataset.square`),
    'h1',
  );
  assert.match(await at.value('pgn'), /\[White "Tabia \(800\)"\]\n\[Black "You"\]/);
  await page.reload();
  await at.status('Your move (Black) after ');
  await page.click('#new');
  assert.equal(await at.text('elo-text'), '800');
  await page.press('Escape');

  await at.newGame({ from: 'chess960', number960: '0' });
  await at.status('Your move (White)');
  assert.match(await at.value('fen'), /^bbqnnrkr\/pppppppp/);
  assert.match(await at.value('pgn'), /\[Variant "Chess960"\]/);

  await at.load(SCHOLAR);
  for (const step of ['forward', 'forward', 'forward']) {
    await page.click(`#${step}`);
  }
  await at.newGame({ side: 'b', from: 'here', seconds: '0.2' });
  await at.status('Your move (Black) after Qh5');
  await page.drag('g7', 'g6');
  await at.movesCount(5);
  await page.close();
}

async function clocksAreKept(place) {
  const at = await visit(place);
  const { page } = at;
  await at.newGame({ time: '5+3', elo: '500' });
  assert.match(await at.text('bottom-clock'), /^(5:00|4:5\d)$/);
  await page.until(`document.getElementById('bottom-clock').textContent === '4:58'`);
  await page.drag('e2', 'e4');
  await at.movesCount(2);
  await page.until(`/^5:0[01]$/.test(document.getElementById('bottom-clock').textContent)`);
  assert.match(await at.value('pgn'), /\[TimeControl "300\+3"\]/);
  await at.keep('clocks');
  // The clock waits while the page is closed.
  await page.reload();
  await page.until(`/^(4:5\\d|5:0\\d)$/.test(document.getElementById('bottom-clock').textContent)`);
  // The time of a minute is moved forward by hand.
  await at.newGame({ time: '1+0' });
  await page.evaluate(
    `performance.now = ((now) => () => now.call(performance) + 61_000)(performance.now)`,
  );
  await at.status('0-1: Your time is up');
  assert.match(
    await at.value('pgn'),
    /\[Result "0-1"\]\n\[TimeControl "60\+0"\]\n\[Termination "time forfeit"\]/,
  );
  await page.close();
}

async function gamesEndAsThePlayersWish(place) {
  const at = await visit(place);
  const { page } = at;
  await at.newGame({ seconds: '0.2' });
  await page.drag('e2', 'e4');
  await at.movesCount(2);
  await page.click('#draw');
  await at.status('Tabia agrees to a draw from move 20');
  await page.click('#hint');
  await at.status('Hint: ');
  assert.equal(await page.evaluate(`document.querySelectorAll('.arrow.hint').length`), 1);
  await page.click('#take-back');
  await at.movesCount(0);
  await page.drag('d2', 'd4');
  await at.movesCount(2);
  await page.click('#resign');
  await at.keep('resign');
  await page.press('Escape');
  await at.status('Your move');
  await page.click('#resign');
  await page.click('#ask-yes');
  await at.status('0-1: You resigned');
  assert.match(await at.value('pgn'), /\[Result "0-1"\][^]* 0-1\n$/);
  // The game has ended, for analysis too.
  for (const isAnalysing of [false, true]) {
    if (isAnalysing) {
      await page.click('#analyse');
    }
    await page.drag('e2', 'e4');
    await at.status('You resigned. To play on');
    await at.movesCount(2);
  }
  await page.click('#analyse');
  // Taken back, the game goes on.
  await page.click('#take-back');
  await at.status('Your move (White)');
  assert.match(await at.value('pgn'), /\[Result "\*"\]/);
  // Where no pawn can move, a draw needs only the engine's score.
  await at.setUp('4k3/8/8/1p1p4/1P1P4/8/8/4K3 w - - 0 1');
  await at.newGame({ from: 'here', full: true, seconds: '0.2' });
  await page.click('#draw');
  await at.status('Tabia has to make a move before it agrees');
  await page.drag('e1', 'e2');
  await at.movesCount(2);
  await page.click('#draw');
  await at.status('1/2-1/2: Draw agreed');
  await page.close();
}

async function gamesAreKept(place) {
  const at = await visit(place);
  const { page } = at;
  await at.newGame({ seconds: '0.2' });
  await page.drag('c2', 'c4');
  await at.movesCount(2);
  await at.status('Your move');
  const moves = await at.moves();
  await page.reload();
  await at.status('Your move');
  assert.deepEqual(await at.moves(), moves);
  await at.load(SCHOLAR);
  await page.reload();
  await at.movesCount(7);
  await page.click('#games');
  const titles = `[...document.querySelectorAll('#games-list .game span')]
    .map((row) => row.textContent)`;
  assert.deepEqual(await page.evaluate(titles), ['Anna – Bert', 'You – Tabia (1500)']);
  await at.keep('games');
  await page.click('#games-list li:nth-child(2) .game');
  await at.status('Your move');
  assert.deepEqual(await at.moves(), moves);
  await page.click('#games');
  await page.click('[aria-label="Delete Anna – Bert"]');
  assert.deepEqual(await page.evaluate(titles), ['You – Tabia (1500)']);
  // A game that is damaged hides no other one.
  await page.press('Escape');
  await page.evaluate(`['', '{}'].forEach((text, at) =>
    localStorage.setItem('tabia.game.' + at, text))`);
  await page.click('#games');
  assert.deepEqual(await page.evaluate(titles), ['You – Tabia (1500)']);
  await page.close();

  // A browser that keeps nothing costs a line, not the game.
  const script = `Storage.prototype.setItem = () => { throw new Error('the storage is full'); };`;
  const full = await visit(place, { ...DESKTOP, script });
  await full.status('The browser cannot keep this game: the storage is full');
  await full.page.drag('e2', 'e4');
  await full.movesCount(2);
  await full.status('Your move');
  await full.page.close();
}

async function filesAreOpened(place) {
  const folder = mkdtempSync(join(tmpdir(), 'tabia-page-'));
  const file = (name, content) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const at = await visit(place);
  const { page } = at;
  const text =
    '[White "Anna"]\n[Black "?"]\n[Result "*"]\n\n' +
    '{Begin} 1. e4 e5 (1... c5! {the Sicilian} 2. Nf3 (2. c3) 2... d6) 2. Nf3 $14 Nc6 *\n';
  await page.chooseFile('#file', file('one.pgn', text));
  await at.movesCount(8);
  assert.deepEqual(await at.moves(), ['e4', 'e5', 'c5!', 'Nf3', 'c3', 'd6', 'Nf3', 'Nc6']);
  await at.keep('variations');
  const words = (text) => text.split(/\s+/).join(' ');
  assert.equal(words(await at.value('pgn')), words(text));
  // A walk through a variation, a new move in it, and the variation made the main line.
  await page.click('#moves button');
  await page.click('.variation button');
  assert.match(await at.value('fen'), /pp1ppppp/);
  assert.equal(await at.text('opening'), 'B20 Sicilian Defense');
  await page.drag('b1', 'c3');
  assert.match(await at.value('pgn'), /2\. Nf3 \(2\. c3\) \(2\. Nc3\)/);
  await page.click('#promote');
  assert.match(await at.value('pgn'), /1\. e4 c5! \{the Sicilian\} \(1\.\.\. e5/);
  await page.click('#delete');
  assert.doesNotMatch(await at.value('pgn'), /Nc3/);

  // A move with two judgements shows the first.
  await at.load('1. e4! $6 e5 $10 $4 *');
  assert.deepEqual(await at.moves(), ['e4!', 'e5??']);

  // Many games, one of them broken, in Latin-1.
  const many = Buffer.from(`${SCHOLAR}\n[White "M\xfcller"]\n\n1. d4 d5 1/2-1/2\n`, 'latin1');
  await page.drop(file('many.pgn', many));
  await page.until(`document.getElementById('games-dialog').open`);
  assert.equal(await at.text('games-title'), '2 games in the file');
  await at.keep('games-of-a-file');
  await page.click('#games-list li:nth-child(2) .game');
  await at.movesCount(2);
  assert.match(await at.value('pgn'), /\[White "Müller"\]/);
  await page.chooseFile('#file', file('position.fen', '4k3/8/8/8/8/8/8/4K2R w K - 0 1\n'));
  await page.until(`document.getElementById('fen').value.startsWith('4k3/8')`);

  // What cannot be read is named, and the game stays.
  await at.load('1. e4 Ke7');
  await page.until(`document.getElementById('status').className === 'error'`);
  assert.match(await at.text('status'), /Ke7/);
  await at.setUp('nonsense');
  await page.until(`document.getElementById('status').className === 'error'`);
  await at.keep('error');
  await page.close();
  rmSync(folder, { recursive: true });
}

async function gamesAreReviewed(place) {
  const at = await visit(place);
  const { page } = at;
  await at.load(SCHOLAR.replace('??', ''));
  await page.click('#start-review');
  await page.until(`document.getElementById('progress').hidden === false`);
  assert.equal(await at.text('start-review'), 'Stop review');
  await page.click('#start-review');
  await page.until(`document.getElementById('progress').hidden`);
  await page.click('#start-review');
  await page.until(`!document.getElementById('review').hidden`, 300);
  const rows = `[...document.querySelectorAll('#players tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent))`;
  const [white, black] = await page.evaluate(rows);
  assert.equal(white[0], 'Anna');
  assert.equal(black[4], '1', 'a blunder');
  assert.ok(parseFloat(white[1]) > parseFloat(black[1]), `${white} ${black}`);
  assert.ok((await at.moves()).includes('Nf6??'));
  assert.match(
    await at.value('pgn'),
    /\[Annotator "Tabia [^]*3\.\.\. Nf6\?\? \{\[%eval #1\]\} \(3\.\.\. /,
  );
  // An inaccuracy may come before the blunder.
  for (let clicks = 0; clicks < 3 && !(await at.text('verdict')).startsWith('Nf6'); clicks += 1) {
    await page.click('#next-mistake');
  }
  assert.match(
    await at.text('verdict'),
    /^Nf6 is a blunder: Black's winning chances fall from \d+\s% to \d\s%\. Better /,
  );
  await at.keep('review');
  // A click on the end of the graph shows the end of the game.
  await page.click('#graph', 0.49);
  assert.equal(await at.text('status'), '1-0: checkmate');
  await page.click('#back');
  assert.match(await at.bar(), /^White wins/);
  assert.equal(await page.evaluate(`document.querySelectorAll('.arrow.best').length`), 1);
  await page.reload();
  await page.until(`!document.getElementById('review').hidden`);
  await page.close();
}

/** Every text has a contrast of at least 4.5 : 1 to what is behind it. */
async function textIsReadable(place) {
  for (const isDark of [false, true]) {
    const at = await visit(place, { ...DESKTOP, isDark });
    const { page } = at;
    const name = isDark ? 'dark' : 'light';
    await at.newGame({ time: '10+5' });
    await page.drag('e2', 'e4');
    await at.movesCount(2);
    await at.keep(`play-${name}`);
    await checkContrast(page, 'a game');
    await page.click('#new');
    await checkContrast(page, 'the dialog of a new game');
    await at.keep(`new-game-${name}`);
    await page.press('Escape');
    await page.click('#games');
    await checkContrast(page, 'the list of games');
    await page.press('Escape');
    await at.load(SCHOLAR.replace('Bc4', 'Bc4?! {too early} $2 (3. Nf3!) '));
    await page.click('#start-review');
    await page.until(`!document.getElementById('review').hidden`, 300);
    await page.click('#next-mistake');
    await checkContrast(page, 'a review');
    await at.keep(`review-${name}`);
    await page.click('#analyse');
    await page.until(`document.querySelectorAll('#output li').length === 3`);
    await checkContrast(page, 'an analysis');
    await at.keep(`analysis-${name}`);
    await at.setUp('nonsense');
    await page.until(`document.getElementById('status').className === 'error'`);
    await checkContrast(page, 'an error');
    await page.close();
  }
}

async function checkContrast(page, what) {
  const poor = await page.evaluate(`(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = (front, back) => [0, 1, 2]
      .map((part) => front[part] * front[3] + back[part] * (1 - front[3])).concat(1);
    const light = (color) => color.slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const behind = (element) => {
      const layers = [];
      for (let at = element; at; at = at.parentElement) {
        layers.push(rgba(getComputedStyle(at).backgroundColor));
      }
      return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
    };
    const isShown = (element) => element.checkVisibility() && !element.closest(':disabled');
    const texts = [...document.querySelectorAll('body *')].filter((element) => isShown(element)
      && [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
    return texts.flatMap((element) => {
      const back = behind(element);
      const front = over(rgba(getComputedStyle(element).color), back);
      const [more, less] = [light(front), light(back)].sort((a, b) => b - a);
      const contrast = (more + 0.05) / (less + 0.05);
      const start = element.textContent.trim().slice(0, 20);
      return contrast < 4.5 ? [start + ' ' + contrast.toFixed(2)] : [];
    });
  })()`);
  assert.deepEqual(poor, [], what);
}

async function phonesAreServed(place) {
  for (const isDark of [false, true]) {
    const at = await visit(place, { ...PHONE, isDark });
    const { page } = at;
    const name = isDark ? 'phone-dark' : 'phone';
    await page.click('#new');
    await at.keep(`${name}-new-game`);
    await page.press('Escape');
    await at.newGame({ side: 'b', time: '5+3' });
    await at.status('Your move');
    await page.tap('e7');
    await page.until(`document.querySelectorAll('.target').length === 2`);
    await at.keep(`${name}-play`);
    await page.tap('e5');
    await at.movesCount(3);
    await at.status('Your move');
    // A second finger takes the drag over: no picture of the first one's piece stays, and where the
    // first one ends is no matter.
    await page.dragTwice('d7', 'c6', 'c7');
    assert.equal(await page.evaluate(`document.querySelectorAll('#ghost').length`), 0);
    await at.movesCount(3);
    await isNarrow(page);
    await at.load(SCHOLAR);
    await page.click('#start-review');
    await page.until(`!document.getElementById('review').hidden`, 300);
    await page.click('#next-mistake');
    await isNarrow(page);
    await at.keep(`${name}-review`);
    await page.click('#analyse');
    await page.until(`document.querySelectorAll('#output li').length === 3`);
    await page.evaluate('scrollTo(0, 0)');
    await isNarrow(page);
    await at.keep(`${name}-analysis`);
    await page.close();
  }
}

async function isNarrow(page) {
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.ok(width <= PHONE.width, `the page is ${width} px wide`);
}

/** The board fills the height of a large window, and the panel what is left of the width. */
async function windowsAreFilled(place) {
  for (const [width, height] of [
    [1920, 1080],
    [1024, 768],
    [844, 390],
  ]) {
    const at = await visit(place, { width, height });
    const { page } = at;
    await at.load(SCHOLAR);
    await page.click('#analyse');
    await page.until(`document.querySelectorAll('#output li').length === 3`);
    const board = await page.evaluate(`document.getElementById('board').clientHeight`);
    const least = width > 1000 ? 0.58 : 0.7;
    assert.ok(
      board >= least * Math.min(height, width),
      `${width} by ${height}: the board has ${board}`,
    );
    const right = await page.evaluate(`Math.max(...['controls', 'record']
      .map((id) => document.getElementById(id).getBoundingClientRect().right))`);
    assert.ok(right >= 0.9 * width && right <= width, `${width}: the panel ends at ${right}`);
    await at.keep(`window-${width}`);
    await page.close();
  }
}

/** Takes the pictures of docs/web.md. */
async function takePictures(place) {
  for (const [name, options] of [
    ['web', DESKTOP],
    ['web-phone', { ...PHONE, isDark: true }],
  ]) {
    const at = await visit(place, options);
    const { page } = at;
    await at.load(OPERA);
    await page.click('#texts summary');
    await page.click('#start-review');
    await page.until(`!document.getElementById('review').hidden`, 600);
    await page.click('#next-mistake');
    await page.click('#next-mistake');
    if (options.isPhone) {
      await page.click('#analyse');
      await page.until(`/^depth 1[2-9]/.test(document.getElementById('numbers').textContent)`, 300);
    }
    await page.evaluate('scrollTo(0, 0)');
    await at.keep(name);
    await page.close();
  }
}

/** Tests the page at an address; `pictures` is a folder for pictures of its screens, or nothing. */
export async function testPage(browser, root, pictures) {
  const place = { browser, root, pictures };
  const tests = [
    movesAreMade,
    barBelongsToThePosition,
    gameStaysAsItIs,
    newGamesAreAsChosen,
    clocksAreKept,
    gamesEndAsThePlayersWish,
    gamesAreKept,
    filesAreOpened,
    gamesAreReviewed,
    textIsReadable,
    phonesAreServed,
    windowsAreFilled,
  ];
  if (pictures) {
    tests.push(takePictures);
  }
  const only = process.env.ONLY?.split(',');
  for (const test of tests.filter(({ name }) => !only || only.includes(name))) {
    await test(place);
    console.log(`page: ${test.name}`);
  }
}

/** Checks that the page shows that its engine is dead, also after a move of the user. */
export async function testFault(browser, root) {
  const page = await browser.open(root, DESKTOP);
  const at = new Visit(page);
  await at.status('The engine has failed: the worker could not be loaded');
  await page.drag('e2', 'e4');
  await at.movesCount(1);
  await at.status('The engine has failed: the worker could not be loaded');
  await page.close();
}

/** Checks what the page of `tabia web` shows without the token, and when the program has ended. */
export async function testLoss(browser, address, end) {
  const at = new Visit(await browser.open(address.split('#')[0], DESKTOP));
  await at.status('the program refuses: the token is wrong: open the address that was printed');
  await at.page.close();
  const left = await visit({ browser, root: address });
  await left.status('Your move');
  end();
  await left.status('The engine has failed: there is no connection to the program');
  await left.page.close();
}
