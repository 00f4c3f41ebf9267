// Builds the README's example with bundlers, from the packed package, and runs each result in
// Chromium.
//
//     node tests/bundlers.js TOOLS
//
// TOOLS is a folder in which npm has installed esbuild, rollup with @rollup/plugin-node-resolve,
// vite, webpack and webpack-cli.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Browser, serve } from './browser.js';
import { pack } from './package.js';

const tools = resolve(process.argv[2]);

/** Returns the first example of the README that imports from the package. */
function example() {
  const blocks = readFileSync(new URL('../README.md', import.meta.url), 'utf8').matchAll(
    /```js\n([^]*?)```/g,
  );
  return [...blocks].map(([, text]) => text).find((text) => text.includes(`from 'tabia'`));
}

/** Files that esbuild and Rollup leave to be copied, as the README says. */
function copyFiles(project) {
  for (const name of ['worker.js', 'module.js', 'tabia.wasm']) {
    cpSync(join(project, 'node_modules/tabia', name), join(project, 'dist', name));
  }
}

const BUNDLERS = {
  esbuild(project, run) {
    run('esbuild', 'app.js', '--bundle', '--format=esm', '--outdir=dist');
    copyFiles(project);
  },
  rollup(project, run) {
    const plugin = join(tools, 'node_modules/@rollup/plugin-node-resolve/dist/es/index.js');
    run('rollup', 'app.js', '--dir', 'dist', '--plugin', plugin);
    copyFiles(project);
  },
  webpack(project, run) {
    run('webpack', '--mode', 'production', '--entry', './app.js', '--output-filename', 'app.js');
  },
  vite(project, run) {
    run('vite', 'build');
  },
};

/** Returns the folder of a project with the package, the example and the tools. */
function project(archive) {
  const folder = mkdtempSync(join(tmpdir(), 'tabia-bundle-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, 'app.js'), example());
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><script type="module" src="./app.js"></script>',
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--offline', archive], {
    cwd: folder,
    stdio: 'pipe',
  });
  return folder;
}

/** The page has no `node:` module, and its lines end with a move of the engine. */
async function check(browser, dist) {
  const scripts = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.js'));
  for (const name of scripts) {
    const text = readFileSync(join(dist, name), 'utf8');
    assert.doesNotMatch(text, /["']node:|^(const .* = )?await /m, name);
  }
  const { server, root } = await serve(dist);
  const script = `window.lines = [];
    console.log = console.error = (text) => window.lines.push(String(text));`;
  const page = await browser.open(root, { width: 400, height: 300, script });
  await page.until(`window.lines.some((line) => /^bestmove|Error/.test(line))`).catch(() => {});
  const lines = await page.evaluate('window.lines');
  assert.match(lines.at(-1) ?? 'no line', /^bestmove [a-h]/, lines.join('\n'));
  const depth = Math.max(...lines.map((line) => Number(/^info depth (\d+)/.exec(line)?.[1] ?? 0)));
  assert.ok(depth > 5, `depth ${depth}`);
  await page.close();
  server.close();
}

const packed = pack();
const browser = new Browser();
for (const [name, build] of Object.entries(BUNDLERS)) {
  const place = project(packed.archive);
  const run = (program, ...words) =>
    execFileSync(join(tools, 'node_modules/.bin', program), words, { cwd: place, stdio: 'pipe' });
  build(place, run);
  mkdirSync(join(place, 'dist'), { recursive: true });
  if (name !== 'vite') {
    cpSync(join(place, 'index.html'), join(place, 'dist/index.html'));
  }
  await check(browser, join(place, 'dist'));
  // Some tools read it.
  assert.equal(createRequire(join(place, 'app.js'))('tabia/package.json').name, 'tabia');
  rmSync(place, { recursive: true });
  console.log(`${name}: the example of the README runs`);
}
await browser.close();
packed.remove();
