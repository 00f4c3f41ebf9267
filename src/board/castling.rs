//! Where kings and rooks castle from, in standard chess and Chess960 alike.

use super::Board;
use crate::attacks;
use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, Square, SquareMap};

/// The castling geometry of a game. It never changes while the game lasts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CastlingPaths {
    /// By colour and side.
    paths: [[Option<CastlingPath>; CastlingSide::COUNT]; Color::COUNT],
    /// The rights left after a piece has moved from or to a square.
    kept: SquareMap<CastlingRights>,
}

/// One castling: the king goes to his target, the rook to its own.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct CastlingPath {
    /// Where the rook starts.
    pub(super) rook: Square,
    /// Squares that must be empty: between and at the targets, without the two pieces themselves.
    pub(super) clear: Bitboard,
    /// Squares that must not be attacked: all the king touches, but for the one he stands on.
    pub(super) safe: Bitboard,
}

impl CastlingPaths {
    /// No castling at all.
    pub(super) fn none() -> Self {
        Self {
            paths: [[None; CastlingSide::COUNT]; Color::COUNT],
            kept: SquareMap::filled(CastlingRights::ALL),
        }
    }

    /// Allows the castling of this king with this rook.
    pub(super) fn add(&mut self, color: Color, side: CastlingSide, king: Square, rook: Square) {
        let (king_target, rook_target) = (side.king_target(color), side.rook_target(color));
        let walk = |from, to| attacks::between(from, to) | Bitboard::square(to);
        let pieces = Bitboard::square(king) | Bitboard::square(rook);
        let path = CastlingPath {
            rook,
            clear: (walk(king, king_target) | walk(rook, rook_target)) - pieces,
            safe: walk(king, king_target) - Bitboard::square(king),
        };
        self.paths[color.index()][side.index()] = Some(path);
        self.kept[king] = self.kept[king].without(CastlingRights::both(color));
        self.kept[rook] = self.kept[rook].without(CastlingRights::single(color, side));
    }

    /// The path of a castling that was possible at the start of the game.
    #[inline]
    pub(super) fn path(&self, color: Color, side: CastlingSide) -> Option<&CastlingPath> {
        self.paths[color.index()][side.index()].as_ref()
    }

    /// The rights that a move between these squares leaves.
    #[inline]
    pub(super) fn kept(&self, from: Square, to: Square) -> CastlingRights {
        self.kept[from].intersection(self.kept[to])
    }
}

impl Board {
    /// The way of a castling to this side, if the side to move has the right and nothing stands in the way. It still has
    /// to be safe, and the king not in check.
    #[inline]
    pub(super) fn open_castling_path(&self, side: CastlingSide) -> Option<&CastlingPath> {
        let us = self.side_to_move();
        if !self.castling_rights().has(us, side) {
            return None;
        }
        let is_open = |path: &&CastlingPath| {
            // In Chess960 the rook itself may shield the king against an attacker on the first rank.
            (path.clear & self.occupied()).is_empty() && !self.pinned().contains(path.rook)
        };
        self.castling_paths.path(us, side).filter(is_open)
    }
}
