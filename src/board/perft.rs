//! Perft: counts move sequences to verify and time the move generator.
//! Source: <https://www.chessprogramming.org/Perft>

use std::sync::atomic::{AtomicBool, Ordering};

use crate::types::MoveList;

use super::{Board, GenKind};

/// Counts the legal move sequences of `depth` plies, without making the moves of the last ply.
/// Returns `None` if `stop` was set before the end; the last three plies do not look at it.
pub fn perft(board: &mut Board, depth: u32, stop: &AtomicBool) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(board.count_legal_moves() as u64),
        // So high in the tree the check costs nothing, and perft still stops at once.
        _ if depth >= 4 && stop.load(Ordering::Relaxed) => None,
        _ => {
            let mut moves = MoveList::new();
            board.generate(GenKind::All, &mut moves);
            let mut total = 0;
            for mv in moves {
                board.make_move(mv);
                let leaves = perft(board, depth - 1, stop);
                board.unmake_move();
                total += leaves?;
            }
            Some(total)
        }
    }
}
