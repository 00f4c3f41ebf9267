//! Moves packed into 16 bits.
//!
//! ```text
//! bit   15 14 13 12 | 11 10 9 8 7 6 | 5 4 3 2 1 0
//!       kind        | to            | from
//! ```

use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{CastlingSide, Color, PieceType, Rank, Square};

/// The moves of one position; no legal position has more than 218.
pub type MoveList = ArrayVec<Move, 256>;

/// Kind of a move. Bit 2 marks captures and bit 3 promotions, whose low two bits are the piece:
/// knight, bishop, rook, queen.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the variants are standard chess terms")]
pub enum MoveKind {
    /// A move of no other kind.
    Plain = 0,
    DoublePush = 1,
    /// Encoded as the king's move to its rook's square, also in standard chess. Not a capture.
    Castling = 2,
    Capture = 4,
    EnPassant = 5,
    KnightPromotion = 8,
    BishopPromotion = 9,
    RookPromotion = 10,
    QueenPromotion = 11,
    KnightPromotionCapture = 12,
    BishopPromotionCapture = 13,
    RookPromotionCapture = 14,
    QueenPromotionCapture = 15,
}

impl MoveKind {
    /// Returns the kind of a promotion to this piece.
    ///
    /// # Panics
    /// If the piece is a pawn or a king.
    pub const fn promotion(piece_type: PieceType, is_capture: bool) -> Self {
        match (piece_type, is_capture) {
            (PieceType::Knight, false) => Self::KnightPromotion,
            (PieceType::Bishop, false) => Self::BishopPromotion,
            (PieceType::Rook, false) => Self::RookPromotion,
            (PieceType::Queen, false) => Self::QueenPromotion,
            (PieceType::Knight, true) => Self::KnightPromotionCapture,
            (PieceType::Bishop, true) => Self::BishopPromotionCapture,
            (PieceType::Rook, true) => Self::RookPromotionCapture,
            (PieceType::Queen, true) => Self::QueenPromotionCapture,
            (PieceType::Pawn | PieceType::King, _) => {
                panic!("no pawn promotes to a pawn or a king")
            }
        }
    }
}

/// A move: origin, target and kind.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Move(NonZeroU16);

impl Move {
    /// Bit 2 of the kind.
    const CAPTURE_BIT: u16 = 1 << 14;
    /// Bit 3 of the kind.
    const PROMOTION_BIT: u16 = 1 << 15;

    /// Packs a move.
    ///
    /// # Panics
    /// For the plain move from a1 to a1, whose bits are all zero.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
        Self(NonZeroU16::new(bits).expect("a move has different origin and target squares"))
    }

    /// Returns the 16 bits, which are never all zero.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Returns the move with these bits; `None` for zero.
    ///
    /// Other patterns are not checked: see [`crate::board::Board::is_legal`].
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// Returns the square the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get())
    }

    /// Returns the target square; for castling, the rook's square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.0.get() >> 6)
    }

    /// Returns the kind; `Plain` for the unused patterns 3, 6 and 7, which are never legal. For 6
    /// and 7 [`Self::is_capture`] is true all the same.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.kind_bits() {
            1 => MoveKind::DoublePush,
            2 => MoveKind::Castling,
            4 => MoveKind::Capture,
            5 => MoveKind::EnPassant,
            8 => MoveKind::KnightPromotion,
            9 => MoveKind::BishopPromotion,
            10 => MoveKind::RookPromotion,
            11 => MoveKind::QueenPromotion,
            12 => MoveKind::KnightPromotionCapture,
            13 => MoveKind::BishopPromotionCapture,
            14 => MoveKind::RookPromotionCapture,
            15 => MoveKind::QueenPromotionCapture,
            _ => MoveKind::Plain,
        }
    }

    /// Returns whether the four kind bits stand for a [`MoveKind`].
    #[inline]
    pub const fn has_valid_kind(self) -> bool {
        !matches!(self.kind_bits(), 3 | 6 | 7)
    }

    /// Returns whether the move is a capture, including en passant.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.0.get() & Self::CAPTURE_BIT != 0
    }

    /// Returns whether a pawn promotes.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & Self::PROMOTION_BIT != 0
    }

    /// Returns whether the move is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.kind_bits() == MoveKind::Castling as u16
    }

    /// Returns whether the move is an en passant capture.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.kind_bits() == MoveKind::EnPassant as u16
    }

    /// Returns whether the move is quiet: neither a capture nor a queen promotion. Castling and
    /// underpromotions without a capture are quiet.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        !self.is_capture() && self.kind_bits() != MoveKind::QueenPromotion as u16
    }

    /// Returns the piece that a pawn promotes to.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        if self.is_promotion() {
            Some(PieceType::ALL[1 + (self.kind_bits() & 3) as usize])
        } else {
            None
        }
    }

    /// Returns the side of a castling move. Meaningless for other moves.
    #[inline]
    pub fn castling_side(self) -> CastlingSide {
        debug_assert!(self.is_castling(), "{self:?}");
        if self.to() > self.from() { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// Returns the king's destination of a castling move. Meaningless for other moves.
    pub fn king_target(self) -> Square {
        let color = if self.from().rank() == Rank::First { Color::White } else { Color::Black };
        self.castling_side().king_target(color)
    }

    const fn kind_bits(self) -> u16 {
        self.0.get() >> 12
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accessors_return_the_packed_parts() {
        let mv = Move::new(Square::B7, Square::A8, MoveKind::RookPromotionCapture);
        assert_eq!((mv.from(), mv.to()), (Square::B7, Square::A8));
        assert_eq!(mv.kind(), MoveKind::RookPromotionCapture);
        assert_eq!(mv.promotion(), Some(PieceType::Rook));
        assert!(mv.is_capture() && mv.is_promotion() && !mv.is_castling());
        assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn kinds_round_trip() {
        let mut valid = 0;
        for bits in (0..16u16).map(|kind| kind << 12 | 1) {
            let mv = Move::from_bits(bits).expect("not zero");
            if mv.has_valid_kind() {
                valid += 1;
                assert_eq!(Move::new(mv.from(), mv.to(), mv.kind()), mv);
            } else {
                assert_eq!(mv.kind(), MoveKind::Plain);
            }
        }
        assert_eq!(valid, 13);
    }
}
