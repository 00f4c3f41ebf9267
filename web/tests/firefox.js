// Plays, analyses and stops in Firefox, by WebDriver BiDi.
//
//     node tests/firefox.js TOOLS
//
// TOOLS is a folder in which npm has installed ws. FIREFOX names another program.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { serve } from './browser.js';
import { pack } from './package.js';

const { WebSocket } = createRequire(join(resolve(process.argv[2]), 'package.json'))('ws');

const profile = mkdtempSync(join(tmpdir(), 'tabia-firefox-'));
const firefox = spawn(
  process.env.FIREFOX ?? 'firefox-esr',
  ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
  { stdio: ['ignore', 'ignore', 'pipe'] },
);
const address = await new Promise((resolve, reject) => {
  let text = '';
  firefox.on('error', reject);
  firefox.stderr.on('data', (data) => {
    text += data;
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(text);
    if (found) {
      resolve(found[1]);
    }
  });
});
const socket = new WebSocket(`${address}/session`);
await new Promise((resolve) => socket.once('open', resolve));
const waiting = new Map();
socket.on('message', (data) => {
  const { id, type, result, message } = JSON.parse(data);
  const answer = waiting.get(id);
  if (answer) {
    type === 'error' ? answer.reject(new Error(message)) : answer.resolve(result);
  }
});

function send(method, params = {}) {
  const id = waiting.size + 1;
  socket.send(JSON.stringify({ id, method, params }));
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

await send('session.new', { capabilities: {} });
const { contexts } = await send('browsingContext.getTree');
const { context } = contexts[0];

async function evaluate(expression) {
  const answer = await send('script.evaluate', {
    expression,
    target: { context },
    awaitPromise: true,
  });
  assert.equal(answer.type, 'success', answer.exceptionDetails?.text);
  return answer.result.value;
}

async function until(expression, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  while (!(await evaluate(expression))) {
    assert.ok(Date.now() < end, `not true after ${seconds} s: ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Presses the mouse on the middle of an element and releases it on that of another one. */
async function drag(from, to) {
  const middle = (selector) =>
    evaluate(`(() => {
    const { x, y, width, height } = document.querySelector('${selector}').getBoundingClientRect();
    return Math.round(x + width / 2) + ',' + Math.round(y + height / 2);
  })()`).then((text) => text.split(',').map(Number));
  const [[x1, y1], [x2, y2]] = [await middle(from), await middle(to)];
  const move = (x, y) => ({ type: 'pointerMove', x, y });
  const actions = [
    move(x1, y1),
    { type: 'pointerDown', button: 0 },
    move((x1 + x2) >> 1, (y1 + y2) >> 1),
    move(x2, y2),
    { type: 'pointerUp', button: 0 },
  ];
  await send('input.performActions', {
    context,
    actions: [{ type: 'pointer', id: 'mouse', actions }],
  });
}

const click = (selector) => drag(selector, selector);

const { folder, remove } = pack();
const { server, root } = await serve(folder);
await send('browsingContext.navigate', { context, url: root, wait: 'complete' });
const status = `document.getElementById('status').textContent`;
await until(`${status} === 'Your move (White)'`);
await drag('[data-square=e2]', '[data-square=e4]');
await until(`${status}.startsWith('Your move (White) after ')`);
await click('#analyse');
await until(`document.querySelectorAll('#output li').length === 3`);
await click('#back');
await until(`document.querySelector('#output li')?.textContent.includes('1... ')`);
await click('#analyse');
await until(`${status}.startsWith('Your move (White) after ')`);
await drag('[data-square=d2]', '[data-square=d4]');
await until(`document.querySelectorAll('#moves button').length === 4`);
const version = await evaluate('navigator.userAgent');
console.log(`Firefox ${/Firefox\/([\d.]+)/.exec(version)[1]}: the page plays, analyses and stops`);

server.close();
remove();
const ended = new Promise((resolve) => firefox.once('exit', resolve));
await send('browser.close').catch(() => firefox.kill());
socket.close();
await ended;
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
