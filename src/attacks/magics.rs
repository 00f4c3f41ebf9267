//! Magic bitboards for bishops and rooks ("fancy" magics).
//!
//! `build.rs` finds the factors and fills the table.
//! Source: <https://www.chessprogramming.org/Magic_Bitboards>

use crate::types::{Bitboard, Square};

struct Magic {
    mask: u64,
    factor: u64,
    /// Index of this square's first attack set in `SLIDER_ATTACKS`.
    offset: u32,
    shift: u32,
}

// `BISHOP_MAGICS`, `ROOK_MAGICS` and their common table `SLIDER_ATTACKS`.
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
