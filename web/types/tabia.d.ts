/**
 * @typedef {object} Entry A line that the worker has not finished.
 * @property {string} line
 * @property {boolean} isSearch
 * @property {Signal} [stop] Only lines with signals keep the worker busy.
 * @property {Signal} [hit]
 */
/** @typedef {{ postMessage(message: any): void, terminate(): void }} Port */
export class Tabia {
    /**
     * Starts the engine.
     * @param {{ wasm?: string | URL }} [options] `wasm` is the URL of tabia.wasm, in a page also
     *   relative to it; by default beside this file.
     */
    constructor({ wasm }?: {
        wasm?: string | URL;
    });
    /** @type {((line: string) => void) | null} Called with each line of output. */
    onmessage: ((line: string) => void) | null;
    /**
     * @type {((error: Error) => void) | null} Called if the worker fails; the engine is then useless.
     */
    onerror: ((error: Error) => void) | null;
    /** @type {(() => void) | null} Called when the engine has ended after `quit`. */
    onclose: (() => void) | null;
    /** Most threads that a search may have. */
    threads: number;
    /**
     * Starts the worker.
     * @protected
     * @param {string | URL | undefined} wasm
     * @param {{ message(message: any): void, error(error: Error): void }} listener
     * @returns {Port}
     */
    protected connect(wasm: string | URL | undefined, listener: {
        message(message: any): void;
        error(error: Error): void;
    }): Port;
    /**
     * Sends a line, or several, to the engine.
     * @param {string} text
     */
    postMessage(text: string): void;
    /** Ends the engine at once. `quit` lets it finish first. */
    terminate(): void;
    #private;
}
/**
 * A line that the worker has not finished.
 */
export type Entry = {
    line: string;
    isSearch: boolean;
    /**
     * Only lines with signals keep the worker busy.
     */
    stop?: Signal | undefined;
    hit?: Signal | undefined;
};
export type Port = {
    postMessage(message: any): void;
    terminate(): void;
};
/** One bit from here to the worker, raised at most once. */
declare class Signal {
    forWorker: string | Int32Array<SharedArrayBuffer>;
    raise(): void;
}
export {};
