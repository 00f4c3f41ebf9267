//! Plays a game of Tabia against itself through the crate and prints it as PGN.
//!
//!     cargo run --release --example self_play -- [WHITE_NODES [BLACK_NODES]]
//!
//! The numbers are the nodes that each side searches for a move. The same numbers give the same
//! game on every machine: each side has one thread and a table of its own.

#![expect(clippy::print_stdout, reason = "prints the game")]

use std::error::Error;
use std::{env, thread};

use tabia::board::Board;
use tabia::datagen::{GameResult, verdict_by_rule};
use tabia::search::{Limits, STACK_BYTES, SoloSearch};
use tabia::types::{Color, Move, PieceType};

/// Default nodes for each move of White and of Black.
const DEFAULT_NODES: [u64; 2] = [5_000, 1_000];
/// Each side's transposition table, in MiB.
const HASH_MIB: usize = 1;
const COLUMNS: usize = 79;

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

    let result = match result {
        GameResult::WhiteWins => "1-0",
        GameResult::BlackWins => "0-1",
        GameResult::Draw => "1/2-1/2",
    };
    println!("[White \"Tabia, {} nodes\"]", nodes[0]);
    println!("[Black \"Tabia, {} nodes\"]", nodes[1]);
    println!("[Result \"{result}\"]\n");
    print_wrapped(moves.iter().map(String::as_str).chain([result]));
    Ok(())
}

/// Plays until the rules end the game. Returns the words of the move text and the result.
fn play(mut searches: [SoloSearch; 2], nodes: [u64; 2]) -> (Vec<String>, GameResult) {
    let mut board = Board::startpos();
    let mut words = Vec::new();
    loop {
        if let Some(verdict) = verdict_by_rule(&board) {
            return (words, verdict.result);
        }
        let side = board.side_to_move();
        let limits = Limits { nodes: Some(nodes[side.index()]), ..Limits::default() };
        let outcome = searches[side.index()].search(&board, limits);
        let mv = outcome.best.expect("a game that is not over has legal moves");
        if side == Color::White {
            words.push(format!("{}.", board.fullmove_number()));
        }
        words.push(pgn_move(&board, mv));
        board.make_move(mv);
    }
}

/// Returns a move in algebraic notation with its square of origin, which PGN readers accept.
fn pgn_move(board: &Board, mv: Move) -> String {
    let mut text = String::new();
    if mv.is_castling() {
        text.push_str(if mv.to() > mv.from() { "O-O" } else { "O-O-O" });
    } else {
        let piece_type = board.moved_piece(mv).piece_type();
        if piece_type != PieceType::Pawn {
            text.push(piece_type.letter().to_ascii_uppercase());
        }
        let capture = if mv.is_capture() { "x" } else { "" };
        text.push_str(&format!("{}{capture}{}", mv.from(), mv.to()));
        if let Some(promotion) = mv.promotion() {
            text.push('=');
            text.push(promotion.letter().to_ascii_uppercase());
        }
    }
    let mut after = board.clone();
    after.make_move(mv);
    if after.in_check() {
        text.push(if after.has_legal_move() { '+' } else { '#' });
    }
    text
}

/// Prints words in lines of at most [`COLUMNS`] columns.
fn print_wrapped<'a>(words: impl Iterator<Item = &'a str>) {
    let mut line = String::new();
    for word in words {
        if !line.is_empty() && line.len() + 1 + word.len() > COLUMNS {
            println!("{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    println!("{line}");
}
