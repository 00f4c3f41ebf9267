//! The tool `perft`, which checks a suite. With a depth, `perft` is a command of a session.

use std::path::PathBuf;

use clap::{Args, value_parser};

use crate::text::{Quoted, ShownPath};
use crate::tools::perft;
use crate::types::MAX_PLY;
use crate::uci::limits::PERFT_ARGUMENTS;

use super::arguments::{STOP, Sink, ToolError};

/// Checks the counts of a perft suite
#[derive(Args)]
#[command(
    override_usage = format!(
        "tabia perft <FILE> [DEPTH]\n       tabia perft {PERFT_ARGUMENTS}"
    ),
    before_help = "With a depth instead of a file, counts the leaf nodes of the start position.",
    after_help = "Example:\n  tabia perft perft/standard.epd 5"
)]
pub(super) struct Perft {
    /// File of the suite
    file: PathBuf,
    /// Greatest depth in plies to check
    #[arg(value_parser = value_parser!(u32).range(0..=MAX_PLY as i64))]
    depth: Option<u32>,
}

impl Perft {
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let Self { file, depth } = self;
        if !file.exists() {
            let found = file.to_string_lossy();
            let message = format!("expected a depth or an existing file, found {}", Quoted(&found));
            return Err(ToolError::Usage(message));
        }
        perft::run_suite(&file, depth, &STOP, sink)
            .map_err(|error| ToolError::Failure(format!("{}: {error}", ShownPath(&file))))
    }
}
