//! Search stack: one frame for each ply of the current line.

use crate::search::ordering::{CONTINUATION_PLIES, LAST_PLIES, PieceTo};
use crate::types::{Bitboard, Depth, MAX_PLY, Move, Score};

/// Frames before the root, as many as the continuation history looks back.
const PLIES_BEFORE_ROOT: usize = CONTINUATION_PLIES[CONTINUATION_PLIES.len() - 1];
const _: () = assert!(PLIES_BEFORE_ROOT >= LAST_PLIES[LAST_PLIES.len() - 1]);
/// One frame for each ply, and one after the last for the cutoffs of its children.
const FRAMES: usize = PLIES_BEFORE_ROOT + MAX_PLY + 1;

#[derive(Copy, Clone)]
pub(crate) struct PlyFrame {
    /// Static evaluation after correction history; `None` in check.
    pub(crate) static_eval: Option<Score>,
    /// `None` for a null move.
    pub(crate) mv: Option<Move>,
    pub(crate) piece_to: PieceTo,
    /// Squares that the opponent attacked before the move, if it is quiet.
    pub(crate) threats: Bitboard,
    /// Late move reduction of the move in plies; 0 in a search at full depth, and while a null move
    /// after it is verified.
    pub(crate) reduction: Depth,
    /// Fail highs at this ply since the parent began to search its moves.
    pub(crate) cutoffs: i32,
}

impl PlyFrame {
    const EMPTY: Self = Self {
        static_eval: None,
        mv: None,
        piece_to: PieceTo::NONE,
        threats: Bitboard::EMPTY,
        reduction: 0,
        cutoffs: 0,
    };
}

/// Frames of a line, with empty ones before the root and after the last ply.
pub(crate) struct Stack(Box<[PlyFrame; FRAMES]>);

impl Stack {
    pub(crate) fn new() -> Self {
        Self(Box::new([PlyFrame::EMPTY; FRAMES]))
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(PlyFrame::EMPTY);
    }

    #[inline]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> &PlyFrame {
        &self.0[ply + PLIES_BEFORE_ROOT - plies]
    }

    #[inline]
    pub(crate) fn frame(&self, ply: usize) -> &PlyFrame {
        &self.0[ply + PLIES_BEFORE_ROOT]
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self, ply: usize) -> &mut PlyFrame {
        &mut self.0[ply + PLIES_BEFORE_ROOT]
    }
}
