//! Selection of the nodes that fit on a page.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tabia::search::{NodeKind, SearchTree};

/// Nodes to show: all searches of the root and, of some nodes, all children.
pub(crate) struct Selection {
    /// Searches of the root, in order.
    pub(crate) roots: Vec<usize>,
    /// Children of each node that are shown; empty if they are left out.
    pub(crate) children: Vec<Vec<usize>>,
    /// True for the nodes of the PV.
    pub(crate) is_pv: Vec<bool>,
}

impl Selection {
    /// Selects the searches of the root and all children of the PV, however many there are. Then
    /// come the children of the largest subtrees, up to `max_nodes` nodes in all.
    pub(crate) fn new(tree: &SearchTree, max_nodes: usize) -> Self {
        let nodes = &tree.nodes;
        let mut roots = Vec::new();
        let mut children = vec![Vec::new(); nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            match node.parent {
                Some(parent) => children[parent].push(index),
                None => roots.push(index),
            }
        }
        let is_pv = find_pv(tree, &roots, &children);
        let mut shown = roots.len();
        let mut is_open = vec![false; nodes.len()];
        let priority = |index: usize| (is_pv[index], nodes[index].nodes, Reverse(index));
        let mut candidates: BinaryHeap<_> = roots.iter().map(|&root| priority(root)).collect();
        while let Some((is_pv, _, Reverse(index))) = candidates.pop() {
            let below = &children[index];
            if is_pv || shown + below.len() <= max_nodes {
                shown += below.len();
                is_open[index] = true;
                candidates.extend(below.iter().map(|&child| priority(child)));
            }
        }
        for (children, is_open) in children.iter_mut().zip(is_open) {
            if !is_open {
                children.clear();
            }
        }
        Self { roots, children, is_pv }
    }
}

/// Marks the nodes of the PV: below the last search of the root, the last search of each move.
fn find_pv(tree: &SearchTree, roots: &[usize], children: &[Vec<usize>]) -> Vec<bool> {
    let mut is_pv = vec![false; tree.nodes.len()];
    let mut last = roots.last().copied();
    let mut pv = tree.pv.iter();
    while let Some(index) = last {
        is_pv[index] = true;
        let Some(mv) = pv.next() else { break };
        last = children[index].iter().copied().rfind(|&child| {
            let node = &tree.nodes[child];
            let is_search = matches!(node.kind, NodeKind::Main | NodeKind::Quiescence);
            is_search && node.mv == Some(*mv)
        });
    }
    is_pv
}

#[cfg(test)]
mod tests {
    use tabia::board::Board;
    use tabia::search::{Limits, SearchRequest, record};

    use super::*;

    #[test]
    fn the_pv_and_the_largest_subtrees_are_shown() {
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let (_, tree) =
            record(SearchRequest::new(Board::startpos(), limits), 16, 200_000).expect("16 MiB");
        for max_nodes in [0, 100, 1_000, usize::MAX] {
            let selection = Selection::new(&tree, max_nodes);
            let in_pv = selection.is_pv.iter().filter(|&&is_pv| is_pv).count();
            assert_eq!(in_pv, tree.pv.len() + 1);
            let children: usize = selection.children.iter().map(Vec::len).sum();
            let shown = selection.roots.len() + children;
            assert_eq!(max_nodes == usize::MAX, shown == tree.nodes.len());
            if max_nodes == 1_000 {
                assert!((900..=1_000).contains(&shown), "{shown}");
            }
        }
    }
}
