//! Magic bitboards for bishops and rooks ("fancy" magics).
//!
//! The occupancy of the relevant squares, multiplied by a magic factor, has the index of the
//! attack set in its top bits. `build.rs` finds the factors and fills the table.
//! Source: <https://www.chessprogramming.org/Magic_Bitboards>

use crate::types::{Bitboard, Square};

/// Magic of one square for one kind of slider.
struct Magic {
    /// Squares whose occupancy matters.
    mask: u64,
    factor: u64,
    /// Index of this square's first attack set in the table.
    offset: u32,
    /// 64 minus the number of bits in the mask.
    shift: u32,
}

// `BISHOP_MAGICS` and `ROOK_MAGICS` for each square, and their common table `SLIDER_ATTACKS`.
include!(concat!(env!("OUT_DIR"), "/magics.rs"));

impl Magic {
    #[inline]
    fn attacks(&self, occupied: Bitboard) -> Bitboard {
        let index = (occupied.0 & self.mask).wrapping_mul(self.factor) >> self.shift;
        Bitboard(SLIDER_ATTACKS[self.offset as usize + index as usize])
    }
}

#[inline]
pub(super) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_MAGICS[square.index()].attacks(occupied)
}

#[inline]
pub(super) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK_MAGICS[square.index()].attacks(occupied)
}
