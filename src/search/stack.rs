//! What the search remembers of each ply of the line it is in.

use crate::types::{MAX_PLY, Move, Score};

use super::history::ContinuationRow;

/// Plies before the root that may be asked for.
const BEFORE_ROOT: usize = 6;

/// One ply of the line being searched.
#[derive(Copy, Clone)]
pub(super) struct PlyFrame {
    /// The corrected evaluation before any search; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The move being searched from here; `None` for a null move.
    pub(super) mv: Option<Move>,
    /// The row of the continuation history that this move opens.
    pub(super) row: ContinuationRow,
    /// How many searches of nodes at this ply, since the moves of the node before were begun, found a move that failed
    /// high.
    pub(super) cutoffs: i32,
}

impl PlyFrame {
    const EMPTY: Self =
        Self { static_eval: None, mv: None, row: ContinuationRow::NONE, cutoffs: 0 };
}

/// The frames of a line, with empty ones before the root and after the last ply.
pub(super) struct Stack(Box<[PlyFrame; BEFORE_ROOT + MAX_PLY + 3]>);

impl Stack {
    pub(super) fn new() -> Self {
        Self(Box::new([PlyFrame::EMPTY; BEFORE_ROOT + MAX_PLY + 3]))
    }

    /// Empties every frame.
    pub(super) fn clear(&mut self) {
        self.0.fill(PlyFrame::EMPTY);
    }

    /// The frame `plies` plies before `ply`; there are six before the root.
    #[inline]
    pub(super) fn before(&self, ply: usize, plies: usize) -> &PlyFrame {
        &self.0[ply + BEFORE_ROOT - plies]
    }

    #[inline]
    pub(super) fn frame(&self, ply: usize) -> &PlyFrame {
        &self.0[ply + BEFORE_ROOT]
    }

    #[inline]
    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut PlyFrame {
        &mut self.0[ply + BEFORE_ROOT]
    }
}
