//! Recorder of a build with the feature `tree`.

use crate::search::state::{NodeContext, Stack, Window};
use crate::types::{Depth, Move, Score};

use super::counts::IterationCounts;
use super::reasons::{NodeEnding, Pruning};
use super::tree::{NodeKind, RecordedNode, SearchTree};

/// Recorder of the nodes of one thread. The default one records nothing.
#[derive(Default)]
pub(crate) struct Recorder {
    /// Number of nodes that are kept; 0 if nothing is recorded. The counts have no limit.
    max_nodes: usize,
    tree: SearchTree,
    /// Nodes being searched, from the root to the current one.
    open: Vec<OpenNode>,
}

/// Node being searched.
struct OpenNode {
    /// Index among the recorded nodes; `None` if there was no room.
    index: Option<usize>,
    ply: usize,
    beta: Score,
    is_singular: bool,
    /// Nodes of the iteration that were counted before this node began.
    nodes_before: u64,
    /// Moves searched so far.
    searched: u32,
    /// Last move searched.
    last_move: Option<Move>,
}

impl Recorder {
    pub(crate) fn new(max_nodes: usize) -> Self {
        Self { max_nodes, ..Self::default() }
    }

    /// Ends the recording. Nodes that are still open were stopped.
    pub(crate) fn into_tree(mut self, pv: &[Move]) -> SearchTree {
        while !self.open.is_empty() {
            self.close(NodeEnding::Stopped, None);
        }
        self.tree.pv = pv.to_vec();
        self.tree
    }

    fn is_active(&self) -> bool {
        self.max_nodes > 0
    }

    fn counts(&mut self) -> &mut IterationCounts {
        self.tree.iterations.last_mut().expect("an iteration has begun")
    }

    /// Begins an iteration. The nodes of the last one are dropped.
    pub(crate) fn begin_iteration(&mut self, depth: Depth) {
        if self.is_active() {
            self.tree.iterations.push(IterationCounts::new(depth));
            self.tree.nodes.clear();
        }
    }

    /// Enters a node, below the innermost one that is open. The stack has the move to it.
    pub(crate) fn enter(
        &mut self,
        stack: &Stack,
        window: Window,
        depth: Depth,
        ply: usize,
        is_tt_hit: bool,
    ) {
        if !self.is_active() {
            return;
        }
        let parent = self.open.last();
        let is_same = parent.is_some_and(|parent| parent.ply == ply);
        // Only ProbCut searches a move beyond beta.
        let is_beyond_beta = parent.is_some_and(|parent| window.alpha < -parent.beta);
        let mv = if is_same { None } else { stack.before(ply, 1).mv };
        let is_quiescence = depth == 0;
        let kind = match mv {
            None if is_same && is_quiescence => NodeKind::Razoring,
            None if is_same => NodeKind::Verification,
            None if ply > 0 => NodeKind::NullMove,
            _ if is_beyond_beta => NodeKind::ProbCut,
            _ if is_quiescence => NodeKind::Quiescence,
            _ => NodeKind::Main,
        };
        if let (Some(parent), NodeKind::Main | NodeKind::Quiescence) = (self.open.last_mut(), kind)
            && parent.last_move != mv
        {
            parent.searched += 1;
            parent.last_move = mv;
        }
        self.push(kind, mv, window, depth, ply);
        let counts = self.counts();
        counts.windows += u64::from(ply == 0);
        counts.nodes += 1;
        counts.quiescence += u64::from(is_quiescence);
        counts.tt_hits += u64::from(is_tt_hit);
    }

    /// Enters the search of the moves of an open node without one of them.
    pub(crate) fn enter_singular(&mut self, node: &NodeContext) {
        if self.is_active() {
            self.push(NodeKind::Singular, node.excluded, node.window, node.depth, node.ply);
            self.counts().singular_searches += 1;
        }
    }

    fn push(
        &mut self,
        kind: NodeKind,
        mv: Option<Move>,
        Window { alpha, beta }: Window,
        depth: Depth,
        ply: usize,
    ) {
        let nodes_before = self.counts().nodes;
        let open = self.open.last();
        let parent = open.and_then(|parent| parent.index);
        let nodes = &mut self.tree.nodes;
        // The searches that build the line of a mate begin below the root. They are only counted.
        let is_kept = open.map_or(ply == 0, |parent| parent.index.is_some());
        let index = (is_kept && nodes.len() < self.max_nodes).then_some(nodes.len());
        if index.is_some() {
            nodes.push(RecordedNode {
                parent,
                kind,
                mv,
                ply,
                depth,
                alpha,
                beta,
                score: None,
                ending: NodeEnding::Stopped,
                searched: 0,
                pruned: Vec::new(),
                nodes: 0,
            });
        }
        self.open.push(OpenNode {
            index,
            ply,
            beta,
            is_singular: kind == NodeKind::Singular,
            nodes_before,
            searched: 0,
            last_move: None,
        });
    }

    /// Records a pruned move of the current node.
    pub(crate) fn skipped(&mut self, mv: Move, pruning: Pruning) {
        if !self.is_active() {
            return;
        }
        self.counts().count_pruned(pruning);
        let node = self.open.last_mut().expect("a node is open");
        if let Some(index) = node.index {
            self.tree.nodes[index].pruned.push((mv, pruning));
        }
    }

    /// Leaves the current node.
    pub(crate) fn leave(&mut self, ending: NodeEnding, score: Score) {
        if self.is_active() {
            self.close(ending, Some(score));
        }
    }

    fn close(&mut self, ending: NodeEnding, score: Option<Score>) {
        let node = self.open.pop().expect("a node is open");
        let counts = self.counts();
        let nodes = counts.nodes - node.nodes_before;
        if !node.is_singular {
            let is_first = ending == NodeEnding::BetaCutoff && node.searched == 1;
            counts.count_ending(ending);
            counts.tt_probes += u64::from(ending != NodeEnding::Rule);
            counts.first_move_cutoffs += u64::from(is_first);
        }
        if let Some(index) = node.index {
            let recorded = &mut self.tree.nodes[index];
            (recorded.ending, recorded.score) = (ending, score);
            (recorded.nodes, recorded.searched) = (nodes, node.searched);
        }
    }
}
