// Tests the page that `tabia web` serves, with the native engine, in Chromium.
//
//     node tests/native.js TABIA
//
// TABIA is the native program.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { Browser } from './browser.js';
import { testLoss, testPage } from './page.js';

const program = spawn(process.argv[2], ['web'], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((resolve) =>
  createInterface({ input: program.stdout }).once('line', resolve),
);
const browser = new Browser();
try {
  await testPage(browser, address);
  await testLoss(browser, address, () => program.kill());
} finally {
  await browser.close();
  program.kill();
}
