//! Kinds of nodes, and the facts of one node that the pieces of the search share.

use crate::types::{Depth, Move, Score};

use super::tt::TtEntry;

/// The search was told to stop. Nothing needs undoing: the worker's board is a copy that is thrown away.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Aborted;

/// A kind of node, known at compile time.
pub(super) trait NodeType {
    /// The first node.
    const ROOT: bool;
    /// A node searched with an open window: its score is exact if it lies inside, and its line is kept.
    const PV: bool;
    /// The kind of a child that may become part of the principal variation.
    type Next: NodeType;
}

/// The first node.
pub(super) struct Root;
/// A node with an open window.
pub(super) struct Pv;
/// A node that only has to show on which side of a bound its score lies.
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

/// The scores between which the search wants to know the exact one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// Every score.
    pub(super) const FULL: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// Nothing but the question whether the score exceeds `alpha`.
    #[inline]
    pub(super) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Whether a score lies strictly inside.
    #[inline]
    pub(super) fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }
}

impl std::ops::Neg for Window {
    type Output = Self;

    /// The window from the other side's point of view.
    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// What is known of a node before its moves are searched.
#[derive(Copy, Clone)]
pub(super) struct NodeContext {
    /// Plies from the root.
    pub(super) ply: usize,
    /// Plies left to search.
    pub(super) depth: Depth,
    pub(super) window: Window,
    /// Whether this node is expected to fail high.
    pub(super) cut_node: bool,
    /// What the table knows of the position.
    pub(super) tt: Option<TtEntry>,
    /// The table's move, if it is legal here; at the root the best move so far.
    pub(super) tt_move: Option<Move>,
    /// Plies to search the table's move deeper than the others.
    pub(super) extension: Depth,
    /// A move left out, to see what the position is worth without it.
    pub(super) excluded: Option<Move>,
    /// Whether the position is, or has been, on a principal variation.
    pub(super) tt_pv: bool,
    /// The evaluation as it comes from the position, which the table keeps; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// The evaluation before any search, corrected by what searches said of the like of it; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The best guess at the score: the static evaluation, or the table's score where its bound improves on that;
    /// `None` in check.
    pub(super) eval: Option<Score>,
    /// Whether the static evaluation has risen since the mover's last turn.
    pub(super) improving: bool,
}

impl NodeContext {
    #[inline]
    pub(super) fn in_check(&self) -> bool {
        self.static_eval.is_none()
    }
}

/// A move about to be searched.
#[derive(Copy, Clone)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its number in the order of search, from 1.
    pub(super) number: usize,
    pub(super) is_quiet: bool,
    /// What the histories say of it; 0 of the table's move.
    pub(super) history: i32,
    /// Whether it is a capture or queen promotion that loses no material by exchanges, or little where its history is good.
    pub(super) is_good_noisy: bool,
}
