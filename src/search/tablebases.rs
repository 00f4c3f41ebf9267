//! Tablebase probes in the search.

use std::sync::Arc;

use crate::tablebase::{Tablebases, Wdl};
use crate::types::{Depth, Score};

use super::Searcher;
use super::node::NodeType;

/// Tablebases to probe, and when.
#[derive(Clone)]
pub struct TablebaseOptions {
    /// Loaded tablebases.
    pub tables: Arc<Tablebases>,
    /// Maximum number of pieces of a probed position.
    pub most_pieces: usize,
    /// Minimum remaining depth, in plies, of a probe of a position with the maximum
    /// number of pieces.
    pub least_depth: Depth,
    /// Whether a win that exceeds the fifty-move rule counts as a draw.
    pub fifty_moves: bool,
}

impl Default for TablebaseOptions {
    fn default() -> Self {
        let tables = Arc::default();
        Self { tables, most_pieces: usize::MAX, least_depth: 1, fifty_moves: true }
    }
}

impl std::fmt::Debug for TablebaseOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "tables up to {} pieces", self.tables.largest())
    }
}

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
