//! The tool `tb`.

use clap::Args;

use crate::board::Board;
use crate::tools::look_up;

use super::arguments::{FEN_FIELDS, Sink, ToolError, position};

/// Looks a position up in the tablebases
#[derive(Args)]
#[command(
    before_help = "All results are those of the side to move, the best move first.",
    after_help = "Example:\n  \
                  tabia tb \"8/8/8/3k4/8/8/3KQ3/8 b - - 0 1\" --syzygy /data/syzygy"
)]
pub(super) struct Tb {
    /// Position, or startpos
    #[arg(required = true, num_args = 1..=FEN_FIELDS)]
    fen: Vec<String>,
    /// Folders of the tables
    #[arg(long, value_name = "FOLDERS", env = "TABIA_SYZYGY", hide_env_values = true)]
    syzygy: String,
    /// Print a JSON line (docs/json.md)
    #[arg(long)]
    json: bool,
}

impl Tb {
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let board = position(&self.fen, Board::startpos())?;
        look_up(&board, &self.syzygy, self.json, sink).map(|()| true).map_err(ToolError::failure)
    }
}
