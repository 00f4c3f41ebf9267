//! The tool `mate`.

use clap::{Args, value_parser};

use crate::board::Board;
use crate::search::Limits;
use crate::tools::find_mate;
use crate::types::MAX_PLY;

use super::arguments::{FEN_FIELDS, SearchArguments, Sink, ToolError, position};

/// Nodes of a search for which no limit is given.
const DEFAULT_NODES: u64 = 10_000_000;
const MAX_MOVES: i64 = MAX_PLY as i64 / 2;

/// Searches a position for a mate
#[derive(Args)]
#[command(
    before_help = format!(
        "The search ends at the first mate in at most N moves. Without a limit, it gets \
         {DEFAULT_NODES} nodes. The exit code is 0 if the side to move has such a mate, otherwise \
         1."
    ),
    after_help = "Example:\n  tabia mate \"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1\" --moves 2"
)]
pub(super) struct Mate {
    /// Position, or startpos
    #[arg(required = true, num_args = 1..=FEN_FIELDS)]
    fen: Vec<String>,
    /// Accept a mate in at most N moves
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        value_parser = value_parser!(u32).range(1..=MAX_MOVES)
    )]
    moves: u32,
    #[command(flatten)]
    search: SearchArguments,
    /// Print a JSON line (docs/json.md)
    #[arg(long)]
    json: bool,
}

impl Mate {
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let board = position(&self.fen, Board::startpos())?;
        let default = Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() };
        find_mate(&board, self.moves, self.search.setup(default)?, self.json, sink)
            .map_err(ToolError::failure)
    }
}
