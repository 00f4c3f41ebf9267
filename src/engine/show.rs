//! Commands that show or change state outside a game.

use crate::eval::EvalTrace;

use super::actor::Engine;
use super::protocol::{HelpTopic, Reply};

impl Engine {
    /// Sends the reply to `uci`: name, options, `uciok`.
    pub fn introduce(&mut self) {
        self.reply(Reply::Id);
        self.reply(Reply::Options);
        self.reply(Reply::UciOk);
    }

    /// Clears the TT and the histories, and draws the seed of a new game.
    pub fn new_game(&mut self) {
        self.level.new_game();
        self.pool.clear();
    }

    /// Shows the board with its FEN, key and checkers.
    pub fn show_board(&mut self) {
        self.reply(Reply::Board(Box::new(self.board.clone())));
    }

    /// Sends the position with the moves before it, without a text.
    pub fn send_position(&mut self) {
        self.reply(Reply::Position(Box::new(self.board.clone())));
    }

    /// Shows the static evaluation.
    pub fn show_evaluation(&mut self) {
        let trace = EvalTrace::new(&self.network, &self.board);
        self.reply(Reply::Evaluation(Box::new(trace)));
    }

    /// Shows the FEN.
    pub fn show_fen(&mut self) {
        self.reply(Reply::Fen(Box::new(self.board.clone())));
    }

    /// Shows the legal moves.
    pub fn show_moves(&mut self) {
        self.reply(Reply::Moves(self.board.legal_moves().to_vec()));
    }

    /// Flips the board and swaps the colours.
    pub fn flip(&mut self) {
        self.board = self.board.flipped();
        self.game = None;
    }

    /// Shows the help on a topic.
    pub fn help(&mut self, topic: HelpTopic) {
        self.reply(Reply::Help(topic));
    }

    /// Returns the name of the SIMD kernel that evaluates the network.
    pub fn kernel(&self) -> String {
        self.network.kernel().to_string()
    }

    /// Prints one or more lines for the user.
    pub fn print(&self, text: String) {
        self.reply(Reply::Text(text));
    }
}
