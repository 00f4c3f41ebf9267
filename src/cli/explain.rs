//! The tool `explain`, also a command of the prompt.

use std::iter;

use clap::Parser;

use crate::board::Board;
use crate::search::Limits;
use crate::tools::{Explanation, explain};

use super::arguments::{
    FEN_FIELDS, MultiPvArgument, STOP, SearchArguments, Sink, ToolError, position,
};
use super::parse;

/// Nodes of each search if no limit is given.
const DEFAULT_NODES: u64 = 1_000_000;

/// Explains why a move is good or bad
#[derive(Parser)]
#[command(
    before_help = format!(
        "The move is compared with the best one. Scores and winning chances are those of the side \
         to move. Without a limit, each of two searches gets {DEFAULT_NODES} nodes."
    ),
    after_help = "Example:\n  tabia explain Ng4 \"4k3/8/8/3q4/8/4N3/8/4K3 w - -\""
)]
pub(crate) struct Explain {
    /// Move in SAN or UCI notation
    r#move: String,
    /// Position; without it, the start position, or at the prompt the one on the board
    #[arg(num_args = ..=FEN_FIELDS)]
    fen: Vec<String>,
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    multi_pv: MultiPvArgument,
    /// Print a JSON line (docs/json.md)
    #[arg(long)]
    json: bool,
}

impl Explain {
    /// Parses the words after `explain`, with `board` as the position if they have none.
    pub(crate) fn request<'a>(
        words: impl Iterator<Item = &'a str>,
        board: Board,
    ) -> Result<Explanation, String> {
        let arguments = Self::try_parse_from(iter::once("explain").chain(words))
            .map_err(|error| parse::message(error).trim_start_matches("error: ").to_owned())?;
        match arguments.explanation(board) {
            Err(ToolError::Usage(message) | ToolError::Failure(message)) => {
                Err(format!("explain: {message}"))
            }
            Ok(explanation) => Ok(explanation),
        }
    }

    fn explanation(self, board: Board) -> Result<Explanation, ToolError> {
        let board = position(&self.fen, board)?;
        let mv =
            board.parse_san(&self.r#move).map_err(|error| ToolError::Usage(error.to_string()))?;
        let default = Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() };
        let mut setup = self.search.setup(default)?;
        self.multi_pv.apply(&mut setup);
        Ok(Explanation { board, mv, setup, json: self.json })
    }

    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let explanation = self.explanation(Board::startpos())?;
        explain(&explanation, &STOP, sink).map(|()| true).map_err(ToolError::failure)
    }
}
