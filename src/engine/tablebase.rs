//! The user's tablebases: at the root they say what each move leads to.

use std::sync::Arc;

use crate::board::Board;
use crate::engine::Engine;
use crate::engine::protocol::{Quoted, Reply};
use crate::search::{Info, Limits, SearchOptions, TablebaseOptions};
use crate::tablebase::{KnownMove, Tablebases, Troubles, Wdl, best_moves};
use crate::types::{Move, Score};

/// What the tables say of the root's moves.
#[derive(Default)]
pub(super) struct RootKnowledge {
    /// The wanted moves with their results; empty where the tables do not know them all.
    pub(super) results: Vec<(Move, Wdl)>,
}

impl RootKnowledge {
    /// Looks up the position and prepares the search of it: one for a move to play gets only the best moves, so that
    /// what is won is won in the end; any other looks at all of them. Where no table can add to what is known, and
    /// where a mate is asked for, of which tables know nothing, they rest during the search.
    pub(super) fn prepare(
        board: &Board,
        is_played: bool,
        limits: &mut Limits,
        options: &mut SearchOptions,
    ) -> Self {
        let known = look_up(board, limits, &options.tablebases);
        let has_distances = known.iter().any(|known| known.dtz.is_some());
        if has_distances || limits.mate.is_some() {
            options.tablebases = TablebaseOptions::default();
        }
        if is_played && !known.is_empty() {
            limits.search_moves = best_moves(&known);
        }
        Self { results: known.iter().map(|known| (known.mv, known.wdl)).collect() }
    }

    /// Puts the known result in the place of a score that the search only guesses; a mate it has found is exact.
    pub(super) fn add_to(&self, mut info: Info) -> Info {
        info.tb_hits += self.results.len() as u64;
        let result = self.results.iter().find(|(mv, _)| Some(mv) == info.pv.first());
        if let Some((_, wdl)) = result.filter(|_| !info.score.is_mate()) {
            info.score = match wdl {
                Wdl::Win => info.score.max(Score::tablebase_win_in(1)),
                Wdl::Loss => info.score.min(-Score::tablebase_win_in(1)),
                Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => Score::DRAW,
            };
        }
        info
    }
}

/// What the tables say of the moves to be searched, nothing where they do not know them all.
fn look_up(board: &Board, limits: &Limits, options: &TablebaseOptions) -> Vec<KnownMove> {
    if !options.tables.may_have(board, options.most_pieces) {
        return Vec::new();
    }
    let legal = board.legal_moves();
    let wanted = if limits.search_moves.is_empty() { &legal[..] } else { &limits.search_moves };
    options.tables.known_moves(board, wanted, options.fifty_moves).unwrap_or_default()
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

    /// Tells of tables that could not be read since the last time.
    pub(super) fn report_table_troubles(&mut self) {
        let Troubles { count, first } = self.search_options.tablebases.tables.take_troubles();
        match count {
            0 => {}
            1 => self.fail(format!("SyzygyPath: {first}")),
            _ => self.fail(format!("SyzygyPath: {first}, and {} more times", count - 1)),
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
