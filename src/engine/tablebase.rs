//! The user's tablebases: at the root they choose the moves that are searched at all.

use std::sync::Arc;

use crate::board::Board;
use crate::engine::Engine;
use crate::engine::protocol::{Quoted, Reply};
use crate::search::{Info, TablebaseOptions};
use crate::tablebase::{RootMoves, Tablebases, Wdl};
use crate::types::{Move, Score};

/// What the tables say of the position that is searched.
#[derive(Default)]
pub(super) struct RootKnowledge {
    wdl: Option<Wdl>,
    probes: u64,
}

impl RootKnowledge {
    /// Looks up the position, and where the tables know it, leaves of the wanted moves (empty: of all) only the best.
    pub(super) fn of(board: &Board, options: &TablebaseOptions, wanted: &mut Vec<Move>) -> Self {
        if !options.tables.may_have(board, options.most_pieces) {
            return Self::default();
        }
        let legal = board.legal_moves();
        let moves = if wanted.is_empty() { &legal[..] } else { &wanted[..] };
        let found = options.tables.best_moves(board, moves, options.fifty_moves);
        let Some(RootMoves { best, wdl, probes }) = found else { return Self::default() };
        *wanted = best;
        Self { wdl: Some(wdl), probes }
    }

    /// Puts the known result in the place of a score that the search only guesses; a mate it has found is exact.
    pub(super) fn add_to(&self, mut info: Info) -> Info {
        info.tb_hits += self.probes;
        if let Some(wdl) = self.wdl.filter(|_| !info.score.is_mate()) {
            info.score = match wdl {
                Wdl::Win => info.score.max(Score::tablebase_win_in(1)),
                Wdl::Loss => info.score.min(-Score::tablebase_win_in(1)),
                Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => Score::DRAW,
            };
        }
        info
    }
}

impl Engine {
    /// Opens the tables in these folders in place of those before, and says how many there are.
    pub(super) fn set_tables(&mut self, folders: &str) {
        /// So many useless files are named.
        const NAMED: usize = 3;
        if folders.is_empty() {
            self.search_options.tablebases.tables = Arc::default();
            return;
        }
        let (tables, inventory) = Tablebases::open(folders);
        self.search_options.tablebases.tables = Arc::new(tables);
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
        let tables = &self.search_options.tablebases.tables;
        self.reply(Reply::Line(describe(tables, &mut board)));
        for mv in board.legal_moves() {
            board.make_move(mv);
            let after = describe(tables, &mut board);
            board.unmake_move();
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
