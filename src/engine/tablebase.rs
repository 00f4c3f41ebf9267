//! The user's tablebases: at the root they choose the moves that are searched at all.

use crate::board::Board;
use crate::engine::Engine;
use crate::engine::protocol::{Quoted, Reply};
use crate::tablebase::Tablebases;
use crate::types::Move;

/// The tables and how they are used.
pub(super) struct RootTables {
    tables: Tablebases,
    /// Positions with more pieces are not looked up.
    pub(super) most_pieces: usize,
    /// Whether a win that takes too long counts as a draw.
    pub(super) fifty_moves: bool,
}

impl Default for RootTables {
    fn default() -> Self {
        Self { tables: Tablebases::default(), most_pieces: usize::MAX, fifty_moves: true }
    }
}

impl RootTables {
    /// The best of the wanted moves (empty: of all) where the tables know the position, or else what was wanted.
    pub(super) fn restrict(&self, board: &Board, wanted: Vec<Move>) -> Vec<Move> {
        if !self.tables.may_have(board, self.most_pieces) {
            return wanted;
        }
        let legal = board.legal_moves();
        let moves = if wanted.is_empty() { &legal[..] } else { &wanted };
        match self.tables.best_moves(board, moves, self.fifty_moves) {
            Some(found) => found.best,
            None => wanted,
        }
    }
}

impl Engine {
    /// Opens the tables in these folders in place of those before, and says how many there are.
    pub(super) fn set_tables(&mut self, folders: &str) {
        /// So many useless files are named.
        const NAMED: usize = 3;
        if folders.is_empty() {
            self.root_tables.tables = Tablebases::default();
            return;
        }
        let (tables, inventory) = Tablebases::open(folders);
        self.root_tables.tables = tables;
        for (path, error) in inventory.refused.iter().take(NAMED) {
            let path = path.display().to_string();
            self.fail(format!("SyzygyPath: {}: {error}", Quoted(&path)));
        }
        if let Some(more @ 1..) = inventory.refused.len().checked_sub(NAMED) {
            self.fail(format!("SyzygyPath: {more} more are of no use"));
        }
        self.note(format!("SyzygyPath: {inventory}"));
    }

    /// Shows what the tables say of the position and of its moves.
    pub(super) fn show_tables(&self) {
        let mut board = self.board.clone();
        let tables = &self.root_tables.tables;
        self.reply(Reply::Line(describe(tables, &mut board)));
        for mv in board.legal_moves() {
            board.make_move(mv);
            let after = describe(tables, &mut board);
            board.unmake_move(mv);
            self.reply(Reply::Line(format!("{} then {after}", mv.display(self.chess960))));
        }
    }
}

/// The result and the distance for the side to move: `wdl 2 dtz 17`.
fn describe(tables: &Tablebases, board: &mut Board) -> String {
    let number = |number: Option<i32>| number.map_or("unknown".to_owned(), |n| n.to_string());
    let wdl = tables.probe_wdl(board).map(|wdl| wdl as i32);
    format!("wdl {} dtz {}", number(wdl), number(tables.probe_dtz(board)))
}
