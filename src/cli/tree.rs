//! The tool `tree`, which needs the feature of the same name.

use std::path::PathBuf;

use clap::Args;

use crate::board::Board;
use crate::tools::tree::{self, TreeOptions};
use crate::types::Depth;

use super::arguments::{FEN_FIELDS, Sink, ToolError, depth_parser, position};

/// Shows the tree of a small search, node by node
#[derive(Args)]
#[command(
    before_help = "The page shows where each heuristic cut the tree of the last iteration. The \
                   output has the statistics of each iteration.",
    after_help = "Example:\n  tabia tree --depth 6 --out start.html"
)]
pub(super) struct Tree {
    /// Position; without it, the start position
    #[arg(num_args = ..=FEN_FIELDS)]
    fen: Vec<String>,
    /// Depth in plies
    #[arg(long, value_name = "D", default_value_t = 8, value_parser = depth_parser())]
    depth: Depth,
    /// Write the page to FILE
    #[arg(long, value_name = "FILE", default_value = "tabia-tree.html")]
    out: PathBuf,
    /// Print JSON lines (docs/json.md)
    #[arg(long)]
    json: bool,
}

impl Tree {
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let Self { fen, depth, out, json } = self;
        let options = TreeOptions { board: position(&fen, Board::startpos())?, depth, out, json };
        tree::run(&options, sink).map(|()| true).map_err(ToolError::failure)
    }
}
