//! Principal variation (PV): the moves that both sides are expected to play.

use arrayvec::ArrayVec;

use crate::types::{MAX_PLY, Move};

/// Moves from some position on.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// Triangular PV table: the best line from each ply. Only PV nodes write to it, and the walk that
/// builds the line of a mate. PV nodes take no score inside their window from the TT, so every
/// exact mate score has a complete PV. They clear their line on entry, so that no earlier one is
/// read.
pub(crate) struct PvTable(Box<[Line]>);

impl PvTable {
    pub(crate) fn new() -> Self {
        // The deepest node writes its own empty line, and its parent reads it.
        Self(vec![Line::new(); MAX_PLY + 2].into_boxed_slice())
    }

    pub(crate) fn line(&self, ply: usize) -> &Line {
        &self.0[ply]
    }

    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the line of this ply to `mv` and the line of the next ply.
    #[inline]
    pub(crate) fn update(&mut self, ply: usize, mv: Move) {
        let [line, rest] = &mut self.0[ply..ply + 2] else {
            unreachable!("the slice has two lines")
        };
        line.clear();
        line.push(mv);
        line.extend(rest.iter().copied().take(MAX_PLY - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_from_the_leaf() {
        let (first, second) =
            (Move::from_bits(1).expect("a move"), Move::from_bits(2).expect("a move"));
        let mut pv = PvTable::new();
        pv.clear(2);
        pv.update(1, second);
        pv.update(0, first);
        assert_eq!(pv.line(0).as_slice(), [first, second]);
        pv.clear(1);
        pv.update(0, second);
        assert_eq!(pv.line(0).as_slice(), [second]);
    }
}
