//! Tablebase probes in the search.

use crate::search::state::{NodeType, Window};
use crate::tablebase::Wdl;
use crate::types::{Depth, Score};

use super::searcher::Searcher;

impl Searcher<'_> {
    /// Returns the tablebase score. The tables ignore the halfmove clock, so they are probed only
    /// where it is zero. There is no score where alpha or beta is a mate score that the result does
    /// not reach, because the true score may be a shorter mate.
    #[inline]
    pub(crate) fn tablebase_score<N: NodeType>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let options = &self.shared.request.options.tablebases;
        let largest = options.tables.largest().min(options.max_pieces);
        let pieces = self.board.occupied().count();
        let is_known = !N::ROOT
            && pieces <= largest
            && (pieces < largest || depth >= options.min_depth)
            && self.board.halfmove_clock() == 0;
        if is_known { self.probe_tablebases(window, ply) } else { None }
    }

    #[cold]
    #[inline(never)]
    fn probe_tablebases(&mut self, window: Window, ply: usize) -> Option<Score> {
        let options = &self.shared.request.options.tablebases;
        let wdl = options.tables.probe_wdl(&mut self.board)?;
        self.shared.count_tb_hit();
        let win = Score::tablebase_win_in(ply);
        let score = match wdl {
            Wdl::Win => win,
            Wdl::Loss => -win,
            Wdl::CursedWin if !options.fifty_moves => win,
            Wdl::BlessedLoss if !options.fifty_moves => -win,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Score::DRAW,
        };
        let hides_mate = score.is_win() && window.alpha >= Score::MIN_MATE
            || score.is_loss() && window.beta <= -Score::MIN_MATE;
        (!hides_mate).then_some(score)
    }
}
