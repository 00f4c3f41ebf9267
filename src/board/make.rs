//! Making moves and taking them back.

use super::Board;
use super::state::GameState;
use crate::attacks;
use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, Move, MoveKind, Piece, PieceType, Square,
};
use crate::zobrist;

/// Who wants to know which pieces a move puts where, such as an evaluation that is updated move by move.
/// Taking a move back calls nothing: observers keep what they need of the position before.
pub trait MoveObserver {
    /// A piece came to the board by promotion.
    fn added(&mut self, piece: Piece, square: Square);
    /// A piece was taken or promoted.
    fn removed(&mut self, piece: Piece, square: Square);
    /// A piece went from one square to another.
    fn moved(&mut self, piece: Piece, from: Square, to: Square);
}

/// Nobody watches.
impl MoveObserver for () {
    #[inline]
    fn added(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn moved(&mut self, _: Piece, _: Square, _: Square) {}
}

impl Board {
    /// Plays a legal move.
    ///
    /// # Panics
    /// Where no piece stands on the square that the move leaves. Other illegal moves leave a senseless position.
    #[inline]
    pub fn make_move(&mut self, mv: Move) {
        self.make_move_with(mv, &mut ());
    }

    /// Plays a legal move and tells the observer what it puts where.
    ///
    /// # Panics
    /// As [`Board::make_move`].
    pub fn make_move_with<O: MoveObserver>(&mut self, mv: Move, observer: &mut O) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {}", self.fen(super::FenStyle::Shredder));
        let kept = self.castling_paths.kept(mv.from(), mv.to());
        let state = self.states.push();
        let us = state.side_to_move;
        state.begin_move();
        state.keep_castling_rights(kept);
        if mv.is_castling() {
            state.castle(mv.from(), mv.to(), observer);
        } else {
            state.advance(mv, observer);
        }
        state.fullmove_number += us.index() as u32;
        if mv.kind() == MoveKind::DoublePush {
            state.allow_en_passant(behind(us, mv.to()));
        }
        debug_assert_eq!(self.validate(), Ok(()), "after {mv:?}");
    }

    /// Takes back the last move or null move.
    ///
    /// # Panics
    /// Where no move was made.
    #[inline]
    pub fn unmake_move(&mut self) {
        self.states.pop();
    }

    /// Passes: the other side is to move. Not when in check.
    pub fn make_null_move(&mut self) {
        debug_assert!(!self.in_check());
        let state = self.states.push();
        state.begin_move();
        state.reversible_plies = 0;
        debug_assert_eq!(self.validate(), Ok(()), "after a null move");
    }

    /// Whether the own king is safe after the pawn on `from` has taken en passant on `to`.
    pub(super) fn is_en_passant_safe(&self, from: Square, to: Square) -> bool {
        self.state().is_en_passant_safe(from, to)
    }
}

impl GameState {
    /// What every move does: it passes the turn, ends the e.p. chance, and is one ply more.
    #[inline]
    fn begin_move(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.key ^= zobrist::side_to_move();
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square.file());
        }
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = self.reversible_plies.saturating_add(1);
    }

    #[inline]
    fn keep_castling_rights(&mut self, kept: CastlingRights) {
        let (before, after) = (self.castling, self.castling.intersection(kept));
        if after != before {
            self.key ^= zobrist::castling(before) ^ zobrist::castling(after);
            self.castling = after;
        }
    }

    /// A move of one piece by the side that has just passed the turn.
    #[inline]
    fn advance<O: MoveObserver>(&mut self, mv: Move, observer: &mut O) {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.piece_on(from).expect("a move starts from a piece");
        if mv.is_capture() {
            let square = if mv.is_en_passant() { behind(piece.color(), to) } else { to };
            let victim = self.piece_on(square).expect("a capture takes a piece");
            self.lift(victim, square);
            self.toggle(victim, zobrist::piece(victim, square));
            observer.removed(victim, square);
            self.halfmove_clock = 0;
        }
        self.shift(piece, from, to);
        self.toggle(piece, zobrist::piece(piece, from) ^ zobrist::piece(piece, to));
        observer.moved(piece, from, to);
        if piece.piece_type() == PieceType::Pawn {
            self.halfmove_clock = 0;
            if let Some(promotion) = mv.promotion() {
                self.promote(piece, Piece::new(piece.color(), promotion), to, observer);
            }
        }
    }

    fn promote<O: MoveObserver>(&mut self, pawn: Piece, new: Piece, to: Square, observer: &mut O) {
        self.lift(pawn, to);
        self.toggle(pawn, zobrist::piece(pawn, to));
        observer.removed(pawn, to);
        self.place(new, to);
        self.toggle(new, zobrist::piece(new, to));
        observer.added(new, to);
    }

    /// King and rook are lifted before either is placed: in Chess960 one may end where the other began.
    fn castle<O: MoveObserver>(&mut self, from: Square, to: Square, observer: &mut O) {
        let us = !self.side_to_move;
        let side = castling_side(from, to);
        for (piece_type, from, target) in [
            (PieceType::King, from, side.king_target(us)),
            (PieceType::Rook, to, side.rook_target(us)),
        ] {
            let piece = Piece::new(us, piece_type);
            self.toggle(piece, zobrist::piece(piece, from) ^ zobrist::piece(piece, target));
            observer.moved(piece, from, target);
        }
        self.lift(Piece::new(us, PieceType::King), from);
        self.lift(Piece::new(us, PieceType::Rook), to);
        self.place(Piece::new(us, PieceType::King), side.king_target(us));
        self.place(Piece::new(us, PieceType::Rook), side.rook_target(us));
    }

    /// Opens the e.p. chance on this square if a capture there is legal: a key with a chance that nobody has would hide
    /// repetitions.
    pub(super) fn allow_en_passant(&mut self, square: Square) {
        let us = self.side_to_move;
        let takers = attacks::pawn(!us, square) & self.pieces_of(us, PieceType::Pawn);
        if takers.into_iter().any(|from| self.is_en_passant_safe(from, square)) {
            self.en_passant = Some(square);
            self.key ^= zobrist::en_passant(square.file());
        }
    }

    /// Whether the own king is safe after the pawn on `from` has taken en passant on `to`.
    pub(super) fn is_en_passant_safe(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let taken = Bitboard::square(behind(us, to));
        let occupied = (self.occupied() - Bitboard::square(from) - taken) | Bitboard::square(to);
        (self.attackers(!us, self.king_square(us), occupied) - taken).is_empty()
    }
}

/// The square that lies behind `square` for a pawn of `color`: where the pawn stands that is taken en passant there, or
/// the one a double step has passed.
#[inline]
pub(super) fn behind(color: Color, square: Square) -> Square {
    square.forward(!color).expect("no pawn acts on its first rank")
}

/// The side to which a king on `king` castles with the rook on `rook`.
#[inline]
pub(super) fn castling_side(king: Square, rook: Square) -> CastlingSide {
    if rook > king { CastlingSide::King } else { CastlingSide::Queen }
}
