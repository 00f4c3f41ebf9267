//! Filter of positions to learn from, for data generation, statistics, export and training.

use super::game::Label;

/// Keeps quiet positions, whose score does not depend on a capture, promotion or check at hand.
/// Leaves out the random openings.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct KeepFilter {
    /// First ply of a game that is kept, counted from 0.
    pub min_ply: usize,
    /// Largest score that is kept, of either sign, in hundredths of a pawn.
    pub max_score: i32,
    /// Keeps positions in check.
    pub with_checks: bool,
    /// Keeps positions whose best move captures or promotes.
    pub with_noisy: bool,
}

impl Default for KeepFilter {
    fn default() -> Self {
        Self { min_ply: 16, max_score: 10_000, with_checks: false, with_noisy: false }
    }
}

impl KeepFilter {
    /// Returns whether to keep a label.
    pub fn keeps(&self, label: Label<'_>) -> bool {
        let Label { board, ply, mv, score } = label;
        ply >= self.min_ply
            && score.0.abs() <= self.max_score
            && (self.with_checks || !board.in_check())
            && (self.with_noisy || !(mv.is_capture() || mv.is_promotion()))
    }
}
