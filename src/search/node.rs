//! Node types and the context of a node.

use crate::types::{Depth, Move, Score};

use super::tt::TtEntry;

/// Signal that the search was stopped. No move is unmade: the next search copies the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Aborted;

pub(super) trait NodeType {
    const ROOT: bool;
    /// True if the window is open: a score inside is exact, and its PV is kept.
    const PV: bool;
    /// Type of a child that may become part of the PV.
    type Next: NodeType;
}

pub(super) struct Root;
pub(super) struct Pv;
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
    pub(super) const FULL: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// Returns the zero window above `alpha`.
    #[inline]
    pub(super) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    #[inline]
    pub(super) fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }
}

impl std::ops::Neg for Window {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Evaluations of a node that is not in check. Each refines the one before it.
#[derive(Copy, Clone)]
pub(super) struct Evaluations {
    /// Evaluation before corrections, as stored in the TT.
    pub(super) raw: Score,
    /// Evaluation after fifty-move scaling and correction history.
    pub(super) static_eval: Score,
    /// Static evaluation refined by the TT score.
    pub(super) refined: Score,
}

#[derive(Copy, Clone)]
pub(super) struct NodeContext {
    pub(super) ply: usize,
    pub(super) depth: Depth,
    pub(super) window: Window,
    /// True if the node is expected to fail high.
    pub(super) is_cut_node: bool,
    pub(super) tt: Option<TtEntry>,
    /// TT move if it is legal; at the root the best move so far.
    pub(super) tt_move: Option<Move>,
    /// Extension of the TT move in plies; negative for a reduction.
    pub(super) extension: Depth,
    /// Move excluded from a singular search.
    pub(super) excluded: Option<Move>,
    /// True for a PV node, and if the TT entry comes from one.
    pub(super) is_tt_pv: bool,
    /// `None` in check.
    pub(super) evals: Option<Evaluations>,
    /// True if the static evaluation is improving. For the moves of the node, once it has not been
    /// pruned as a whole, also if it is at least beta.
    pub(super) is_improving: bool,
}

impl NodeContext {
    #[inline]
    pub(super) fn in_check(&self) -> bool {
        self.evals.is_none()
    }

    /// Returns the evaluation before corrections, as stored in the TT.
    #[inline]
    pub(super) fn raw_eval(&self) -> Option<Score> {
        self.evals.map(|evals| evals.raw)
    }
}

/// Move about to be searched.
#[derive(Copy, Clone)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Number in the order of the picker, from 1; pruned moves count.
    pub(super) number: usize,
    pub(super) is_quiet: bool,
    pub(super) history: i32,
    pub(super) is_good_noisy: bool,
}
