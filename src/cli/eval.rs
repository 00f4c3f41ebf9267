//! The tool `eval`.

use clap::Args;

use crate::board::Board;
use crate::eval::Network;
use crate::tools::evaluate;

use super::arguments::{FEN_FIELDS, Sink, ToolError, position};

/// Shows the static evaluation and the share of each piece
#[derive(Args)]
#[command(
    before_help = "Scores and chances are White's.",
    after_help = "Example:\n  tabia eval \"4k3/8/8/3q4/8/4N3/8/4K3 w - -\""
)]
pub(super) struct Eval {
    /// Position; without it, the start position
    #[arg(num_args = ..=FEN_FIELDS)]
    fen: Vec<String>,
    /// Print a JSON line (docs/json.md)
    #[arg(long)]
    json: bool,
}

impl Eval {
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let board = position(&self.fen, Board::startpos())?;
        sink(&evaluate(&board, &Network::embedded(), self.json));
        Ok(true)
    }
}
