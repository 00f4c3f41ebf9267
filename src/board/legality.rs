//! Questions about a single move: is it legal, does it give check, what does it take.

use super::Board;
use super::make::{behind, castling_side};
use crate::attacks;
use crate::types::{Bitboard, CastlingSide, Move, MoveKind, Piece, PieceType, Rank, Square};
use crate::zobrist::{self, Key};

impl Board {
    /// Whether the move is legal here. Any pattern of bits may be asked about: a hash table can hold anything.
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
                self.is_plain(mv)
                    && attacks::piece(other, from, self.occupied()).contains(to)
                    && self.leaves_king_safe(from, to)
            }
        }
    }

    /// Whether the move's kind is that of a piece that moves or takes, and fits what stands on the target.
    fn is_plain(&self, mv: Move) -> bool {
        let target = self.piece_on(mv.to());
        match mv.kind() {
            MoveKind::Quiet => target.is_none(),
            MoveKind::Capture => target.is_some_and(|piece| piece.color() != self.side_to_move()),
            _ => false,
        }
    }

    /// Whether a piece other than the king may go from `from` to `to` as far as checks and pins are concerned.
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
        self.is_plain(mv) && attacks::king(from).contains(to) && !self.threats().contains(to)
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

    /// The squares from which a piece of each type would check the opponent's king: those of quiet moves that give check,
    /// but for castling and for checks uncovered behind the moving piece. Indexed by [`PieceType`].
    #[inline]
    pub fn checking_squares(&self) -> [Bitboard; PieceType::COUNT] {
        let them = !self.side_to_move();
        let king = self.king_square(them);
        let bishop = attacks::bishop(king, self.occupied());
        let rook = attacks::rook(king, self.occupied());
        let (pawn, knight) = (attacks::pawn(them, king), attacks::knight(king));
        [pawn, knight, bishop, rook, bishop | rook, Bitboard::EMPTY]
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let king = self.king_square(!us);
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = self.occupied() - Bitboard::square(from);
        let mut orthogonal = self.orthogonal_sliders(us) - Bitboard::square(from);
        let diagonal = self.diagonal_sliders(us) - Bitboard::square(from);
        if mv.is_castling() {
            let side = castling_side(from, to);
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

    /// The piece that the move takes from its square.
    ///
    /// # Panics
    /// Where the square is empty.
    #[inline]
    pub fn moved_piece(&self, mv: Move) -> Piece {
        self.piece_on(mv.from()).expect("a move starts from a piece")
    }

    /// The kind of piece that the move takes, if it is a capture.
    #[inline]
    pub fn victim(&self, mv: Move) -> Option<PieceType> {
        match mv.kind() {
            MoveKind::EnPassant => Some(PieceType::Pawn),
            _ if mv.is_capture() => self.piece_on(mv.to()).map(Piece::piece_type),
            _ => None,
        }
    }

    /// The square of the pawn that an e.p. capture on `to` takes.
    #[inline]
    pub(super) fn en_passant_victim(&self, to: Square) -> Square {
        behind(self.side_to_move(), to)
    }

    /// The key after the move, good enough to prefetch a table entry: exact for moves that are neither castling, en
    /// passant nor a double step, neither end a castling right nor an e.p. chance.
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
