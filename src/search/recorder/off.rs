//! Recorder of a build without the feature `tree`.

use crate::search::state::{NodeContext, Stack, Window};
use crate::types::{Depth, Move, Score};

use super::reasons::{NodeEnding, Pruning};

/// Recorder that records nothing. All its methods are empty.
#[derive(Default)]
pub(crate) struct Recorder {}

impl Recorder {
    #[inline(always)]
    pub(crate) fn begin_iteration(&mut self, _depth: Depth) {}

    #[inline(always)]
    pub(crate) fn enter(&mut self, _: &Stack, _: Window, _: Depth, _ply: usize, _is_tt_hit: bool) {}

    #[inline(always)]
    pub(crate) fn enter_singular(&mut self, _node: &NodeContext) {}

    #[inline(always)]
    pub(crate) fn skipped(&mut self, _: Move, _: Pruning) {}

    #[inline(always)]
    pub(crate) fn leave(&mut self, _: NodeEnding, _: Score) {}
}
