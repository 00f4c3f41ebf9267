//! Probing the tablebases at the root.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::board::Board;
use crate::search::{Limits, TablebaseOptions};
use crate::tablebase::KnownMove;

use super::actor::Engine;
use super::protocol::Reply;

/// Returns the results of the root moves, or nothing if one is unknown.
pub(super) fn known_moves(
    board: &Board,
    limits: &Limits,
    options: &TablebaseOptions,
) -> Vec<KnownMove> {
    if !options.tables.may_have(board, options.max_pieces) {
        return Vec::new();
    }
    let legal = board.legal_moves();
    let searched = if limits.search_moves.is_empty() { &legal[..] } else { &limits.search_moves };
    options.tables.known_moves(board, searched, options.fifty_moves).unwrap_or_default()
}

impl Engine {
    /// Reports the read errors since the last report.
    pub(super) fn report_tablebase_errors(&mut self) {
        match self.search_options.tablebases.tables.take_errors() {
            None => {}
            Some((1, first)) => self.fail(format!("SyzygyPath: {first}")),
            Some((count, first)) => {
                self.fail(format!("SyzygyPath: {first} ({count} errors)"));
            }
        }
    }

    /// Shows the tablebase results of the position and its moves.
    pub fn show_tablebase(&mut self) {
        let options = &self.search_options.tablebases;
        let tables = Arc::clone(&options.tables);
        if tables.largest() == 0 {
            return self.fail("tb: no tablebases are loaded, set SyzygyPath first");
        }
        let mut board = self.board.clone();
        let (wdl, dtz) = (tables.probe_wdl(&mut board), tables.probe_dtz(&mut board));
        let legal = board.legal_moves();
        let known = tables.known_moves(&board, &legal, options.fifty_moves);
        let mut moves = known.unwrap_or_default();
        moves.sort_by_key(|known| Reverse(known.rank()));
        // The results of the moves allow for the halfmove clock.
        let wdl = moves.first().map(|best| best.wdl).or(wdl);
        self.reply(Reply::Tablebase { root: (wdl, dtz), moves });
        self.report_tablebase_errors();
    }
}
