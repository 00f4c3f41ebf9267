//! Samples positions from inside a search tree, for self-play (`datagen`).

use crate::types::Move;

/// Collects the lines to nodes whose numbers were chosen in advance, in main and quiescence search.
/// The root and nodes below a null move are replaced by the next node.
#[derive(Default)]
pub(crate) struct LineSampler {
    /// Node numbers still to come and the indices of their lines, the next one last.
    points: Vec<(u64, usize)>,
    lines: Vec<Vec<Move>>,
}

impl LineSampler {
    pub(crate) fn new(nodes: &[u64]) -> Self {
        let mut points: Vec<_> = nodes.iter().copied().zip(0..).collect();
        points.sort_unstable_by(|a, b| b.cmp(a));
        Self { points, lines: vec![Vec::new(); nodes.len()] }
    }

    /// Returns the number of the next node to visit.
    pub(crate) fn next(&self) -> Option<u64> {
        self.points.last().map(|&(node, _)| node)
    }

    /// Records the line to a node if it is due; `None` in it is a null move.
    pub(crate) fn visit(&mut self, node: u64, line: impl Iterator<Item = Option<Move>> + Clone) {
        while let Some((point, _)) = self.points.last_mut()
            && *point <= node
        {
            match line.clone().collect::<Option<Vec<_>>>() {
                Some(line) if !line.is_empty() => {
                    let (_, index) = self.points.pop().expect("there is a last point");
                    self.lines[index] = line;
                }
                _ => {
                    *point = node + 1;
                    self.points.sort_unstable_by(|a, b| b.cmp(a));
                }
            }
        }
    }

    /// Returns the lines in the requested order; empty for nodes that were not reached.
    pub(crate) fn into_lines(self) -> Vec<Vec<Move>> {
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use crate::types::{MoveKind, Square};

    use super::*;

    fn mv() -> Move {
        Move::new(Square::E2, Square::E4, MoveKind::DoublePush)
    }

    #[test]
    fn lines_keep_the_requested_order_and_skip_null_moves() {
        let mut sampler = LineSampler::new(&[5, 2, 9]);
        let line = |length: usize| vec![Some(mv()); length].into_iter();
        sampler.visit(1, line(0));
        assert_eq!(sampler.next(), Some(2));
        sampler.visit(2, line(0));
        sampler.visit(3, [Some(mv()), None].into_iter());
        sampler.visit(4, line(4));
        assert_eq!(sampler.next(), Some(5));
        sampler.visit(5, line(5));
        let lengths: Vec<usize> = sampler.into_lines().iter().map(Vec::len).collect();
        assert_eq!(lengths, [5, 4, 0]);
    }
}
