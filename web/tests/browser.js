// Chromium over its debugging pipe, and a static web server; both without dependencies.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Headers that make a page cross-origin isolated, so that it has shared memory. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * Serves a folder, without the path `missing`; returns the server and the address of its root.
 * Pages
 * may be cross-origin isolated, or have a Content-Security-Policy.
 */
export async function serve(folder, { isIsolated = false, missing = null, policy = null } = {}) {
  const headers = {
    ...(isIsolated ? ISOLATION : {}),
    ...(policy === null ? {} : { 'Content-Security-Policy': policy }),
  };
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    try {
      assert.notEqual(path, missing);
      const body = readFileSync(join(folder, path.endsWith('/') ? `${path}index.html` : path));
      const type = { 'Content-Type': TYPES[extname(path)] ?? 'text/html' };
      response.writeHead(200, { ...type, ...headers }).end(body);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('not found');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, root: `http://127.0.0.1:${server.address().port}/` };
}

export class Browser {
  #process;
  #profile = mkdtempSync(join(tmpdir(), 'tabia-chromium-'));
  #sent = 0;
  #waiting = new Map();
  #text = '';
  /** Called with each event of a page. */
  onevent = () => {};

  constructor(program = process.env.CHROMIUM ?? 'chromium') {
    const options = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-pipe',
      '--disable-dev-shm-usage',
      `--user-data-dir=${this.#profile}`,
      'about:blank',
    ];
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'];
    this.#process = spawn(program, options, { stdio });
    this.#process.on('error', (error) => {
      throw error;
    });
    this.#process.stdio[4].on('data', (data) => this.#receive(data));
  }

  #receive(data) {
    this.#text += data;
    const messages = this.#text.split('\0');
    this.#text = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) {
      const waiting = this.#waiting.get(message.id);
      if (waiting) {
        this.#waiting.delete(message.id);
        message.error
          ? waiting.reject(new Error(message.error.message))
          : waiting.resolve(message.result);
      } else {
        this.onevent(message);
      }
    }
  }

  get pid() {
    return this.#process.pid;
  }

  send(method, params = {}, sessionId = undefined) {
    this.#sent += 1;
    const id = this.#sent;
    this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /**
   * Opens a page of this size, with a storage of its own, and waits until it is loaded. `script`
   * runs
   * in it before its own ones.
   */
  async open(url, { width, height, isPhone = false, isDark = false, script = '' }) {
    const { browserContextId } = await this.send('Target.createBrowserContext');
    const target = { url: 'about:blank', browserContextId };
    const { targetId } = await this.send('Target.createTarget', target);
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    await page.send('Page.enable');
    await page.send('Runtime.enable');
    await page.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: isPhone ? 2 : 1,
      mobile: isPhone,
    });
    await page.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone });
    await page.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }],
    });
    // Firefox before 119 has no ARIA properties.
    const source = `Object.keys(Element.prototype).filter((name) => name.startsWith('aria'))
      .forEach((name) => delete Element.prototype[name])`;
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `${source};${script}` });
    await page.send('Page.navigate', { url });
    await page.until('document.readyState === "complete"');
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    await this.send('Browser.close').catch(() => {});
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  #browser;
  #session;
  #target;

  constructor(browser, session, target) {
    this.#browser = browser;
    this.#session = session;
    this.#target = target;
  }

  send(method, params) {
    return this.#browser.send(method, params, this.#session);
  }

  /** Returns the value of an expression, which may be a promise. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Waits until an expression is true. */
  async until(expression, seconds = 60) {
    const end = Date.now() + seconds * 1000;
    while (!(await this.evaluate(expression))) {
      if (Date.now() > end) {
        throw new Error(`not true after ${seconds} s: ${expression}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Loads the page again. */
  async reload() {
    await this.evaluate('window.isOld = true');
    await this.send('Page.reload');
    await this.until('!window.isOld && document.readyState === "complete"');
  }

  /** Returns the middle of an element, which it scrolls into the window. */
  async #middle(selector) {
    const element = `document.querySelector(${JSON.stringify(selector)})`;
    await this.until(`${element} !== null`, 10);
    return this.evaluate(`(() => {
      const element = ${element};
      element.scrollIntoView({ block: 'nearest' });
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    })()`);
  }

  #center(square) {
    return this.#middle(`[data-square=${square}]`);
  }

  #mouse(type, at) {
    const button = { button: 'left', buttons: 1, clickCount: 1 };
    return this.send('Input.dispatchMouseEvent', { type, ...at, ...button });
  }

  /** Clicks on the middle of an element, or beside it by a share of its size. */
  async click(selector, across = 0) {
    const at = await this.#middle(selector);
    if (across !== 0) {
      const element = `document.querySelector(${JSON.stringify(selector)})`;
      at.x += across * (await this.evaluate(`${element}.getBoundingClientRect().width`));
    }
    await this.#mouse('mousePressed', at);
    await this.#mouse('mouseReleased', at);
  }

  async drag(from, to) {
    const [start, end] = [await this.#center(from), await this.#center(to)];
    await this.#mouse('mousePressed', start);
    await this.#mouse('mouseMoved', { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 });
    await this.#mouse('mouseMoved', end);
    await this.#mouse('mouseReleased', end);
  }

  /** Replaces the text of a field by typing. */
  async type(selector, text) {
    await this.click(selector);
    await this.evaluate('document.activeElement.select()');
    await this.send('Input.insertText', { text });
  }

  /** Chooses an option of a list, or a value of a slider. */
  choose(selector, value) {
    return this.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.value = ${JSON.stringify(value)};
      element.dispatchEvent(new Event('input'));
      element.dispatchEvent(new Event('change'));
    })()`);
  }

  /** Chooses a file of this machine in a field. */
  async chooseFile(selector, path) {
    const { root } = await this.send('DOM.getDocument');
    const { nodeId } = await this.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    await this.send('DOM.setFileInputFiles', { nodeId, files: [path] });
  }

  /** Drops a file on the page. */
  async drop(path) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
      await this.send('Input.dispatchDragEvent', { type, x: 50, y: 50, data });
    }
  }

  async tap(square) {
    const touchPoints = [await this.#center(square)];
    await this.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await this.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  /** Drags from a square to another by a finger, meanwhile from `second` by another one. */
  async dragTwice(from, to, second) {
    const centers = [from, to, second].map((square) => this.#center(square));
    const [start, end, other] = await Promise.all(centers);
    const touch = (type, ...points) =>
      this.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map((point, id) => ({ ...point, id })),
      });
    await touch('touchStart', start);
    await touch('touchMove', end);
    await touch('touchStart', end, other);
    await touch('touchMove', end, start);
    await touch('touchEnd');
  }

  /** Presses Enter, Escape, Tab or an arrow. */
  async press(key) {
    const codes = {
      Tab: 9,
      Enter: 13,
      Escape: 27,
      ArrowLeft: 37,
      ArrowUp: 38,
      ArrowRight: 39,
      ArrowDown: 40,
    };
    const event = { key, code: key, windowsVirtualKeyCode: codes[key] };
    const text = key === 'Enter' ? '\r' : '';
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', text, ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /** Returns a picture as PNG. */
  async picture() {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  close() {
    return this.#browser.send('Target.closeTarget', { targetId: this.#target });
  }
}
