// Compares nodes per second: the native program, tabia.wasm in Chromium, and another engine for
// workers in the same Chromium. The searches are interleaved; the seconds are CPU time of their
// processes, so that other work on the machine matters little. Linux only.
//
//     node tests/speed.js TABIA [SCRIPT]
//
// TABIA is the native program; SCRIPT is the other engine's worker, such as
// stockfish-19-lite-single.js of the npm package stockfish, with its wasm file beside it.

import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { Browser, serve } from './browser.js';

const NODES = 1_500_000;
const ROUNDS = 5;
/** Ticks of the kernel's CPU times in a second. */
const TICKS = 100;
const POSITIONS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/1PN1PN2/PBP1BPPP/R2Q1RK1 w - - 2 9',
  '2rq1rk1/pb1n1ppp/1p2pn2/8/1bBP4/2N1BN2/PP2QPPP/2R2RK1 w - - 4 14',
  '8/1p3k2/p1b2p2/P1P2Bp1/1P4Pp/5K1P/8/8 w - - 1 41',
];

const [program, script] = process.argv.slice(2);

/** Returns the CPU seconds of a process and its descendants. */
function cpuSeconds(root) {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return [
          { pid: Number(pid), parent: Number(stat[1]), ticks: Number(stat[11]) + Number(stat[12]) },
        ];
      } catch {
        return [];
      }
    });
  const sum = (pid) =>
    processes
      .filter((process) => process.parent === pid)
      .reduce(
        (total, child) => total + sum(child.pid),
        processes.find((own) => own.pid === pid).ticks,
      );
  return sum(root) / TICKS;
}

/** Searches by `send`, with `lines` growing, and returns the number of nodes. */
async function search(send, lines, fen, nodes) {
  lines.length = 0;
  send('ucinewgame');
  send(`position fen ${fen}`);
  send(`go nodes ${nodes}`);
  while (!lines.some((line) => line.startsWith('bestmove'))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const last = lines.findLast((line) => / nodes \d/.test(line));
  return Math.max(nodes, Number(/ nodes (\d+)/.exec(last)[1]));
}

const native = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
const nativeLines = [];
createInterface({ input: native.stdout }).on('line', (line) => nativeLines.push(line));
const browser = new Browser();
const own = await serve(fileURLToPath(new URL('..', import.meta.url)), false);
const page = await browser.open(`${own.root}tests/empty.html`, { width: 300, height: 200 });
await page.evaluate(`globalThis.lines = []; import('${own.root}tabia.js').then(({ Tabia }) => {
  globalThis.engine = new Tabia();
  engine.onmessage = (line) => lines.push(line);
  engine.postMessage('uci');
})`);
const engines = new Map([
  [
    'native',
    {
      pid: native.pid,
      run: (fen) => search((line) => native.stdin.write(`${line}\n`), nativeLines, fen, NODES),
    },
  ],
]);
const inPage = (page) => ({
  pid: browser.pid,
  run: (fen) =>
    page.evaluate(`(${search})((line) => engine.postMessage(line), lines, '${fen}', ${NODES})`),
});
engines.set('tabia.wasm', inPage(page));
const servers = [own.server];
if (script) {
  const other = await serve(dirname(script), false);
  servers.push(other.server);
  const page = await browser.open(`${other.root}empty.html`, { width: 300, height: 200 });
  await page.evaluate(`globalThis.lines = [];
    globalThis.engine = new Worker('${other.root}${basename(script)}');
    engine.onmessage = ({ data }) => lines.push(...String(data).split('\\n'));
    engine.postMessage('uci')`);
  await page.until(`lines.includes('uciok')`);
  engines.set(basename(script), inPage(page));
}
const rates = new Map([...engines.keys()].map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const fen of POSITIONS) {
    for (const [name, { pid, run }] of engines) {
      const before = cpuSeconds(pid);
      const nodes = await run(fen);
      rates.get(name).push(nodes / (cpuSeconds(pid) - before));
    }
  }
}
for (const [name, found] of rates) {
  const sorted = found.sort((a, b) => a - b);
  const text = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((rate) =>
    (rate / 1e6).toFixed(2),
  );
  console.log(`${name}: ${text[1]} million nodes per second (${text[0]} to ${text[2]})`);
}
native.kill();
servers.forEach((server) => server.close());
await browser.close();
