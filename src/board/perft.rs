//! Perft: the number of lines of a given length, which proves a move generator right and measures its speed.
//! Source: <https://www.chessprogramming.org/Perft>

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Board, GenKind};
use crate::types::MoveList;

/// The number of lines of `depth` plies. Moves of the last ply are counted without being made.
/// `None` if `stop` was set on the way.
pub fn perft(board: &mut Board, depth: u32, stop: &AtomicBool) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(board.count_legal_moves() as u64),
        // Four plies from the leaves is rare enough to look at the flag and often enough to obey at once.
        _ if depth >= 4 && stop.load(Ordering::Relaxed) => None,
        _ => {
            let mut moves = MoveList::new();
            board.generate(GenKind::All, &mut moves);
            let mut total = 0;
            for mv in moves {
                board.make_move(mv);
                let lines = perft(board, depth - 1, stop);
                board.unmake_move();
                total += lines?;
            }
            Some(total)
        }
    }
}
