//! Node types and the context of a node that all parts of the search share.

use crate::types::{Depth, Move, Score};

use super::tt::TtEntry;

/// The search was stopped. Nothing is unmade: the next search starts from a fresh
/// copy of the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Aborted;

/// Node type, known at compile time.
pub(super) trait NodeType {
    /// True for the root.
    const ROOT: bool;
    /// True for PV nodes, whose window is open. A score inside it is exact, and its PV is kept.
    const PV: bool;
    /// Node type of a child that may become part of the PV.
    type Next: NodeType;
}

/// Root of the search: a PV node whose moves are the root moves.
pub(super) struct Root;
/// Node with an open window.
pub(super) struct Pv;
/// Node with a zero window: its score only shows on which side of the window it lies.
pub(super) struct NonPv;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type Next = Pv;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    type Next = Self;
}

impl NodeType for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
    type Next = Self;
}

/// Window of scores, both ends excluded. Only a score inside is exact.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// Window that contains every score.
    pub(super) const FULL: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// Returns the zero window above `alpha`, which only tests whether the score exceeds it.
    #[inline]
    pub(super) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Returns whether a score lies strictly inside.
    #[inline]
    pub(super) fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }
}

impl std::ops::Neg for Window {
    type Output = Self;

    /// Returns the window from the opponent's point of view.
    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Facts of a node, gathered before its moves are searched.
#[derive(Copy, Clone)]
pub(super) struct NodeContext {
    /// Plies from the root.
    pub(super) ply: usize,
    /// Plies left to search.
    pub(super) depth: Depth,
    pub(super) window: Window,
    /// True for a cut-node, which is expected to fail high.
    pub(super) cut_node: bool,
    /// TT entry of the position.
    pub(super) tt: Option<TtEntry>,
    /// TT move, if it is legal here; at the root the best move so far.
    pub(super) tt_move: Option<Move>,
    /// Extension of the TT move in plies; negative for a reduction.
    pub(super) extension: Depth,
    /// Move excluded from a singular search.
    pub(super) excluded: Option<Move>,
    /// True for a PV node, and if the TT entry comes from one.
    pub(super) tt_pv: bool,
    /// Evaluation before corrections, as stored in the TT; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// Static evaluation after correction history; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// Best estimate of the score: the static evaluation refined by the TT score; `None` in check.
    pub(super) eval: Option<Score>,
    /// True if the static evaluation has risen since the mover's last turn.
    pub(super) improving: bool,
}

impl NodeContext {
    #[inline]
    pub(super) fn in_check(&self) -> bool {
        self.static_eval.is_none()
    }
}

/// Move about to be searched.
#[derive(Copy, Clone)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Number in the order of search, from 1.
    pub(super) number: usize,
    pub(super) is_quiet: bool,
    /// Sum of its history scores; 0 for the TT move.
    pub(super) history: i32,
    /// True for a move of the picker's stage of good noisy moves.
    pub(super) is_good_noisy: bool,
}
