//! Static evaluation of a position, with the share of each piece.

use serde::Serialize;

use crate::board::{Board, FenStyle};
use crate::eval::chances::{Chances, normalised};
use crate::eval::{EvalTrace, Network};
use crate::types::{Piece, Square};

use super::json::{self, ScoreRecord};

/// Evaluation from White's view, documented in docs/json.md.
#[derive(Serialize)]
struct EvalRecord {
    fen: String,
    score: ScoreRecord,
    wdl: [u32; 3],
    won_ending: bool,
    pieces: Vec<PieceRecord>,
}

#[derive(Serialize)]
struct PieceRecord {
    square: String,
    piece: char,
    cp: Option<i32>,
}

/// Returns the evaluation by a network as a JSON line, or as text for people.
pub fn evaluate(board: &Board, network: &Network, json: bool) -> String {
    let trace = EvalTrace::new(network, board);
    if json { json::line("eval", &EvalRecord::new(board, &trace)) } else { trace.to_string() }
}

impl EvalRecord {
    fn new(board: &Board, trace: &EvalTrace) -> Self {
        let Chances { win, draw, loss } = trace.chances();
        let record = |square: Square| PieceRecord {
            square: square.to_string(),
            piece: board.piece_on(square).map_or(' ', Piece::letter),
            cp: trace.contribution(square).map(|score| normalised(score).0),
        };
        Self {
            fen: board.fen(FenStyle::Standard),
            score: ScoreRecord::for_white(normalised(trace.total())),
            wdl: [win, draw, loss],
            won_ending: trace.is_ending(),
            pieces: board.occupied().into_iter().map(record).collect(),
        }
    }
}
