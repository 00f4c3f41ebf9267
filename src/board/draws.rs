//! Draws by rule: repetition, the fifty-move rule and insufficient material.

use super::Board;
use crate::types::{Bitboard, PieceType};

impl Board {
    /// Whether the position is a repetition to a search that stands `ply` plies from its root: it occurred once since
    /// the root, or twice at all.
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut seen = self.repetitions();
        match seen.next() {
            Some(plies) => plies < ply || seen.next().is_some(),
            None => false,
        }
    }

    /// Whether the position is on the board for the third time.
    pub fn is_threefold(&self) -> bool {
        self.repetitions().nth(1).is_some()
    }

    fn repetitions(&self) -> impl Iterator<Item = usize> {
        let reach = self.state().halfmove_clock.min(self.state().reversible_plies);
        self.states.occurrences(self.key(), reach.into())
    }

    /// Whether fifty moves of each side have passed without a capture or pawn move; mate on the last one counts first.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state().halfmove_clock >= 100 && (!self.in_check() || self.has_legal_move())
    }

    /// Whether no sequence of legal moves can mate: bare kings, one minor piece, or bishops of one square colour only.
    pub fn is_insufficient_material(&self) -> bool {
        let mating = self.pieces(PieceType::Pawn)
            | self.pieces(PieceType::Rook)
            | self.pieces(PieceType::Queen);
        if mating.any() {
            return false;
        }
        let bishops = self.pieces(PieceType::Bishop);
        let minors = bishops | self.pieces(PieceType::Knight);
        let one_colour = (bishops & Bitboard::DARK_SQUARES).is_empty()
            || bishops.is_subset_of(Bitboard::DARK_SQUARES);
        !minors.more_than_one() || (minors == bishops && one_colour)
    }

    /// Whether the position is a draw by rule to a search `ply` plies from its root: fifty moves, repetition,
    /// insufficient material. Stalemate shows when there is no move.
    pub fn is_draw(&self, ply: usize) -> bool {
        self.is_fifty_move_draw() || self.is_repetition(ply) || self.is_insufficient_material()
    }
}
