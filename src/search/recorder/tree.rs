//! A recorded search.

use crate::types::{Depth, Move, Score};

use super::counts::IterationCounts;
use super::reasons::{NodeEnding, Pruning};

/// Search that a node belongs to. The nodes below have the kind [`Main`](Self::Main) or
/// [`Quiescence`](Self::Quiescence) again.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// Main search, of depth 1 and more.
    Main,
    /// Quiescence search, at depth 0.
    Quiescence,
    /// Search after a null move.
    NullMove,
    /// Search of the parent's position that verifies a null-move cutoff.
    Verification,
    /// Quiescence search of the parent's position, which razoring trusts.
    Razoring,
    /// Search after a capture with a raised beta.
    ProbCut,
    /// Search of the parent's position without one move. It is not a node: the search neither
    /// enters nor counts it.
    Singular,
}

/// Node of a recorded search. Scores are those of the side to move at the node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedNode {
    /// Index of the parent; `None` for a search of the root.
    pub parent: Option<usize>,
    /// Search that the node belongs to.
    pub kind: NodeKind,
    /// Move that leads to the node; the excluded move of a singular search. `None` for a null move
    /// and for other searches of the parent's position.
    pub mv: Option<Move>,
    /// Distance from the root in plies.
    pub ply: usize,
    /// Depth in plies on entry; 0 in quiescence search.
    pub depth: Depth,
    /// Lower end of the window.
    pub alpha: Score,
    /// Upper end of the window.
    pub beta: Score,
    /// Score returned; `None` if the search was stopped.
    pub score: Option<Score>,
    /// Reason for which the node ended.
    pub ending: NodeEnding,
    /// Number of moves searched in the node's own search. Re-searches count once.
    pub searched: u32,
    /// Moves pruned, with the reason.
    pub pruned: Vec<(Move, Pruning)>,
    /// Nodes of the subtree, this one included, recorded or not.
    pub nodes: u64,
}

impl RecordedNode {
    /// Returns whether the position is that of the parent.
    pub fn is_same_position(&self) -> bool {
        matches!(self.kind, NodeKind::Verification | NodeKind::Razoring | NodeKind::Singular)
    }
}

/// Recorded search of one thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchTree {
    /// Counts of each iteration.
    pub iterations: Vec<IterationCounts>,
    /// Nodes of the last iteration in the order of search, as many as there was room for.
    pub nodes: Vec<RecordedNode>,
    /// Principal variation of the last complete iteration.
    pub pv: Vec<Move>,
}
