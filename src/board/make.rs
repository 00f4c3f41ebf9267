//! Making and unmaking moves.

use crate::attacks;
use crate::types::{Bitboard, CastlingRights, Color, Move, MoveKind, Piece, PieceType, Square};
use crate::zobrist;

use super::Board;
use super::game_state::GameState;

impl Board {
    /// Makes a legal move.
    ///
    /// # Panics
    /// If an illegal move is noticed, such as a capture of nothing. Others lead to an invalid
    /// position.
    pub fn make_move(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {}", self.fen(super::FenStyle::Shredder));
        let kept = self.castling_paths.rights_kept(mv.from(), mv.to());
        let state = self.states.push();
        let us = state.side_to_move;
        state.pass_turn();
        state.keep_castling_rights(kept);
        if mv.is_castling() {
            state.castle(mv);
        } else {
            state.move_piece(mv);
        }
        state.fullmove_number += us.index() as u32;
        if mv.kind() == MoveKind::DoublePush {
            state.set_en_passant(behind(us, mv.to()));
        }
        debug_assert_eq!(self.validate(), Ok(()), "after {mv:?}");
    }

    /// Unmakes the last move or null move.
    ///
    /// # Panics
    /// If no move was made.
    #[inline]
    pub fn unmake_move(&mut self) {
        self.states.pop();
    }

    /// Makes a move of a game, in which `None` is a null move, that is not allowed in check.
    pub fn make_move_or_null(&mut self, mv: Option<Move>) {
        match mv {
            Some(mv) => self.make_move(mv),
            None => self.make_null_move(),
        }
    }

    /// Makes a null move. Not allowed in check.
    pub fn make_null_move(&mut self) {
        debug_assert!(!self.in_check());
        let state = self.states.push();
        state.pass_turn();
        state.plies_since_null = 0;
        debug_assert_eq!(self.validate(), Ok(()), "after a null move");
    }

    pub(super) fn is_en_passant_safe(&self, from: Square, to: Square) -> bool {
        self.state().is_en_passant_safe(from, to)
    }
}

impl GameState {
    #[inline]
    fn pass_turn(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.key ^= zobrist::side_to_move();
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square.file());
        }
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.plies_since_null = self.plies_since_null.saturating_add(1);
    }

    #[inline]
    fn keep_castling_rights(&mut self, kept: CastlingRights) {
        let (before, after) = (self.castling, self.castling.intersection(kept));
        if after != before {
            self.key ^= zobrist::castling(before) ^ zobrist::castling(after);
            self.castling = after;
        }
    }

    /// Moves a piece of the side that has just passed the turn.
    #[inline]
    fn move_piece(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.piece_on(from).expect("a move starts from a piece");
        if mv.is_capture() {
            let square = if mv.is_en_passant() { behind(piece.color(), to) } else { to };
            let victim = self.piece_on(square).expect("a capture takes a piece");
            self.lift(victim, square);
            self.toggle(victim, zobrist::piece(victim, square));
            self.halfmove_clock = 0;
        }
        self.shift(piece, from, to);
        self.toggle(piece, zobrist::piece(piece, from) ^ zobrist::piece(piece, to));
        if piece.piece_type() == PieceType::Pawn {
            self.halfmove_clock = 0;
            if let Some(promotion) = mv.promotion() {
                self.promote(piece, Piece::new(piece.color(), promotion), to);
            }
        }
    }

    fn promote(&mut self, pawn: Piece, new: Piece, to: Square) {
        self.lift(pawn, to);
        self.toggle(pawn, zobrist::piece(pawn, to));
        self.place(new, to);
        self.toggle(new, zobrist::piece(new, to));
    }

    /// Lifts both pieces first: in Chess960 one may end where the other began.
    fn castle(&mut self, mv: Move) {
        let us = !self.side_to_move;
        let (from, to, side) = (mv.from(), mv.to(), mv.castling_side());
        for (piece_type, from, target) in [
            (PieceType::King, from, side.king_target(us)),
            (PieceType::Rook, to, side.rook_target(us)),
        ] {
            let piece = Piece::new(us, piece_type);
            self.toggle(piece, zobrist::piece(piece, from) ^ zobrist::piece(piece, target));
        }
        self.lift(Piece::new(us, PieceType::King), from);
        self.lift(Piece::new(us, PieceType::Rook), to);
        self.place(Piece::new(us, PieceType::King), side.king_target(us));
        self.place(Piece::new(us, PieceType::Rook), side.rook_target(us));
    }

    /// Sets the en passant square if a capture there is legal.
    ///
    /// A square without a legal capture would give positions with the same moves different keys,
    /// and hide repetitions.
    pub(super) fn set_en_passant(&mut self, square: Square) {
        let us = self.side_to_move;
        let takers = attacks::pawn(!us, square) & self.pieces_of(us, PieceType::Pawn);
        if takers.into_iter().any(|from| self.is_en_passant_safe(from, square)) {
            self.en_passant = Some(square);
            self.key ^= zobrist::en_passant(square.file());
        }
    }

    /// Returns whether the king is safe after an en passant capture.
    pub(super) fn is_en_passant_safe(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let taken = Bitboard::square(behind(us, to));
        let occupied = (self.occupied() - Bitboard::square(from) - taken) | Bitboard::square(to);
        (self.attackers(!us, self.king_square(us), occupied) - taken).is_empty()
    }
}

/// Returns the square of the pawn taken en passant, or the square passed by a double step.
#[inline]
pub(super) fn behind(color: Color, square: Square) -> Square {
    square.forward(!color).expect("a pawn is never on its first rank")
}
