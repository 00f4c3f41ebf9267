//! Tablebase probes in the search.

use crate::tablebase::Wdl;
use crate::types::{Depth, Score};

use super::node::NodeType;
use super::searcher::Searcher;

impl Searcher<'_> {
    /// Returns the tablebase score. Only right after a capture or a pawn move, because the tables
    /// ignore the halfmove clock.
    #[inline]
    pub(super) fn tablebase_score<N: NodeType>(
        &mut self,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let options = &self.shared.request.options.tablebases;
        let largest = options.tables.largest().min(options.most_pieces);
        let pieces = self.board.occupied().count();
        let is_known = !N::ROOT
            && pieces <= largest
            && (pieces < largest || depth >= options.least_depth)
            && self.board.halfmove_clock() == 0;
        if is_known { self.probe_tablebases(ply) } else { None }
    }

    #[cold]
    #[inline(never)]
    fn probe_tablebases(&mut self, ply: usize) -> Option<Score> {
        let options = &self.shared.request.options.tablebases;
        let wdl = options.tables.probe_wdl(&mut self.board)?;
        self.shared.count_tb_hit();
        Some(match wdl {
            Wdl::Win => Score::tablebase_win_in(ply),
            Wdl::Loss => -Score::tablebase_win_in(ply),
            Wdl::CursedWin if !options.fifty_moves => Score::tablebase_win_in(ply),
            Wdl::BlessedLoss if !options.fifty_moves => -Score::tablebase_win_in(ply),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Score::DRAW,
        })
    }
}
