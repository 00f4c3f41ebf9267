//! Draws by rule: repetition, the fifty-move rule and insufficient material.

use crate::types::{Bitboard, PieceType};

use super::Board;

impl Board {
    /// Returns whether a search `ply` plies from its root scores the position as a repetition. One
    /// earlier occurrence after the root is enough, otherwise it takes two.
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut seen = self.repetitions();
        match seen.next() {
            Some(plies) => plies < ply || seen.next().is_some(),
            None => false,
        }
    }

    /// Returns whether the position occurs for the third time.
    ///
    /// ```
    /// use tabia::board::Board;
    ///
    /// let mut board = Board::startpos();
    /// for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
    ///     assert!(!board.is_threefold());
    ///     board.make_move(board.parse_move(mv).expect("a legal move"));
    /// }
    /// assert!(board.is_threefold());
    /// ```
    pub fn is_threefold(&self) -> bool {
        self.repetitions().nth(1).is_some()
    }

    fn repetitions(&self) -> impl Iterator<Item = usize> {
        let reach = self.state().halfmove_clock.min(self.state().plies_since_null);
        self.states.occurrences(self.key(), reach.into())
    }

    /// Returns whether the fifty-move rule applies. Checkmate on the last move takes precedence.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state().halfmove_clock >= 100 && (!self.in_check() || self.has_legal_move())
    }

    /// Returns whether the material cannot mate: bare kings, a single minor piece, or bishops on
    /// squares of one colour.
    ///
    /// ```
    /// use tabia::board::Board;
    ///
    /// let is_draw = |fen| Board::from_fen(fen).map(|board| board.is_insufficient_material());
    /// assert!(is_draw("4k3/8/8/8/8/8/8/4KN2 w - - 0 1")?);
    /// assert!(!is_draw("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1")?);
    /// # Ok::<(), tabia::board::FenError>(())
    /// ```
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

    /// Returns whether a draw rule other than stalemate applies, `ply` plies from the root of a
    /// search.
    pub fn is_draw(&self, ply: usize) -> bool {
        self.is_fifty_move_draw() || self.is_repetition(ply) || self.is_insufficient_material()
    }
}
