//! Arguments of the tool `analyse`, whose work is in `tools::analyse`.

use std::path::PathBuf;

use clap::Args;

use crate::engine::about;
use crate::search::Limits;
use crate::tools::analyse::{self, AnalyseOptions};

use super::arguments::{MultiPvArgument, SearchArguments, Sink, ToolError};
use super::progress_bar::StderrMonitor;

/// Nodes for each position if no limit is given.
const DEFAULT_NODES: u64 = 200_000;

/// Annotates the games of PGN files
#[derive(Args)]
#[command(
    before_help = format!(
        "The output has the games with a score after each move, the signs ?!, ? and ??, and better \
         lines as variations. A table of the players goes to standard error. Without a limit, each \
         position gets {DEFAULT_NODES} nodes. docs/analysis.md explains the numbers. The exit code \
         is 0 if all games were read as meant, otherwise 1."
    ),
    after_help = "Examples:\n  \
                  tabia analyse games.pgn --nodes 500000 --out annotated.pgn --svg game.svg\n  \
                  tabia analyse games.pgn --movetime 200 --threads 4 --json > games.jsonl"
)]
pub(super) struct Analyse {
    /// Files of the games, also compressed by gzip or Zstandard; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    multi_pv: MultiPvArgument,
    /// Write the annotated games to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the winning chances over each game; later games get a number in the file's name
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Explain mistakes and blunders in words
    #[arg(long)]
    explain: bool,
    /// Print JSON lines (docs/json.md) instead of the annotated games
    #[arg(long)]
    json: bool,
}

impl Analyse {
    /// Runs the tool. Returns whether all games were read as meant.
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let Self { files, search, multi_pv, out, svg, explain, json } = self;
        let default_limits = Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() };
        let mut setup = search.setup(default_limits)?;
        multi_pv.apply(&mut setup);
        let options = AnalyseOptions {
            games: files,
            setup,
            out,
            svg,
            explain,
            json,
            annotator: format!("Tabia {}", about::VERSION),
        };
        analyse::run(&options, sink, &mut StderrMonitor::new()).map_err(ToolError::failure)
    }
}
