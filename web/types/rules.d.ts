export class Rules {
    /**
     * Loads the module.
     * @param {string | URL} [wasm] By default beside this file.
     */
    static load(wasm?: string | URL): Promise<Rules>;
    /** @param {Awaited<ReturnType<typeof instantiate>>} module */
    constructor(module: Awaited<ReturnType<typeof instantiate>>);
    /**
     * Describes a game, given by a FEN (empty for the usual start) and moves in UCI notation.
     * @param {string} fen
     * @param {string[]} moves
     * @returns {Position}
     */
    game(fen: string, moves: string[]): Position;
    /**
     * Returns a line from the last position of a game, as `12. Nf3 Nc6`.
     * @param {string} fen
     * @param {string[]} moves
     * @param {string[]} line
     * @returns {string}
     */
    line(fen: string, moves: string[], line: string[]): string;
    /**
     * Returns the PGN of a game without variations.
     * @param {string} fen
     * @param {string[]} moves
     * @param {[string, string][]} tags
     * @returns {string}
     */
    writePgn(fen: string, moves: string[], tags: [string, string][]): string;
    /**
     * Returns the PGN of a game with its variations.
     * @param {GameTree} tree
     * @returns {string}
     */
    writeTree(tree: GameTree): string;
    /**
     * Reads a game of a PGN, by its number from 1: `fen`, the `moves` of its main line, its `tags`,
     * of which `Result` is always there, and all of it as a `tree`.
     * @param {string} text
     * @param {number} [number]
     * @returns {{ fen: string, moves: string[], tags: [string, string][], tree: GameTree }}
     */
    readPgn(text: string, number?: number): {
        fen: string;
        moves: string[];
        tags: [string, string][];
        tree: GameTree;
    };
    /**
     * Lists the games of a PGN.
     * @param {string} text
     * @returns {Listed[]}
     */
    listGames(text: string): Listed[];
    /**
     * Judges the moves of a game's main line, given what an engine found in each position, null where
     * the game is over. Returns the record of `tabia analyse --json` and the annotated game.
     * @param {GameTree} tree
     * @param {(Found | null)[]} found
     * @returns {{ record: any, tree: GameTree }}
     */
    review(tree: GameTree, found: (Found | null)[]): {
        record: any;
        tree: GameTree;
    };
    /**
     * Returns the FEN of a Chess960 start position, by its number from 0 to 959.
     * @param {number} number
     * @returns {string}
     */
    chess960(number: number): string;
    /**
     * Returns the engine's version and the range of its levels.
     * @returns {{ version: string, minElo: number, maxElo: number }}
     */
    engine(): {
        version: string;
        minElo: number;
        maxElo: number;
    };
    /**
     * Returns why the engine refuses a draw after the moves of a game, or null if it agrees.
     * @param {string} fen
     * @param {string[]} moves
     * @param {Score | null} score The engine's last one, from its own point of view.
     * @returns {string | null}
     */
    offerDraw(fen: string, moves: string[], score: Score | null): string | null;
    #private;
}
/**
 * A castling king moves two squares, or onto its rook where Chess960 needs that.
 */
export type LegalMove = {
    uci: string;
    san: string;
    from: string;
    to: string;
    promotion: string | null;
};
/**
 * Last position of a game, with the moves before it.
 */
export type Position = {
    /**
     * Number of the first move.
     */
    number: number;
    /**
     * Whether White makes the first move.
     */
    startsWhite: boolean;
    /**
     * All positions, one more than the moves.
     */
    fens: string[];
    /**
     * All moves.
     */
    sans: string[];
    turn: "w" | "b";
    /**
     * Square of the king in check.
     */
    check: string | null;
    legal: LegalMove[];
    end: {
        result: string;
        reason: string;
    } | null;
    /**
     * The last one that the game passed.
     */
    opening: {
        eco: string;
        name: string;
    } | null;
};
export type TreeMove = {
    /**
     * Number of the move before, counted from 1 in the order of the list; 0
     * for the start position. The first move with a parent belongs to the line, others begin
     * variations.
     */
    parent: number;
    /**
     * `0000` for a null move.
     */
    uci: string;
    san: string;
    nags: number[];
    comments: string[];
    /**
     * Comments before the first move of a variation.
     */
    before: string[];
};
/**
 * A game with its variations.
 */
export type GameTree = {
    tags: [string, string][];
    /**
     * Empty for the usual start.
     */
    fen: string;
    result: string;
    /**
     * Comments before the first move.
     */
    comments: string[];
    moves: TreeMove[];
};
/**
 * In hundredths of a pawn, or moves until mate.
 */
export type Score = {
    cp: number;
} | {
    mate: number;
};
/**
 * Best line of a position, from the point of view of the side to move.
 */
export type Found = {
    score: Score;
    /**
     * Permille of wins, draws and losses.
     */
    wdl: number[];
    pv: string[];
    depth: number;
    nodes: number;
};
/**
 * A game of a file; `error` alone if it cannot be read.
 */
export type Listed = {
    white: string;
    black: string;
    event: string;
    date: string;
    result: string;
    moves: number;
    error?: string | undefined;
};
import { instantiate } from './module.js';
