//! Which positions are worth learning from: one place for statistics, export and training.

use crate::board::Board;

use super::game::Ply;

/// Keeps positions whose score speaks of the position itself: not those where the best move wins or answers something
/// at once, nor those of random openings.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct KeepFilter {
    /// The first ply of a game that is kept, from 0.
    pub min_ply: usize,
    /// The largest score that is kept, of either sign.
    pub max_score: i32,
    /// Whether positions in check are kept.
    pub checks: bool,
    /// Whether positions are kept whose best move takes or promotes.
    pub noisy: bool,
}

impl Default for KeepFilter {
    fn default() -> Self {
        Self { min_ply: 16, max_score: 10_000, checks: false, noisy: false }
    }
}

impl KeepFilter {
    /// Whether to keep a position, the one after `ply` plies of its game, with what the search found there.
    pub fn keeps(&self, board: &Board, ply: usize, found: Ply) -> bool {
        let Ply { mv, score } = found;
        ply >= self.min_ply
            && score.0.abs() <= self.max_score
            && (self.checks || !board.in_check())
            && (self.noisy || !(mv.is_capture() || mv.is_promotion()))
    }
}
