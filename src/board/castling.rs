//! Castling paths for standard chess and Chess960.

use crate::attacks;
use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, ColorMap, EnumMap, Square, SquareMap,
};

use super::Board;

type SideMap<T> = EnumMap<CastlingSide, T, { CastlingSide::COUNT }>;

/// Castling paths, constant throughout a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CastlingPaths {
    paths: ColorMap<SideMap<Option<CastlingPath>>>,
    /// Rights left after a move from or to a square.
    kept: SquareMap<CastlingRights>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct CastlingPath {
    /// Origin of the rook.
    pub(super) rook: Square,
    /// Must be empty: both paths and targets, except for king and rook.
    pub(super) clear: Bitboard,
    /// Must not be attacked: the king's path and target, without its origin.
    pub(super) safe: Bitboard,
}

impl CastlingPaths {
    pub(super) fn none() -> Self {
        Self {
            paths: ColorMap::filled(SideMap::filled(None)),
            kept: SquareMap::filled(CastlingRights::ALL),
        }
    }

    /// Adds the path of a right. King and rook stand on the side's first rank; a side has at most
    /// one rook for each [`CastlingSide`].
    pub(super) fn add(&mut self, color: Color, side: CastlingSide, king: Square, rook: Square) {
        let (king_target, rook_target) = (side.king_target(color), side.rook_target(color));
        let walk = |from, to| attacks::between(from, to) | Bitboard::square(to);
        let pieces = Bitboard::square(king) | Bitboard::square(rook);
        let path = CastlingPath {
            rook,
            clear: (walk(king, king_target) | walk(rook, rook_target)) - pieces,
            safe: walk(king, king_target) - Bitboard::square(king),
        };
        self.paths[color][side] = Some(path);
        self.kept[king] = self.kept[king].without(CastlingRights::both(color));
        self.kept[rook] = self.kept[rook].without(CastlingRights::single(color, side));
    }

    /// Returns the path of a right that the position had when it was set up; the right may be lost
    /// since.
    #[inline]
    pub(super) fn path(&self, color: Color, side: CastlingSide) -> Option<&CastlingPath> {
        self.paths[color][side].as_ref()
    }

    /// Returns the rights that a move from and to these squares leaves.
    #[inline]
    pub(super) fn rights_kept(&self, from: Square, to: Square) -> CastlingRights {
        self.kept[from].intersection(self.kept[to])
    }
}

impl Board {
    /// Returns the castling path if the side to move has the right, the path is clear and the rook
    /// is not pinned. Does not check for attacks on the king's path.
    #[inline]
    pub(super) fn open_castling_path(&self, side: CastlingSide) -> Option<&CastlingPath> {
        let us = self.side_to_move();
        if !self.castling_rights().has(us, side) {
            return None;
        }
        let is_open = |path: &&CastlingPath| {
            // In Chess960 the castling rook may shield the king from an attacker on the back rank.
            (path.clear & self.occupied()).is_empty() && !self.pinned().contains(path.rook)
        };
        self.castling_paths.path(us, side).filter(is_open)
    }
}
