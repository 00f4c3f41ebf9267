//! The tool `speedtest`.

use std::thread;
use std::time::Duration;

use clap::{Args, value_parser};

use crate::tools::speedtest;

use super::arguments::{Sink, ToolError, threads_parser};

/// Measures the speed of the search on this machine
#[derive(Args)]
#[command(after_help = "Example:\n  tabia speedtest 8 60")]
pub(super) struct Speedtest {
    /// Search threads; without it, one for each processor
    #[arg(value_parser = threads_parser())]
    threads: Option<u32>,
    /// Time for all positions together
    #[arg(default_value_t = 20, value_parser = value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// Print a JSON line (docs/json.md)
    #[arg(long)]
    json: bool,
}

impl Speedtest {
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let threads = match self.threads {
            Some(threads) => threads as usize,
            None => thread::available_parallelism().map_or(1, usize::from),
        };
        speedtest(threads, Duration::from_secs(self.seconds), self.json, sink)
            .map(|()| true)
            .map_err(ToolError::failure)
    }
}
