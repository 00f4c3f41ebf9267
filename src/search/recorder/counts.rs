//! Counts of one iteration.

use crate::types::Depth;

use super::reasons::{NodeEnding, Pruning};

/// Counts of one iteration of iterative deepening, with all windows searched in it: a search of the
/// root that fails low or high is followed by another one, and both count.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IterationCounts {
    /// Depth of the iteration in plies.
    pub depth: Depth,
    /// Searches of the root: one for each aspiration window.
    pub windows: u64,
    /// Nodes, as the search counts them.
    pub nodes: u64,
    /// Nodes of quiescence search among them.
    pub quiescence: u64,
    /// Probes of the TT.
    pub tt_probes: u64,
    /// Probes that found an entry of the position.
    pub tt_hits: u64,
    /// Beta cutoffs by the first move searched.
    pub first_move_cutoffs: u64,
    /// Singular searches, which are not counted as nodes.
    pub singular_searches: u64,
    /// Nodes by ending.
    endings: [u64; NodeEnding::ALL.len()],
    /// Pruned moves by heuristic.
    pruned: [u64; Pruning::ALL.len()],
}

impl IterationCounts {
    pub(crate) fn new(depth: Depth) -> Self {
        Self { depth, ..Self::default() }
    }

    /// Returns the nodes that ended for this reason. The sum over all reasons is `nodes`.
    pub fn ended(&self, ending: NodeEnding) -> u64 {
        self.endings[ending as usize]
    }

    /// Returns the moves that this heuristic pruned. Quiet moves that late move pruning leaves out
    /// after the first one are not counted.
    pub fn pruned(&self, pruning: Pruning) -> u64 {
        self.pruned[pruning as usize]
    }

    pub(crate) fn count_ending(&mut self, ending: NodeEnding) {
        self.endings[ending as usize] += 1;
    }

    pub(crate) fn count_pruned(&mut self, pruning: Pruning) {
        self.pruned[pruning as usize] += 1;
    }
}
