//! The user's tablebases.

use std::sync::Arc;

use crate::board::Board;
use crate::engine::Engine;
use crate::engine::protocol::{Quoted, Reply};
use crate::search::{Limits, TablebaseOptions};
use crate::tablebase::{KnownMove, Tablebases};

/// What the tables know of the moves to be searched; nothing where they do not know them all.
pub(super) fn known_moves(
    board: &Board,
    limits: &Limits,
    options: &TablebaseOptions,
) -> Vec<KnownMove> {
    if !options.tables.may_have(board, options.most_pieces) {
        return Vec::new();
    }
    let legal = board.legal_moves();
    let wanted = if limits.search_moves.is_empty() { &legal[..] } else { &limits.search_moves };
    options.tables.known_moves(board, wanted, options.fifty_moves).unwrap_or_default()
}

impl Engine {
    /// Opens the tables in these folders in place of those before, which stay if there are none, and says how many there
    /// are.
    pub(super) fn set_tables(&mut self, folders: &str) {
        /// So many useless files are named.
        const NAMED: usize = 3;
        if folders.is_empty() {
            self.search_options.tablebases.tables = Arc::default();
            return;
        }
        let (tables, inventory) = Tablebases::open(folders);
        for (path, error) in inventory.rejected.iter().take(NAMED) {
            let path = path.display().to_string();
            self.fail(format!("SyzygyPath: {}: {error}", Quoted(&path)));
        }
        if let Some(more @ 1..) = inventory.rejected.len().checked_sub(NAMED) {
            self.fail(format!("SyzygyPath: {more} more are of no use"));
        }
        if inventory.wdl == 0 {
            return self.fail(format!("SyzygyPath: {inventory}; the tables stay as they were"));
        }
        self.search_options.tablebases.tables = Arc::new(tables);
        self.note(format!("SyzygyPath: {inventory}"));
    }

    /// Tells of tables that could not be read since the last time.
    pub(super) fn report_table_troubles(&mut self) {
        match self.search_options.tablebases.tables.take_errors() {
            None => {}
            Some((1, first)) => self.fail(format!("SyzygyPath: {first}")),
            Some((count, first)) => {
                self.fail(format!("SyzygyPath: {first} ({count} times)"));
            }
        }
    }

    /// Shows what the tables say of the position and of its moves.
    pub(super) fn show_tables(&mut self) {
        let mut board = self.board.clone();
        let tables = Arc::clone(&self.search_options.tablebases.tables);
        self.reply(Reply::Line(describe(&tables, &mut board)));
        for mv in board.legal_moves() {
            board.make_move(mv);
            let after = describe(&tables, &mut board);
            board.unmake_move();
            self.reply(Reply::Line(format!("{} then {after}", mv.display(self.chess960))));
        }
        self.report_table_troubles();
    }
}

/// The result and the distance for the side to move: `wdl 2 dtz 17`.
fn describe(tables: &Tablebases, board: &mut Board) -> String {
    let number = |number: Option<i32>| number.map_or("unknown".to_owned(), |n| n.to_string());
    let wdl = tables.probe_wdl(board).map(|wdl| wdl as i32);
    format!("wdl {} dtz {}", number(wdl), number(tables.probe_dtz(board)))
}
