//! Commands that show something or change state outside a game.

use std::sync::Arc;

use crate::search::{TUNABLES, Tunable};
use crate::tools::evaluate;

use super::actor::Engine;
use super::protocol::{Reply, Show};

/// Learning rate at the end of a tuning run, as OpenBench proposes.
const END_RATE: f64 = 0.002;

impl Engine {
    /// Sends the reply to `uci`: name, options, `uciok`.
    pub(super) fn introduce(&self) {
        self.reply(Reply::Id);
        self.reply(Reply::Options);
        self.reply(Reply::UciOk);
    }

    pub(super) fn new_game(&mut self) {
        self.level.new_game();
        self.pool.clear();
        self.last_score = None;
    }

    pub(super) fn flip(&mut self) {
        self.board = self.board.flipped();
        self.game = None;
        self.last_score = None;
    }

    pub(super) fn show(&mut self, show: Show) {
        let needs_position = match &show {
            Show::Board | Show::Position | Show::Fen | Show::Moves | Show::Tablebase => true,
            Show::Evaluation { board, .. } => board.is_none(),
            _ => false,
        };
        if needs_position && let Some(reason) = &self.rejected {
            return self.fail(format!("no position to show: {reason}"));
        }
        let board = || Box::new(self.board.clone());
        let reply = match show {
            Show::Board => Reply::Board(board()),
            Show::Position => Reply::Position(board()),
            Show::Evaluation { board, json } => {
                let board = board.as_deref().unwrap_or(&self.board);
                Reply::Text(evaluate(board, &self.network, json))
            }
            Show::Fen => Reply::Fen(board()),
            Show::Moves => Reply::Moves(self.board.legal_moves().to_vec()),
            Show::Tablebase => return self.show_tablebase(),
            Show::Tunables => return self.list_tunables(),
            Show::Build => Reply::Build { kernel: self.network.kernel().to_string() },
            Show::Version => Reply::Version,
            Show::Help(topic) => Reply::Help(topic),
        };
        self.reply(reply);
    }

    /// Shows the tablebase results of the position and its moves.
    fn show_tablebase(&mut self) {
        let options = &self.search_options.tablebases;
        let tables = Arc::clone(&options.tables);
        if tables.largest() == 0 {
            return self.fail("tb: no tablebases are loaded, set SyzygyPath first");
        }
        let answer = tables.answer(&self.board, options.fifty_moves);
        self.reply(Reply::Tablebase { board: Box::new(self.board.clone()), answer });
        self.report_tablebase_errors();
    }

    /// Lists the search parameters as OpenBench reads them:
    /// `name, int, value, min, max, c_end, r_end`.
    fn list_tunables(&mut self) {
        if TUNABLES.is_empty() {
            return self.fail("spsa: this build has no tunable parameters, use --features tune");
        }
        for Tunable { name, default, min, max, step, .. } in TUNABLES {
            let row = format!("{name}, int, {default}, {min}, {max}, {step}, {END_RATE}");
            self.reply(Reply::Text(row));
        }
    }
}
