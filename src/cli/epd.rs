//! The tool `epd`.

use std::ffi::OsString;
use std::time::Duration;

use crate::cli::progress::Terminal;
use crate::search::Limits;
use crate::tools::epd::{self, EpdOptions};

use super::arguments::{Arguments, JSON, SEARCH_FLAGS, flag};
use super::spec::{Flag, Flags, Help, Sink, ToolError, ToolSpec};

/// Time for each position without a limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

static FLAGS: &[Flag] =
    &[flag("--compare", "FILE", "show what changed since a run with --json"), JSON];

static ALL_FLAGS: &[&[Flag]] = &[SEARCH_FLAGS, FLAGS];

pub(super) static SPEC: ToolSpec = ToolSpec {
    word: "epd",
    arguments: "FILE [--OPTION …]",
    purpose: "solve the positions of an EPD suite",
    help: Help {
        flags: Flags::Listed(ALL_FLAGS),
        notes: &[
            "A position is solved if the search ends with a best move (bm), with none of the",
            "moves to avoid (am), with a mate in time (dm), or with the most points of c0",
            "\"Nf3=10, e4=7\". A row shows since when the search kept the solution. FILE may be",
            "- for standard input. Without a limit, each position gets a second. The exit",
            "code is 0 whatever is solved.",
        ],
        examples: &[
            "tabia epd suite.epd --nodes 1000000",
            "tabia epd suite.epd --movetime 500 --json > old.jsonl",
            "tabia epd suite.epd --movetime 500 --compare old.jsonl",
        ],
    },
    run,
};

fn run(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    let arguments = Arguments::parse("epd", 1, ALL_FLAGS, arguments)?;
    let default = Limits { move_time: Some(DEFAULT_TIME), ..Limits::default() };
    let options = EpdOptions {
        suite: arguments.file("an EPD file")?,
        setup: arguments.search_setup(default)?,
        compare: arguments.path("--compare"),
        json: arguments.json(),
    };
    epd::run(&options, sink, &mut Terminal::new())
        .map(|()| true)
        .map_err(|error| arguments.failure(error))
}
