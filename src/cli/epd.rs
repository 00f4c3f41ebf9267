//! The tool `epd`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::search::Limits;
use crate::tools::epd::{self, EpdOptions};

use super::arguments::{SearchArguments, Sink, ToolError};
use super::progress_bar::StderrMonitor;

/// Time for each position if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Solves the positions of an EPD suite
#[derive(Args)]
#[command(
    before_help = format!(
        "A position is solved if the search ends with a best move (bm), with none of the moves to \
         avoid (am), with a mate in time (dm), or with the most points of c0 \"Nf3=10, e4=7\". A \
         row shows since when the search kept the solution. Without a limit, each position gets \
         {} ms. The exit code is 0 whatever is solved; lines that cannot be run are named.",
        DEFAULT_TIME.as_millis()
    ),
    after_help = "Examples:\n  \
                  tabia epd suite.epd --nodes 1000000\n  \
                  tabia epd suite.epd --movetime 500 --json > old.jsonl\n  \
                  tabia epd suite.epd --movetime 500 --compare old.jsonl"
)]
pub(super) struct Epd {
    /// File of the suite; - for standard input
    file: PathBuf,
    #[command(flatten)]
    search: SearchArguments,
    /// Show what changed since a run with --json
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Print JSON lines (docs/json.md)
    #[arg(long)]
    json: bool,
    /// Fail if a line of the suite cannot be run
    #[arg(long)]
    strict: bool,
}

impl Epd {
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let Self { file, search, compare, json, strict } = self;
        let default = Limits { move_time: Some(DEFAULT_TIME), ..Limits::default() };
        let setup = search.setup(default)?;
        let options = EpdOptions { suite: file, setup, compare, json, strict };
        epd::run(&options, sink, &mut StderrMonitor::new()).map_err(ToolError::failure)
    }
}
