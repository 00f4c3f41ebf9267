//! Plays a game of Tabia against itself through the crate and prints it as PGN.
//!
//!     cargo run --release --example self_play -- [WHITE_NODES [BLACK_NODES]]
//!
//! The numbers are the nodes that each side searches for a move. The same numbers give the same
//! game on every machine: each side has one thread and a table of its own.

#![expect(clippy::print_stdout, reason = "prints the game")]

use std::error::Error;
use std::{env, thread};

use tabia::board::{Board, GameResult};
use tabia::pgn::{PgnGame, Tags};
use tabia::search::{Limits, STACK_BYTES, SoloSearch};
use tabia::types::Move;

/// Default nodes for each move of White and of Black.
const DEFAULT_NODES: [u64; 2] = [5_000, 1_000];
/// Each side's transposition table, in MiB.
const HASH_MIB: usize = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let mut nodes = DEFAULT_NODES;
    for (nodes, argument) in nodes.iter_mut().zip(env::args().skip(1)) {
        *nodes = argument.parse()?;
    }
    let searches = [SoloSearch::new(HASH_MIB)?, SoloSearch::new(HASH_MIB)?];
    // A search needs more stack than the main thread may have.
    let game =
        thread::Builder::new().stack_size(STACK_BYTES).spawn(move || play(searches, nodes))?;
    let (moves, result) = game.join().expect("the game ends without a panic");

    let mut tags = Tags::default();
    tags.set("White", &format!("Tabia, {} nodes", nodes[0]));
    tags.set("Black", &format!("Tabia, {} nodes", nodes[1]));
    print!("{}", PgnGame::played(Board::startpos(), &moves, tags, Some(result)));
    Ok(())
}

/// Plays until the rules end the game. Returns its moves and its result.
fn play(mut searches: [SoloSearch; 2], nodes: [u64; 2]) -> (Vec<Move>, GameResult) {
    let mut board = Board::startpos();
    let mut moves = Vec::new();
    loop {
        if let Some(outcome) = board.outcome() {
            return (moves, outcome.result);
        }
        let side = board.side_to_move().index();
        let limits = Limits { nodes: Some(nodes[side]), ..Limits::default() };
        let outcome = searches[side].search(&board, limits);
        let mv = outcome.best.expect("a game that is not over has legal moves");
        moves.push(mv);
        board.make_move(mv);
    }
}
