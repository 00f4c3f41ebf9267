//! Draws by rule: repetition, the fifty-move rule and insufficient material.

use crate::attacks;
use crate::types::{Bitboard, PieceType};
use crate::zobrist;

use super::Board;
use super::game_state::GameState;

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

    /// Returns whether the side to move can repeat a position after the root of a search, `ply`
    /// plies from that root (*upcoming repetition*). Third occurrences of earlier positions are not
    /// looked for.
    ///
    /// Source: Marcel van Kervinck's
    /// [method](https://marcelk.net/2013-04-06/paper/upcoming-rep-v2.pdf). He looks up the
    /// difference of the keys; here the positions are compared.
    ///
    /// ```
    /// use tabia::board::Board;
    ///
    /// let mut board = Board::startpos();
    /// for (ply, mv) in ["e2e4", "e7e5", "g1f3", "g8f6", "f3g1"].into_iter().enumerate() {
    ///     assert!(!board.can_repeat(ply));
    ///     board.make_move(board.parse_move(mv).expect("a legal move"));
    /// }
    /// assert!(board.can_repeat(4), "by f6g8");
    /// assert!(!board.can_repeat(3), "the position after e7e5 was the root");
    /// ```
    #[inline]
    pub fn can_repeat(&self, ply: usize) -> bool {
        let reach = self.repetition_reach().min(ply.saturating_sub(1));
        reach >= 3 && self.can_return_within(reach)
    }

    /// Returns whether one move leads to a position at most this many plies ago.
    // Not inlined, to keep the callers small: every kind of node calls it, but seldom.
    #[inline(never)]
    fn can_return_within(&self, plies: usize) -> bool {
        self.states.with_other_side_to_move(plies).any(|earlier| self.can_return_to(earlier))
    }

    /// Returns whether one move leads to this earlier position, in which the other side was to
    /// move. There have been no captures and no pawn moves since.
    #[inline]
    fn can_return_to(&self, earlier: &GameState) -> bool {
        let state = self.state();
        let us = state.side_to_move;
        let moved = state.colors(us) ^ earlier.colors(us);
        if state.colors(!us) != earlier.colors(!us) || moved.count() != 2 {
            return false;
        }
        let from = (moved & state.colors(us)).first().expect("a piece has moved");
        let to = (moved & earlier.colors(us)).first().expect("a piece has moved");
        let piece = state.piece_on(from).expect("a piece of the side to move");
        let key = state.key ^ zobrist::side_to_move() ^ zobrist::piece(piece, from);
        earlier.key == key ^ zobrist::piece(piece, to)
            && attacks::piece(piece.piece_type(), from, state.occupied()).contains(to)
    }

    fn repetitions(&self) -> impl Iterator<Item = usize> {
        self.states.occurrences(self.key(), self.repetition_reach())
    }

    /// Returns how many plies ago the earliest position was that can occur again.
    #[inline]
    fn repetition_reach(&self) -> usize {
        self.state().halfmove_clock.min(self.state().plies_since_null).into()
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
