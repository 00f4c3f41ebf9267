//! Properties of single moves: legality, checks, captures.

use crate::attacks;
use crate::types::{Bitboard, CastlingSide, Move, MoveKind, Piece, PieceType, Rank, Square};
use crate::zobrist::{self, Key};

use super::Board;
use super::make::behind;

impl Board {
    /// Returns whether the move is legal. Any bit pattern is allowed, as the TT may hold any.
    ///
    /// ```
    /// use tabia::board::Board;
    /// use tabia::types::PieceType;
    ///
    /// let board = Board::from_fen("3rk3/8/8/3p4/4P3/8/8/4K2Q w - - 0 1")?;
    /// let capture = board.parse_move("e4d5").expect("a legal move");
    /// assert!(board.is_legal(capture) && !Board::startpos().is_legal(capture));
    /// assert_eq!(board.moved_piece(capture).piece_type(), PieceType::Pawn);
    /// assert_eq!(board.victim(capture), Some(PieceType::Pawn));
    /// assert!(board.gives_check(board.parse_move("h1h8").expect("a legal move")));
    /// # Ok::<(), tabia::board::FenError>(())
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        if !mv.has_valid_kind() {
            return false;
        }
        match piece.piece_type() {
            PieceType::King => self.is_legal_king_move(mv),
            PieceType::Pawn => self.is_legal_pawn_move(mv),
            other => {
                self.is_plain_or_capture(mv)
                    && attacks::piece(other, from, self.occupied()).contains(to)
                    && self.leaves_king_safe(from, to)
            }
        }
    }

    /// Returns whether the move is a plain one to an empty square, or the capture of an opposing
    /// piece.
    fn is_plain_or_capture(&self, mv: Move) -> bool {
        let target = self.piece_on(mv.to());
        match mv.kind() {
            MoveKind::Plain => target.is_none(),
            MoveKind::Capture => target.is_some_and(|piece| piece.color() != self.side_to_move()),
            _ => false,
        }
    }

    /// Returns whether a move respects checks and pins. Not for the king and en passant.
    fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king_square(self.side_to_move());
        if self.pinned().contains(from) && !attacks::line(king, from).contains(to) {
            return false;
        }
        match self.checkers().first() {
            None => true,
            Some(_) if self.checkers().more_than_one() => false,
            Some(checker) => to == checker || attacks::between(king, checker).contains(to),
        }
    }

    fn is_legal_king_move(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            let is_allowed = |side| {
                self.open_castling_path(side)
                    .is_some_and(|path| path.rook == to && (path.safe & self.threats()).is_empty())
            };
            return !self.in_check() && CastlingSide::ALL.into_iter().any(is_allowed);
        }
        self.is_plain_or_capture(mv)
            && attacks::king(from).contains(to)
            && !self.threats().contains(to)
    }

    fn is_legal_pawn_move(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        let reaches_last_rank = to.rank() == Rank::Eighth.relative_to(us);
        if reaches_last_rank != mv.is_promotion() {
            return false;
        }
        let takes = attacks::pawn(us, from).contains(to);
        let step = from.forward(us);
        let fits = match kind {
            MoveKind::EnPassant => {
                return takes && self.en_passant() == Some(to) && self.is_en_passant_safe(from, to);
            }
            MoveKind::Castling => false,
            MoveKind::DoublePush => {
                from.rank() == Rank::Second.relative_to(us)
                    && step.and_then(|square| square.forward(us)) == Some(to)
                    && step.is_some_and(|square| self.piece_on(square).is_none())
                    && self.piece_on(to).is_none()
            }
            _ if mv.is_capture() => takes && self.piece_on(to).is_some_and(|p| p.color() != us),
            _ => step == Some(to) && self.piece_on(to).is_none(),
        };
        fits && self.leaves_king_safe(from, to)
    }

    /// Returns by [`PieceType`] the squares from which a piece would check the opponent's king.
    ///
    /// Castling and discovered checks are not covered.
    #[inline]
    pub fn checking_squares(&self) -> [Bitboard; PieceType::COUNT] {
        let them = !self.side_to_move();
        let king = self.king_square(them);
        let bishop = attacks::bishop(king, self.occupied());
        let rook = attacks::rook(king, self.occupied());
        let (pawn, knight) = (attacks::pawn(them, king), attacks::knight(king));
        [pawn, knight, bishop, rook, bishop | rook, Bitboard::EMPTY]
    }

    /// Returns whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let king = self.king_square(!us);
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = self.occupied() - Bitboard::square(from);
        let mut orthogonal = self.orthogonal_sliders(us) - Bitboard::square(from);
        let diagonal = self.diagonal_sliders(us) - Bitboard::square(from);
        if mv.is_castling() {
            let side = mv.castling_side();
            let rook = Bitboard::square(side.rook_target(us));
            occupied = (occupied - to.into()) | rook | side.king_target(us).into();
            orthogonal = (orthogonal - to.into()) | rook;
        } else {
            occupied |= to.into();
            if mv.is_en_passant() {
                occupied = occupied - self.en_passant_victim(to).into();
            }
            let piece_type = mv.promotion().unwrap_or(self.moved_piece(mv).piece_type());
            let direct = match piece_type {
                PieceType::Pawn => attacks::pawn(us, to),
                other => attacks::piece(other, to, occupied),
            };
            if direct.contains(king) {
                return true;
            }
        }
        (attacks::bishop(king, occupied) & diagonal | attacks::rook(king, occupied) & orthogonal)
            .any()
    }

    /// Returns the piece on the origin square.
    ///
    /// # Panics
    /// If that square is empty.
    #[inline]
    pub fn moved_piece(&self, mv: Move) -> Piece {
        self.piece_on(mv.from()).expect("a move starts from a piece")
    }

    /// Returns the type of the piece that the move captures.
    #[inline]
    pub fn victim(&self, mv: Move) -> Option<PieceType> {
        match mv.kind() {
            MoveKind::EnPassant => Some(PieceType::Pawn),
            _ if mv.is_capture() => self.piece_on(mv.to()).map(Piece::piece_type),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn en_passant_victim(&self, to: Square) -> Square {
        behind(self.side_to_move(), to)
    }

    /// Returns an approximate key after the move, to prefetch its TT entry.
    ///
    /// It is not exact for castling, en passant, and moves that change the rights to either.
    #[inline]
    pub fn key_after(&self, mv: Move) -> Key {
        let piece = self.moved_piece(mv);
        let arrives = match mv.promotion() {
            Some(promotion) => Piece::new(piece.color(), promotion),
            None => piece,
        };
        let mut key = self.key() ^ zobrist::side_to_move() ^ zobrist::piece(piece, mv.from());
        key ^= zobrist::piece(arrives, mv.to());
        if let Some(victim) = self.piece_on(mv.to()) {
            key ^= zobrist::piece(victim, mv.to());
        }
        key
    }
}
