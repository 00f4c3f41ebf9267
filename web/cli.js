#!/usr/bin/env node
// Tabia as a program under node: UCI on standard input and output.

import { createInterface } from 'node:readline';

import { Tabia } from './node/tabia.js';

/** @type {Tabia} */
const engine = new Tabia();
engine.onmessage = (line) => process.stdout.write(`${line}\n`);
engine.onerror = (error) => {
  process.stderr.write(`error: ${error.message}\n`);
  process.exit(1);
};
const input = createInterface({ input: process.stdin });
input.on('line', (line) => engine.postMessage(line));
input.on('close', () => engine.postMessage('wait\nquit'));
// A program may keep the pipe open after `quit`.
engine.onclose = () => input.close();
// The reader of the output has ended.
process.stdout.on('error', () => process.exit(0));
