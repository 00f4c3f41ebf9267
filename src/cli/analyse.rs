//! The tool `analyse`.

use std::ffi::OsString;

use crate::cli::progress::Terminal;
use crate::engine::about;
use crate::search::Limits;
use crate::tools::analyse::{self, AnalyseOptions};

use super::arguments::{Arguments, JSON, SEARCH_FLAGS, flag};
use super::spec::{Flag, Flags, Help, Sink, ToolError, ToolSpec};

/// Nodes for each position without a limit.
const DEFAULT_NODES: u64 = 200_000;

static FLAGS: &[Flag] = &[
    flag("--out", "FILE", "write the annotated games to FILE, not to the output"),
    flag("--svg", "FILE", "draw the winning chances over each game"),
    JSON,
];

static ALL_FLAGS: &[&[Flag]] = &[SEARCH_FLAGS, FLAGS];

pub(super) static SPEC: ToolSpec = ToolSpec {
    word: "analyse",
    arguments: "FILE [--OPTION …]",
    purpose: "annotate the games of a PGN file",
    help: Help {
        flags: Flags::Listed(ALL_FLAGS),
        notes: &[
            "The output has the games with a score after each move, the signs ?!, ? and ??,",
            "and better lines as variations. A table of the players goes to standard error.",
            "FILE may be - for standard input. Without a limit, each position gets 200000",
            "nodes. docs/analysis.md explains the numbers.",
        ],
        examples: &[
            "tabia analyse games.pgn --nodes 500000 --out annotated.pgn --svg game.svg",
            "tabia analyse games.pgn --movetime 200 --threads 4 --json > games.jsonl",
        ],
    },
    run,
};

fn run(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    let arguments = Arguments::parse("analyse", 1, ALL_FLAGS, arguments)?;
    let default = Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() };
    let options = AnalyseOptions {
        games: arguments.file("a PGN file")?,
        setup: arguments.search_setup(default)?,
        out: arguments.path("--out"),
        svg: arguments.path("--svg"),
        json: arguments.json(),
        annotator: format!("Tabia {}", about::VERSION),
    };
    analyse::run(&options, sink, &mut Terminal::new()).map_err(|error| arguments.failure(error))
}
