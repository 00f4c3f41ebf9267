/**
 * Loads and compiles a module.
 * @param {string | URL} url
 */
export function compiled(url: string | URL): Promise<WebAssembly.Module>;
/**
 * Returns an instance. It gives each line of output to `write`, and asks `signal` what came during
 * a
 * search: 1 for stop, 2 for ponderhit, else 0.
 * @param {WebAssembly.Module} module
 */
export function instantiate(module: WebAssembly.Module): Promise<{
    write: (_line: string) => void;
    signal: () => number;
    /** @param {'execute' | 'ask'} name @param {string} text @returns {number} */
    call(name: "execute" | "ask", text: string): number;
}>;
