//! Node types and the context of a node.

use crate::search::tt::TtEntry;
use crate::types::{Depth, Move, Score};

/// Signal that the search was stopped. No move is unmade: the next search copies the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Aborted;

pub(crate) trait NodeType {
    const ROOT: bool = false;
    /// True if the window is open: a score inside is exact, and its PV is kept.
    const PV: bool = false;
    /// True for the children of a root whose request hides replies.
    const HIDES_REPLIES: bool = false;
    /// Type of a child that may become part of the PV.
    type Next: NodeType;
    /// Type of a child with a zero window.
    type Zero: NodeType;
}

pub(crate) struct Root;
pub(crate) struct Pv;
pub(crate) struct NonPv;
/// Root whose request hides replies: `SearchRequest::hidden_replies`. Its children have types of
/// their own, so no other node tests for them.
pub(crate) struct HidingRoot;
pub(crate) struct HidingPv;
pub(crate) struct HidingNonPv;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type Next = Pv;
    type Zero = NonPv;
}

impl NodeType for Pv {
    const PV: bool = true;
    type Next = Self;
    type Zero = NonPv;
}

impl NodeType for NonPv {
    type Next = Self;
    type Zero = Self;
}

impl NodeType for HidingRoot {
    const ROOT: bool = true;
    const PV: bool = true;
    type Next = HidingPv;
    type Zero = HidingNonPv;
}

impl NodeType for HidingPv {
    const PV: bool = true;
    const HIDES_REPLIES: bool = true;
    type Next = Pv;
    type Zero = NonPv;
}

impl NodeType for HidingNonPv {
    const HIDES_REPLIES: bool = true;
    type Next = NonPv;
    type Zero = NonPv;
}

/// Window of scores, both ends excluded. Only a score inside is exact.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    pub(crate) const FULL: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };
    /// All scores but mates.
    pub(crate) const WITHOUT_MATES: Self =
        Self { alpha: Score(-Score::MIN_MATE.0), beta: Score::MIN_MATE };

    /// Returns the zero window above `alpha`.
    #[inline]
    pub(crate) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Returns whether alpha has been raised to beta or above.
    #[inline]
    pub(crate) fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }

    /// Returns the fail-soft score of a node with this window. If alpha has been raised from that
    /// of `before`, the mover has at least alpha for certain, so the score is no lower.
    #[inline]
    pub(crate) fn at_least_secured(self, before: Self, score: Score) -> Score {
        if self.alpha > before.alpha { score.max(self.alpha) } else { score }
    }

    #[inline]
    pub(crate) fn contains(self, score: Score) -> bool {
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
pub(crate) struct Evaluations {
    /// Evaluation before corrections, as stored in the TT.
    pub(crate) raw: Score,
    /// Evaluation after fifty-move scaling and correction history.
    pub(crate) static_eval: Score,
    /// Static evaluation refined by the TT score.
    pub(crate) refined: Score,
    /// Size of the correction in hundredths of a pawn: a measure of doubt.
    pub(crate) doubt: i32,
}

/// Facts about a node of the main search. They are computed once, before the node may be pruned.
/// Only the TT move may be dropped later, by the singular search.
#[derive(Copy, Clone)]
pub(crate) struct NodeContext {
    pub(crate) ply: usize,
    /// Depth on entry, corrected in hindsight. Decides whether the node is pruned as a whole.
    pub(crate) entry_depth: Depth,
    /// Depth of the search of the moves: `entry_depth` after internal iterative reduction.
    pub(crate) depth: Depth,
    pub(crate) window: Window,
    /// True in the line that the last depth found, where less is pruned.
    pub(crate) is_last_pv: bool,
    /// True if the node is expected to fail high.
    pub(crate) is_cut_node: bool,
    /// TT entry with the result of a search.
    pub(crate) tt: Option<TtEntry>,
    /// TT move if it is legal; at the root the best move so far.
    pub(crate) tt_move: Option<Move>,
    /// Move excluded from a singular search.
    pub(crate) excluded: Option<Move>,
    /// True for a PV node, and if the TT entry comes from one.
    pub(crate) is_tt_pv: bool,
    /// `None` in check.
    pub(crate) evals: Option<Evaluations>,
    /// Gain of the static evaluation since the mover's last turn, in hundredths of a pawn; 0 if it
    /// is not known.
    pub(crate) improvement: i32,
    /// True if the node is improving or likely to fail high, because its static evaluation is at
    /// least beta: fewer of its late moves are pruned, and they are reduced less.
    pub(crate) counts_as_improving: bool,
}

impl NodeContext {
    #[inline]
    pub(crate) fn in_check(&self) -> bool {
        self.evals.is_none()
    }

    /// Returns whether the static evaluation is higher than at the mover's last turn.
    #[inline]
    pub(crate) fn is_improving(&self) -> bool {
        self.improvement > 0
    }

    /// Returns the doubt about the static evaluation; 0 in check.
    #[inline]
    pub(crate) fn doubt(&self) -> i32 {
        self.evals.map_or(0, |evals| evals.doubt)
    }

    /// Returns the evaluation before corrections, as stored in the TT.
    #[inline]
    pub(crate) fn raw_eval(&self) -> Option<Score> {
        self.evals.map(|evals| evals.raw)
    }
}

/// Move about to be searched.
#[derive(Copy, Clone)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    /// Number in the order of the picker, from 1; pruned moves count.
    pub(crate) number: usize,
    /// Extension in plies, of the TT move only; negative for a reduction.
    pub(crate) extension: Depth,
    pub(crate) is_quiet: bool,
    pub(crate) history: i32,
    pub(crate) is_good_noisy: bool,
}
