//! Probing the tablebases at the root.

use crate::board::Board;
use crate::search::{Limits, TablebaseOptions};
use crate::tablebase::KnownMove;

use super::actor::Engine;

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
}
