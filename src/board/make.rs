//! Making moves and taking them back.

use super::Board;
use crate::attacks;
use crate::types::{
    Bitboard, CastlingSide, Color, Direction, Move, MoveKind, Piece, PieceType, Square,
};
use crate::zobrist::{self, Key};

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
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let piece = self.mailbox[from].expect("a move starts from a piece");
        self.begin_move();
        self.state.halfmove_clock = self.state.halfmove_clock.saturating_add(1);
        self.state.reversible_plies = self.state.reversible_plies.saturating_add(1);
        self.change_castling_rights(from, to);

        if mv.is_castling() {
            self.castle(us, from, to, observer);
        } else {
            if mv.is_capture() {
                let square = if mv.is_en_passant() { behind(us, to) } else { to };
                let victim = self.mailbox[square].expect("a capture takes a piece");
                self.lift(victim, square);
                self.toggle(victim, zobrist::piece(victim, square));
                observer.removed(victim, square);
                self.state.captured = Some(victim);
                self.state.halfmove_clock = 0;
            }
            self.shift(piece, from, to);
            self.toggle(piece, zobrist::piece(piece, from) ^ zobrist::piece(piece, to));
            observer.moved(piece, from, to);
            if piece.piece_type() == PieceType::Pawn {
                self.state.halfmove_clock = 0;
                if let Some(promotion) = mv.promotion() {
                    self.promote(piece, Piece::new(us, promotion), to, observer);
                }
            }
        }

        self.fullmove_number += us.index() as u32;
        self.side_to_move = !us;
        self.update_masks();
        if mv.kind() == MoveKind::DoublePush {
            self.allow_en_passant(behind(us, to));
        }
        debug_assert_eq!(self.validate(), Ok(()), "after {mv:?}");
    }

    /// Takes back the last move, which this must be.
    ///
    /// # Panics
    /// Where no move was made.
    pub fn unmake_move(&mut self, mv: Move) {
        let captured = self.state.captured;
        self.restore_state();
        let us = self.side_to_move;
        self.fullmove_number -= us.index() as u32;
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            self.uncastle(us, from, to);
            return;
        }
        let mut piece = self.mailbox[to].expect("a move ends on its piece");
        if mv.is_promotion() {
            self.lift(piece, to);
            piece = Piece::new(us, PieceType::Pawn);
            self.place(piece, to);
        }
        self.shift(piece, to, from);
        if let Some(victim) = captured {
            self.place(victim, if mv.is_en_passant() { behind(us, to) } else { to });
        }
    }

    /// Passes: the other side is to move. Not when in check.
    pub fn make_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.begin_move();
        self.state.halfmove_clock = self.state.halfmove_clock.saturating_add(1);
        self.state.reversible_plies = 0;
        self.side_to_move = !self.side_to_move;
        self.update_masks();
        debug_assert_eq!(self.validate(), Ok(()), "after a null move");
    }

    /// Takes back a null move, which the last one must be.
    ///
    /// # Panics
    /// Where no move was made.
    pub fn unmake_null_move(&mut self) {
        self.restore_state();
    }

    /// Saves the state and takes out of it what every move ends: the turn, the e.p. chance, the last capture.
    #[inline]
    fn begin_move(&mut self) {
        self.states.push(self.state);
        self.keys.push(self.key);
        self.key ^= zobrist::side_to_move();
        if let Some(square) = self.state.en_passant.take() {
            self.key ^= zobrist::en_passant(square.file());
        }
        self.state.captured = None;
    }

    #[inline]
    fn restore_state(&mut self) {
        self.state = self.states.pop().expect("a move was made");
        self.key = self.keys.pop().expect("a move was made");
        self.side_to_move = !self.side_to_move;
    }

    /// Puts keys of a piece in or takes them out.
    #[inline]
    fn toggle(&mut self, piece: Piece, key: Key) {
        self.key ^= key;
        self.state.structure.toggle(piece, key);
    }

    #[inline]
    fn change_castling_rights(&mut self, from: Square, to: Square) {
        let before = self.state.castling;
        let after = before.intersection(self.castling_paths.kept(from, to));
        if after != before {
            self.key ^= zobrist::castling(before) ^ zobrist::castling(after);
            self.state.castling = after;
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
    fn castle<O: MoveObserver>(&mut self, us: Color, from: Square, to: Square, observer: &mut O) {
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

    fn uncastle(&mut self, us: Color, from: Square, to: Square) {
        let side = castling_side(from, to);
        self.lift(Piece::new(us, PieceType::King), side.king_target(us));
        self.lift(Piece::new(us, PieceType::Rook), side.rook_target(us));
        self.place(Piece::new(us, PieceType::King), from);
        self.place(Piece::new(us, PieceType::Rook), to);
    }

    /// Opens the e.p. chance on this square if a capture there is legal: a key with a chance that nobody has would hide
    /// repetitions.
    pub(super) fn allow_en_passant(&mut self, square: Square) {
        let us = self.side_to_move;
        let takers = attacks::pawn(!us, square) & self.pieces_of(us, PieceType::Pawn);
        if takers.into_iter().any(|from| self.is_en_passant_safe(from, square)) {
            self.state.en_passant = Some(square);
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

    /// Recomputes checkers and pins from the placement; threats are left to be found.
    #[inline]
    pub(super) fn update_masks(&mut self) {
        let us = self.side_to_move;
        let them = !us;
        let king = self.king_square(us);
        let mut checkers = (attacks::pawn(us, king) & self.pieces_of(them, PieceType::Pawn))
            | (attacks::knight(king) & self.pieces_of(them, PieceType::Knight));
        let mut pinned = Bitboard::EMPTY;
        // Sliders that would see the king on an empty board: nothing between makes a check, one piece of ours is pinned.
        let snipers = (attacks::diagonals(king) & self.diagonal_sliders(them))
            | (attacks::straights(king) & self.straight_sliders(them));
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & self.occupied();
            if blockers.is_empty() {
                checkers |= sniper.into();
            } else if !blockers.more_than_one() {
                pinned |= blockers & self.colors(us);
            }
        }
        self.state.checkers = checkers;
        self.state.pinned = pinned;
        self.state.threats = Bitboard::EMPTY;
    }

    /// Computes the threats from the placement.
    pub(super) fn find_threats(&self) -> Bitboard {
        let us = self.side_to_move;
        let king = Bitboard::square(self.king_square(us));
        self.attacked_by(!us, self.occupied() - king)
    }

    /// Every square that a side attacks when the board is occupied like this.
    #[inline]
    fn attacked_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let pawns = self.pieces_of(color, PieceType::Pawn).shift(Direction::forward(color));
        let mut attacked = pawns.shift(Direction::East)
            | pawns.shift(Direction::West)
            | attacks::king(self.king_square(color));
        for square in self.pieces_of(color, PieceType::Knight) {
            attacked |= attacks::knight(square);
        }
        for square in self.diagonal_sliders(color) {
            attacked |= attacks::bishop(square, occupied);
        }
        for square in self.straight_sliders(color) {
            attacked |= attacks::rook(square, occupied);
        }
        attacked
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
