// Tests of the package under node and of the page in Chromium.
//
//     node tests/run.js [PICTURES]
//
// Pictures of the page go to the folder PICTURES. CHROMIUM names another browser; `none` leaves
// the browser out. SIGNATURE is the node count that `bench` must have.

import assert from 'node:assert/strict';

import { Rules } from '../node/rules.js';
import { Tabia } from '../node/tabia.js';
import { Browser, serve } from './browser.js';
import { pack } from './package.js';
import { testFault, testPage } from './page.js';

const wasm = new URL('../tabia.wasm', import.meta.url);
const pictures = process.argv[2];
const signature = process.env.SIGNATURE;

/** An engine whose lines can be waited for. Also runs in pages, so it uses nothing outside. */
function dialogue(Tabia) {
  const engine = new Tabia();
  const lines = [];
  let wake = () => {};
  engine.onmessage = (line) => {
    lines.push(line);
    wake();
  };
  engine.onerror = (error) => lines.push(`failed: ${error.message}`);
  return {
    lines,
    send: (...sent) => sent.forEach((line) => engine.postMessage(line)),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    /** Returns the next line with this beginning, and drops those before it. */
    async until(start, seconds = 300) {
      const end = Date.now() + seconds * 1000;
      for (;;) {
        while (lines.length > 0) {
          const line = lines.shift();
          if (line.startsWith('failed') || line.startsWith('info string error')) {
            throw new Error(line);
          }
          if (line.startsWith(start)) {
            return line;
          }
        }
        if (Date.now() > end) {
          throw new Error(`no line begins with '${start}'`);
        }
        await new Promise((resolve) => {
          wake = resolve;
          setTimeout(resolve, 100);
        });
      }
    },
    end: () => engine.terminate(),
  };
}

/** Tests an engine; returns the milliseconds from `stop` to `bestmove`, and the line of `bench`. */
async function exercise(Tabia, dialogue) {
  const engine = dialogue(Tabia);
  const { send, until, sleep, lines } = engine;
  const must = (condition, text) => {
    if (!condition) {
      throw new Error(`${text}; lines: ${lines.join(' | ')}`);
    }
  };
  send('uci');
  await until('option name Threads type spin default 1 min 1 max 1');
  await until('uciok', 30);
  send('compiler');
  must((await until('Network')).endsWith('SIMD128'), 'the SIMD128 kernel is used');

  // `isready` is answered during a search, and `stop` ends it.
  const delays = [];
  for (let round = 0; round < 5; round += 1) {
    send('go infinite');
    await until('info depth', 30);
    send('isready');
    await until('readyok', 5);
    await sleep(100);
    const start = performance.now();
    send('stop');
    await until('bestmove', 30);
    delays.push(performance.now() - start);
  }
  // A stop before the search begins is not lost.
  send('go infinite', 'stop');
  await until('bestmove', 30);
  send('isready');
  await until('readyok', 30);
  // Pondering: no move before ponderhit, then one in time.
  send('go ponder wtime 2000 btime 2000');
  await sleep(300);
  must(!lines.some((line) => line.startsWith('bestmove')), 'no move while pondering');
  send('ponderhit');
  await until('bestmove', 10);
  // An infinite search of a mate reaches the greatest depth and waits for stop.
  send('position fen 7k/5K2/8/6Q1/8/8/8/8 w - - 0 1', 'go infinite', 'isready');
  await until('readyok', 30);
  await sleep(500);
  must(!lines.some((line) => line.startsWith('bestmove')), 'no move before stop');
  send('isready');
  await until('readyok', 30);
  send('stop');
  must((await until('bestmove', 30)).startsWith('bestmove g5h'), 'the mate is played');
  // A clock is kept.
  send('position startpos');
  const start = performance.now();
  send('go movetime 500');
  await until('bestmove', 30);
  const used = performance.now() - start;
  must(used > 300 && used < 1500, `500 ms took ${used}`);
  // Long lines of forced moves fit the stack.
  send('position fen 8/8/8/k7/p1p1p1p1/P1P1P1P1/K7/8 w - - 0 1', 'go depth 120 movetime 3000');
  await until('bestmove', 60);
  send('ucinewgame', 'position startpos', 'go nodes 100000');
  const first = await until('bestmove', 60);
  send('ucinewgame', 'go nodes 100000');
  must((await until('bestmove', 60)) === first, 'a search repeats itself');
  send('bench');
  const bench = await untilBench(until);
  engine.end();
  return { delays, bench };

  async function untilBench(until) {
    await until('48/48', 500);
    return until('', 10);
  }
}

function report(place, { delays, bench }) {
  const worst = Math.max(...delays).toFixed(0);
  console.log(`${place}: bench ${bench}; stop to bestmove at most ${worst} ms`);
  const nodes = bench.split(' ')[0];
  assert.ok(signature === undefined || nodes === signature, `bench: ${nodes}, not ${signature}`);
  // Generous, for busy machines: a search that does not stop takes for ever.
  assert.ok(worst < 3000, 'stop is slow');
}

async function testRules() {
  const rules = await Rules.load(wasm);
  const game = rules.game('', ['f2f3', 'e7e5', 'g2g4', 'd8h4']);
  assert.deepEqual(game.sans, ['f3', 'e5', 'g4', 'Qh4#']);
  assert.deepEqual(game.end, { result: '0-1', reason: 'checkmate' });
  assert.deepEqual([game.check, game.legal.length, game.turn], ['e1', 0, 'w']);
  const castling = rules.game('4k3/8/8/8/8/8/8/4K2R w K - 0 1', []).legal;
  assert.ok(castling.some((move) => move.san === 'O-O' && move.to === 'g1' && move.uci === 'e1g1'));
  // Chess960: the king takes its rook, and a step beside it is another move.
  const fen960 = '1k6/8/8/8/8/8/8/4RK1R w H - 0 1';
  const moves960 = rules.game(fen960, []).legal.filter((move) => move.from === 'f1');
  const targets = moves960.map((move) => `${move.san} ${move.to}`);
  assert.ok(targets.includes('O-O h1') && targets.includes('Kg1 g1'), targets.join(', '));
  assert.match(rules.writePgn(fen960, ['f1h1'], []), /\[Variant "Chess960"\][^]*1\. O-O/);
  assert.equal(rules.line('', ['e2e4'], ['e7e5', 'g1f3']), '1... e5 2. Nf3');
  const pgn = rules.writePgn('', ['e2e4', 'e7e5'], [['White', 'A "B"']]);
  assert.deepEqual(rules.readPgn(pgn).moves, ['e2e4', 'e7e5']);
  const { tags } = rules.readPgn('[White "Anna"]\n\n1. e4 1-0');
  assert.deepEqual(tags, [
    ['White', 'Anna'],
    ['Result', '1-0'],
  ]);
  assert.throws(() => rules.game('', ['e2e5']), /'e2e5' is not a legal move/);
  assert.throws(() => rules.game('8/8/8/8/8/8/8/8 w - - 0 1', []), Error);
  assert.throws(() => rules.readPgn('1. e4 e5 2. Ke3'), /'Ke3' is not a legal move/);
  assert.deepEqual(rules.readPgn('1. e4 -- *').moves, ['e2e4', '0000']);
  assert.throws(
    () => rules.writePgn('', [], [['Bad Name', 'x']]),
    /'Bad Name' is no name of a tag/,
  );
  assert.throws(
    () => rules.writePgn('', [], [['White]\n[Result "1-0"', 'x']]),
    /is no name of a tag/,
  );
  assert.throws(() => rules.readPgn('{\ud83d} 1. e4'), /character 2 is half of a surrogate pair/);
  console.log('rules: all answers are right');
}

/** Tests what the engine answers to requests beyond its limits. */
async function testLimits() {
  const { send, until, lines, end } = dialogue(Tabia);
  const isAnswer = async (command, expected) => {
    send(command);
    const start = Date.now();
    while (!lines.some((line) => expected.test(line))) {
      assert.ok(Date.now() < start + 30_000, `${command}: ${lines.join(' | ')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    lines.length = 0;
  };
  send('uci');
  await until('uciok');
  await isAnswer('setoption name Threads value 2', /Threads: 2 is above the maximum of 1/);
  await isAnswer('setoption name Hash value 1025', /Hash: 1025 is above the maximum of 1024 MiB/);
  for (const mib of [1024, 64]) {
    send(`setoption name Hash value ${mib}`, 'isready');
    await until('readyok', 30);
    send('go nodes 10000');
    await until('bestmove', 30);
  }
  end();
  console.log('limits: Threads and Hash are checked');
}

/** A policy that blocks what the engine needs is named; with what the README says, it searches. */
async function testPolicies(browser, folder) {
  const engine = `default-src 'self'; script-src 'self' 'wasm-unsafe-eval'`;
  for (const [policy, isIsolated, expected] of [
    [`connect-src 'self'`, false, /^failed: the Content-Security-Policy of the page blocks blob: /],
    [engine, false, /^failed: the Content-Security-Policy of the page blocks blob: /],
    [`${engine}; connect-src 'self' blob:`, false, /^bestmove/],
    [engine, true, /^bestmove/],
    [`default-src 'self'`, true, /^failed: .*(wasm-)?unsafe-eval/],
  ]) {
    const { server, root } = await serve(folder, { isIsolated, policy });
    const page = await browser.open(`${root}LICENSE-MIT`, { width: 400, height: 300 });
    // The debugger evaluates a text whatever the policy is.
    const answer = await page.evaluate(`import('${root}tabia.js').then(({ Tabia }) =>
      new Promise((resolve) => {
        const engine = new Tabia();
        engine.onerror = (error) => resolve('failed: ' + error.message);
        engine.onmessage = (line) => line.startsWith('bestmove') && resolve(line);
        engine.postMessage('go movetime 300');
      }))`);
    assert.match(answer, expected, `${policy} ${isIsolated}`);
    await page.close();
    server.close();
  }
}

async function testBrowser() {
  // All that a file of the package needs is in it.
  const { folder, remove } = pack();
  const browser = new Browser();
  const faults = [];
  browser.onevent = ({ method, params }) => {
    if (method === 'Runtime.exceptionThrown') {
      faults.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    }
  };
  for (const isIsolated of [false, true]) {
    const { server, root } = await serve(folder, { isIsolated });
    // Any document of this server, without scripts.
    const page = await browser.open(`${root}LICENSE-MIT`, { width: 400, height: 300 });
    assert.equal(await page.evaluate('crossOriginIsolated'), isIsolated);
    const call = `import('${root}tabia.js').then(({ Tabia }) =>
      (${exercise})(Tabia, ${dialogue}))`;
    report(isIsolated ? 'Chromium, isolated' : 'Chromium', await page.evaluate(call));
    if (!isIsolated) {
      // As a plain worker.
      const text = await page.evaluate(`new Promise((resolve) => {
        const engine = new Worker('${root}engine.js');
        engine.onmessage = ({ data }) => data.startsWith('bestmove') && resolve(data);
        engine.postMessage('go infinite');
        setTimeout(() => engine.postMessage('stop'), 2000);
      })`);
      assert.match(text, /^bestmove/);
      // A relative URL is the page's, not the worker's.
      const message = await page.evaluate(`import('${root}tabia.js').then(({ Tabia }) =>
        new Promise((resolve) => {
          new Tabia({ wasm: 'none.wasm' }).onerror = (error) => resolve(error.message);
        }))`);
      assert.equal(message, `cannot load ${root}none.wasm: 404`);
      await testPage(browser, root, pictures);
      await testPolicies(browser, folder);
      const broken = await serve(folder, { missing: '/worker.js' });
      await testFault(browser, broken.root);
      broken.server.close();
    }
    await page.close();
    server.close();
  }
  await browser.close();
  remove();
  assert.deepEqual(faults, []);
}

/** An engine that has been ended prints nothing more and does not fail. */
async function testTerminate() {
  const engine = new Tabia({ wasm });
  const later = [];
  engine.onerror = (error) => later.push(error.message);
  await new Promise((resolve) => {
    engine.onmessage = (line) => {
      if (line.startsWith('bestmove')) {
        engine.terminate();
        engine.onmessage = (line) => later.push(line);
        setTimeout(resolve, 200);
      }
    };
    engine.postMessage('go depth 3\ngo depth 3');
  });
  const other = new Tabia();
  other.onmessage = (line) => later.push(line);
  other.postMessage('go infinite\nisready');
  other.terminate();
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(later, []);
}

await testRules();
await testLimits();
await testTerminate();
report('node', await exercise(Tabia, dialogue));
if (process.env.CHROMIUM !== 'none') {
  await testBrowser();
}
