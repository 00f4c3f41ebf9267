//! Recorder of a build without the feature `tree`.

use crate::search::state::{NodeContext, Stack, Window};
use crate::types::{Depth, Move, Score};

use super::endings::{NodeEnding, Pruning};

/// Recorder that records nothing. All its methods are empty.
#[derive(Default)]
pub(crate) struct Recorder {}

impl Recorder {
    #[inline(always)]
    pub(crate) fn begin_iteration(&mut self, _depth: Depth) {}

    #[inline(always)]
    pub(crate) fn begin_node(&mut self, _: &Stack, _: Window, _: Depth, _ply: usize) {}

    #[inline(always)]
    pub(crate) fn begin_singular(&mut self, _node: &NodeContext) {}

    #[inline(always)]
    pub(crate) fn announce_probcut(&mut self) {}

    #[inline(always)]
    pub(crate) fn count_probe(&mut self, _is_hit: bool) {}

    #[inline(always)]
    pub(crate) fn record_pruned(&mut self, _: Move, _: Pruning) {}

    #[inline(always)]
    pub(crate) fn end_node(&mut self, _: NodeEnding, _: Score) {}

    #[inline(always)]
    pub(crate) fn end_moves(&mut self, _: Score) {}
}
