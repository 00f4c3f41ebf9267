//! Tablebase probes in the search.

use crate::tablebase::Wdl;
use crate::types::{Bound, Depth, Score};

use super::node::{NodeType, Window};
use super::searcher::Searcher;
use super::tt::TtEntry;

/// Plies that a result counts more in the TT than the search whose place it takes.
const DEPTH_BONUS: Depth = 6;

impl Searcher<'_> {
    /// Returns the tablebase score and stores it in the TT. Only right after a capture or a pawn
    /// move, because the tables ignore the halfmove clock. Not where it could hide a mate: where
    /// the window asks for more than a win or for less than a loss.
    #[inline]
    pub(super) fn tablebase_score<N: NodeType>(
        &mut self,
        window: Window,
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
        if is_known { self.probe_tablebases::<N>(window, depth, ply) } else { None }
    }

    #[cold]
    #[inline(never)]
    fn probe_tablebases<N: NodeType>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let options = &self.shared.request.options.tablebases;
        let wdl = options.tables.probe_wdl(&mut self.board)?;
        self.shared.count_tb_hit();
        let win = Score::tablebase_win_in(ply);
        // A win may be a mate, and a loss too.
        let (score, bound) = match wdl {
            Wdl::Win => (win, Bound::Lower),
            Wdl::Loss => (-win, Bound::Upper),
            Wdl::CursedWin if !options.fifty_moves => (win, Bound::Lower),
            Wdl::BlessedLoss if !options.fifty_moves => (-win, Bound::Upper),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => (Score::DRAW, Bound::Exact),
        };
        let hides_mate = match bound {
            Bound::Lower => window.alpha >= Score::MIN_MATE,
            Bound::Upper => window.beta <= -Score::MIN_MATE,
            Bound::Exact => false,
        };
        if hides_mate {
            return None;
        }
        let depth = depth + DEPTH_BONUS;
        let entry = TtEntry { mv: None, score, raw_eval: None, depth, bound, is_pv: N::PV };
        self.shared.tt.store(self.board.key(), ply, entry);
        Some(score)
    }
}
