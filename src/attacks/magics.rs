//! Sliding pieces by magic multiplication: the occupancy of the relevant squares times a magic factor has, in its top
//! bits, the index of the attack set. `build.rs` finds the factors and fills the table.
//! Source: <https://www.chessprogramming.org/Magic_Bitboards> ("fancy" magics).

use crate::types::{Bitboard, Square};

struct Magic {
    /// The squares whose occupancy matters.
    mask: u64,
    factor: u64,
    /// Where this square's attack sets begin in the table.
    offset: u32,
    /// 64 minus the number of bits in the mask.
    shift: u32,
}

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
