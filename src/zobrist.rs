//! Zobrist hashing: the key of a position is the XOR of the keys of its features.
//!
//! `build.rs` draws the keys from ChaCha20 with a fixed seed. They are good if no small subset
//! cancels out (docs/keys.md, `tabia keys`).
//! Source: A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};

use crate::types::{CastlingRights, File, Piece, Square};

include!(concat!(env!("OUT_DIR"), "/zobrist.rs"));

const CASTLING: usize = Piece::COUNT * Square::COUNT;
const EN_PASSANT: usize = CASTLING + CastlingRights::COUNT;
const SIDE_TO_MOVE: usize = EN_PASSANT + File::COUNT;

/// 64-bit key of a position or of one of its features.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key(pub u64);

impl BitXor for Key {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}

/// Returns the key of a piece on a square.
#[inline]
pub fn piece(piece: Piece, square: Square) -> Key {
    Key(KEYS[piece.index() * Square::COUNT + square.index()])
}

/// Returns the key of a set of castling rights; the empty set has one too.
#[inline]
pub fn castling(rights: CastlingRights) -> Key {
    Key(KEYS[CASTLING + rights.index()])
}

/// Returns the key of a legal en passant capture on this file.
#[inline]
pub fn en_passant(file: File) -> Key {
    Key(KEYS[EN_PASSANT + file.index()])
}

/// Returns the key for Black to move.
#[inline]
pub fn side_to_move() -> Key {
    Key(KEYS[SIDE_TO_MOVE])
}

/// Returns the key of a halfmove clock: 0 below 32 plies, then another one every eighth ply. It is
/// no part of the key of a position. The TT (`Board::search_key`) and the correction histories of
/// structures add it to theirs.
#[inline]
pub fn halfmove_clock(plies: u16) -> Key {
    let bucket = (plies / 8).saturating_sub(3);
    // Fibonacci hashing: the high bits, which select the cluster, depend on the whole bucket.
    Key(u64::from(bucket).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Returns all 793 keys: by piece, then square; castling rights; en passant files; side to move.
pub fn all() -> impl ExactSizeIterator<Item = Key> {
    KEYS.iter().copied().map(Key)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_eighth_ply_from_32_on_has_another_key() {
        assert!((0..32).all(|plies| halfmove_clock(plies) == Key(0)));
        for plies in 32..=160 {
            let has_changed = halfmove_clock(plies) != halfmove_clock(plies - 1);
            assert_eq!(has_changed, plies % 8 == 0, "{plies} plies");
        }
        let keys: Vec<Key> = (4..20).map(|eighth| halfmove_clock(8 * eighth)).collect();
        let low_bits: HashSet<u64> = keys.iter().map(|key| key.0 % (1 << 14)).collect();
        let high_bits: HashSet<u64> = keys.iter().map(|key| key.0 >> 44).collect();
        assert_eq!([low_bits.len(), high_bits.len()], [keys.len(); 2]);
    }
}
