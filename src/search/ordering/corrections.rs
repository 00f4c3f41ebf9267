//! Correction histories: average error of the static evaluation in positions with a common feature.
//!
//! The evaluation tends to repeat its error in positions with the same pawns, pieces or last moves.
//! A search result that contradicts it updates the entries of these features (with gravity:
//! `statistics.rs`). Their weighted sum corrects later positions that share them.
//!
//! Source: "Static Evaluation Correction History",
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>

use std::io;

use crate::board::Board;
use crate::eval::endings;
use crate::platform::prefetch;
use crate::search::params;
use crate::types::{Bound, Color, Depth, Indexed, Score};
use crate::zobrist;

use super::statistics::{LowBits, MAX_ENTRY, PieceTo, StatisticsTable, gravity};

/// Entries for each side to move and structure.
const SIZE: usize = 1 << 14;
/// Number of structures: pawns, minor pieces, White's pieces other than pawns, Black's.
const STRUCTURES: usize = 4;

/// Plies between a position and the earlier moves that index its corrections, in ascending order.
pub(crate) const LAST_PLIES: [usize; 3] = [1, 2, 4];

/// Moves at these distances, [`PieceTo::NONE`] for null moves and before the root.
pub(crate) type LastMoves = [PieceTo; LAST_PLIES.len()];

pub(crate) struct Corrections {
    /// `[structure and side to move][low bits of its key XORed with that of the halfmove clock]`
    structures: StatisticsTable<StructureRow, LowBits<SIZE>, { StructureRow::COUNT }, SIZE>,
    /// `[piece and to two or four plies ago][last piece and to]`
    continuation: StatisticsTable<PieceTo, PieceTo, { PieceTo::COUNT }, { PieceTo::COUNT }>,
}

#[derive(Copy, Clone)]
struct StructureRow {
    structure: usize,
    side_to_move: Color,
}

impl StructureRow {
    const COUNT: usize = STRUCTURES * Color::COUNT;
}

impl Indexed for StructureRow {
    #[inline]
    fn index(self) -> usize {
        self.structure * Color::COUNT + self.side_to_move.index()
    }
}

impl Corrections {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { structures: StatisticsTable::new()?, continuation: StatisticsTable::new()? })
    }

    pub(crate) fn clear(&mut self) {
        self.structures.clear();
        self.continuation.clear();
    }

    /// Returns the correction in hundredths of a pawn.
    #[inline]
    pub(crate) fn correction(&self, board: &Board, moves: LastMoves) -> i32 {
        let pawn_and_minor = [params::corr_pawn(), params::corr_minor()];
        let non_pawn = [params::corr_non_pawn(); 2];
        let weights = pawn_and_minor.into_iter().chain(non_pawn);
        let structures: i32 = structure_indices(board)
            .into_iter()
            .zip(weights)
            .map(|(index, weight)| weight * i32::from(self.structures[index]))
            .sum();
        let continuation: i32 = continuation_indices(moves)
            .into_iter()
            .map(|index| i32::from(self.continuation[index]))
            .sum();
        (structures + params::corr_continuation() * continuation) / MAX_ENTRY
    }

    #[inline]
    pub(crate) fn prefetch(&self, board: &Board, moves: LastMoves) {
        for index in structure_indices(board) {
            prefetch(&self.structures[index]);
        }
        for index in continuation_indices(moves) {
            prefetch(&self.continuation[index]);
        }
    }

    /// Updates the entries by `error`, the score less the static evaluation, in hundredths of a
    /// pawn.
    pub(crate) fn update(&mut self, board: &Board, moves: LastMoves, depth: Depth, error: i32) {
        let limit = params::corr_max_step();
        let bonus = (error * depth * params::corr_rate() / 8).clamp(-limit, limit);
        for index in structure_indices(board) {
            gravity(&mut self.structures[index], bonus);
        }
        for index in continuation_indices(moves) {
            gravity(&mut self.continuation[index], bonus);
        }
    }
}

#[inline]
fn structure_indices(board: &Board) -> [(StructureRow, LowBits<SIZE>); STRUCTURES] {
    let keys = [
        board.pawn_key(),
        board.minor_key(),
        board.non_pawn_key(Color::White),
        board.non_pawn_key(Color::Black),
    ];
    let side_to_move = board.side_to_move();
    let clock = zobrist::halfmove_clock(board.halfmove_clock());
    std::array::from_fn(|structure| {
        (StructureRow { structure, side_to_move }, LowBits::new(keys[structure] ^ clock))
    })
}

#[inline]
fn continuation_indices([last, second, fourth]: LastMoves) -> [(PieceTo, PieceTo); 2] {
    [(second, last), (fourth, last)]
}

/// Returns whether a search result shows an error of the static evaluation. A bound does so only on
/// its own side. A best capture changes the material evaluated. Won endings and forced wins do
/// not come from the evaluation.
#[inline]
pub(crate) fn is_informative(
    static_eval: Score,
    score: Score,
    bound: Bound,
    is_noisy: bool,
) -> bool {
    let contradicts = match bound {
        Bound::Exact => true,
        Bound::Lower => score > static_eval,
        Bound::Upper => score < static_eval,
    };
    contradicts && !is_noisy && !endings::is_known(score) && !endings::is_known(static_eval)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVES: LastMoves = [PieceTo::NONE; LAST_PLIES.len()];

    #[test]
    fn corrections_grow_within_their_limit() {
        let board = Board::startpos();
        let mut corrections = Corrections::new().expect("a megabyte");
        corrections.update(&board, MOVES, 6, 40);
        let once = corrections.correction(&board, MOVES);
        assert!((1..40).contains(&once), "{once}");
        for _ in 0..1000 {
            corrections.update(&board, MOVES, 200, -20_000);
        }
        let most = params::corr_pawn()
            + params::corr_minor()
            + 2 * (params::corr_non_pawn() + params::corr_continuation());
        let worst = corrections.correction(&board, MOVES);
        assert!((-most..=-most * 9 / 10).contains(&worst), "{worst}");
        corrections.clear();
        assert_eq!(corrections.correction(&board, MOVES), 0);
    }

    #[test]
    fn positions_share_corrections_of_common_features() {
        let mut board = Board::startpos();
        let mut corrections = Corrections::new().expect("a megabyte");
        corrections.update(&board, MOVES, 10, 100);
        let all = corrections.correction(&board, MOVES);
        for text in ["g1f3", "g8f6"] {
            let mv = board.parse_move(text).expect("a legal move");
            board.make_move(mv);
        }
        // Pawns and side to move are the same, the pieces of both sides are not.
        let pawns_and_moves = corrections.correction(&board, MOVES);
        assert!(0 < pawns_and_moves && pawns_and_moves < all);
    }

    #[test]
    fn bounds_are_informative_on_their_own_side() {
        let (eval, higher, lower) = (Score(10), Score(50), Score(-50));
        assert!(is_informative(eval, higher, Bound::Lower, false));
        assert!(!is_informative(eval, lower, Bound::Lower, false));
        assert!(is_informative(eval, lower, Bound::Upper, false));
        assert!(!is_informative(eval, higher, Bound::Upper, false));
        assert!(is_informative(eval, higher, Bound::Exact, false));
        assert!(!is_informative(eval, higher, Bound::Exact, true));
        for known in [Score::mate_in(5), endings::KNOWN_WIN, -endings::KNOWN_WIN] {
            assert!(!is_informative(eval, known, Bound::Exact, false));
            assert!(!is_informative(known, eval, Bound::Exact, false));
        }
    }
}
