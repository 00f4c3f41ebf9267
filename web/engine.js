// Tabia as a plain worker, for pages that load an engine by `new Worker('engine.js')`: takes lines
// by postMessage and posts lines. It starts a second worker, which searches, so that `stop` works.

const loaded = import(new URL('./tabia.js', globalThis.location.href).href).then(({ Tabia }) => {
  const engine = /** @type {import('./tabia.js').Tabia} */ (new Tabia());
  engine.onmessage = (line) => globalThis.postMessage(line);
  engine.onerror = (error) => globalThis.postMessage(`info string error: ${error.message}`);
  engine.onclose = () => globalThis.close();
  return engine;
});

globalThis.onmessage = (/** @type {MessageEvent<string>} */ { data }) =>
  loaded.then((engine) => engine.postMessage(data));
