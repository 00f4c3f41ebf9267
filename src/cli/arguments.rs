//! Arguments that several tools share, and the errors of tools.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, value_parser};

use crate::board::Board;
use crate::engine::options::{MAX_HASH, MAX_MULTI_PV, MAX_THREADS};
use crate::search::Limits;
use crate::tools::{SearchSetup, open_tables};
use crate::types::{Depth, MAX_PLY};

/// Fields of a FEN, which the shell may have split.
pub(super) const FEN_FIELDS: usize = 6;

const DAY_MS: u64 = 86_400_000;

/// Stop flag that is never set: a signal ends the process.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// Receiver of a tool's lines.
pub(super) type Sink<'a> = &'a mut dyn FnMut(&str);

/// Reason why a tool has no result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ToolError {
    /// The arguments are not understood.
    Usage(String),
    /// The tool has failed.
    Failure(String),
}

impl ToolError {
    pub(super) fn failure(error: impl Display) -> Self {
        Self::Failure(error.to_string())
    }
}

/// Limits and resources of searches.
#[derive(Args, Debug)]
pub(super) struct SearchArguments {
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=i64::MAX as u64))]
    nodes: Option<u64>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..=DAY_MS))]
    movetime: Option<u64>,
    /// Depth in plies for each position
    #[arg(long, value_name = "D", value_parser = depth_parser())]
    depth: Option<Depth>,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads_parser())]
    threads: u32,
    /// Size of the transposition table in MiB
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = 64,
        value_parser = value_parser!(u32).range(1..=i64::from(MAX_HASH))
    )]
    hash: u32,
    /// Folders of Syzygy tablebases
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
}

/// Number of best moves to search.
#[derive(Args, Debug)]
pub(super) struct MultiPvArgument {
    /// Best moves to find in each position
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = value_parser!(u32).range(1..=i64::from(MAX_MULTI_PV))
    )]
    multipv: u32,
}

impl MultiPvArgument {
    /// Sets the number in a setup.
    pub(super) fn apply(&self, setup: &mut SearchSetup) {
        setup.multi_pv = self.multipv as usize;
    }
}

pub(super) fn depth_parser() -> clap::builder::RangedI64ValueParser<Depth> {
    value_parser!(Depth).range(1..=MAX_PLY as i64)
}

pub(super) fn threads_parser() -> clap::builder::RangedI64ValueParser<u32> {
    value_parser!(u32).range(1..=i64::from(MAX_THREADS))
}

impl SearchArguments {
    /// Returns the setup of the searches; without a limit, it is `default`.
    ///
    /// # Errors
    /// If the folders of tablebases have none.
    pub(super) fn setup(&self, default: Limits) -> Result<SearchSetup, ToolError> {
        let &Self { nodes, movetime, depth, threads, hash, ref syzygy } = self;
        let move_time = movetime.map(Duration::from_millis);
        let limits = match (nodes, move_time, depth) {
            (None, None, None) => default,
            _ => Limits { nodes, move_time, depth, ..Limits::default() },
        };
        let mut setup = SearchSetup::new(limits, threads as usize, hash as usize);
        if let Some(folders) = syzygy {
            let tables = open_tables(folders).map_err(ToolError::failure)?;
            setup.tablebases.tables = Arc::new(tables);
        }
        Ok(setup)
    }
}

/// Parses the fields of a FEN, or `startpos`. Without a word it is `default`.
pub(super) fn position(fields: &[String], default: Board) -> Result<Board, ToolError> {
    match fields.join(" ").as_str() {
        "" => Ok(default),
        "startpos" => Ok(Board::startpos()),
        fen => Board::from_fen(fen).map_err(|error| ToolError::Usage(format!("bad FEN: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Search {
        #[command(flatten)]
        search: SearchArguments,
    }

    #[test]
    fn any_limit_replaces_the_default_one() {
        let default = Limits { depth: Some(7), ..Limits::default() };
        let setup = |words: &[&str]| {
            Search::try_parse_from(words).expect("valid").search.setup(default.clone())
        };
        assert!(matches!(setup(&["--syzygy", "none"]), Err(ToolError::Failure(_))));
        let setup = |words| setup(words).expect("no tables are asked for");
        let own = setup(&["--nodes", "500", "--hash=1"]);
        assert_eq!(
            (own.limits.nodes, own.limits.depth, own.threads, own.hash_mib),
            (Some(500), None, 1, 1)
        );
        assert_eq!(setup(&[]).limits.depth, Some(7));
    }
}
