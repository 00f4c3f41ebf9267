//! Moves in sixteen bits.
//!
//! ```text
//! bit   15 14 13 12 | 11 10 9 8 7 6 | 5 4 3 2 1 0
//!       kind        | to            | from
//! ```

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{CastlingSide, Color, File, PieceType, Rank, Square};

/// All moves of one position; no legal position has more than 218.
pub type MoveList = ArrayVec<Move, 256>;

/// What is special about a move. Bit 2 marks captures, bit 3 promotions; the low two bits of a promotion name the piece.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the variants are the field's own names")]
pub enum MoveKind {
    Quiet = 0,
    DoublePush = 1,
    /// The king takes his own rook, in every variant of chess.
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
    const CAPTURE_BIT: u16 = 4 << 12;
    const PROMOTION_BIT: u16 = 8 << 12;

    /// The promotion to this piece.
    ///
    /// # Panics
    /// For pawns and kings, which nothing promotes to.
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

/// A move: from, to, kind. Castling is written as the king taking his own rook.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move of these parts.
    ///
    /// # Panics
    /// For the quiet move from a1 to a1, which is no move.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
        Self(NonZeroU16::new(bits).expect("a move goes from one square to another"))
    }

    /// The sixteen bits, never all zero.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move of these bits; `None` for zero. Any other pattern is taken, so ask [`crate::board::Board::is_legal`]
    /// before a move of unknown origin is played.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The square the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get())
    }

    /// The square the piece goes to; for castling, the rook's square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.0.get() >> 6)
    }

    /// The move's kind. The three patterns that name no kind count as quiet moves; `is_legal` rejects them.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 12 {
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
            _ => MoveKind::Quiet,
        }
    }

    /// Whether the pattern names a kind at all.
    #[inline]
    pub const fn has_valid_kind(self) -> bool {
        !matches!(self.0.get() >> 12, 3 | 6 | 7)
    }

    /// Whether a piece is taken, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.0.get() & MoveKind::CAPTURE_BIT != 0
    }

    /// Whether a pawn promotes.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & MoveKind::PROMOTION_BIT != 0
    }

    /// Whether it is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0.get() >> 12 == MoveKind::Castling as u16
    }

    /// Whether it is an en passant capture.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 12 == MoveKind::EnPassant as u16
    }

    /// Whether it neither takes nor promotes to a queen: what the search orders by history.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        !self.is_capture() && self.0.get() >> 12 != MoveKind::QueenPromotion as u16
    }

    /// What the pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        if self.is_promotion() {
            Some(PieceType::ALL[1 + (self.0.get() >> 12 & 3) as usize])
        } else {
            None
        }
    }

    /// The move as UCI writes it. Castling is the king's step (`e1g1`) where king and rook stand as in standard chess and
    /// `chess960` is off, else the king taking his rook (`e1h1`).
    #[inline]
    pub fn display(self, chess960: bool) -> impl fmt::Display {
        UciMove { mv: self, chess960 }
    }

    /// Returns the king's destination of a castling move.
    pub fn king_target(self) -> Square {
        let color = if self.from().rank() == Rank::First { Color::White } else { Color::Black };
        let side = if self.to() > self.from() { CastlingSide::King } else { CastlingSide::Queen };
        side.king_target(color)
    }
}

struct UciMove {
    mv: Move,
    chess960: bool,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mv = self.mv;
        let standard = mv.from().file() == File::E && matches!(mv.to().file(), File::A | File::H);
        if mv.is_castling() && !self.chess960 && standard {
            return write!(f, "{}{}", mv.from(), mv.king_target());
        }
        write!(f, "{}{}", mv.from(), mv.to())?;
        match mv.promotion() {
            Some(piece_type) => write!(f, "{}", piece_type.letter()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back() {
        let mv = Move::new(Square::B7, Square::A8, MoveKind::RookPromotionCapture);
        assert_eq!((mv.from(), mv.to()), (Square::B7, Square::A8));
        assert_eq!(mv.kind(), MoveKind::RookPromotionCapture);
        assert_eq!(mv.promotion(), Some(PieceType::Rook));
        assert!(mv.is_capture() && mv.is_promotion() && !mv.is_castling());
        assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn kinds_keep_their_number() {
        for bits in (0..16u16).map(|kind| kind << 12 | 1) {
            let mv = Move::from_bits(bits).expect("not zero");
            if mv.has_valid_kind() {
                assert_eq!(Move::new(mv.from(), mv.to(), mv.kind()), mv);
            }
        }
    }
}
