//! The tool `tree`, which needs the feature of the same name.

use std::ffi::OsString;

use super::arguments::{JSON, flag};
use super::spec::{Flag, Flags, Help, Sink, ToolError, ToolSpec};

static FLAGS: &[Flag] = &[
    flag("--depth", "N", "depth in plies (default: 8)"),
    flag("--out", "FILE", "write the page to FILE (default: tabia-tree.html)"),
    JSON,
];

static ALL_FLAGS: &[&[Flag]] = &[FLAGS];

pub(super) static SPEC: ToolSpec = ToolSpec {
    word: "tree",
    arguments: "[FEN] [--OPTION …]",
    purpose: "show the tree of a small search, node by node",
    help: Help {
        flags: Flags::Listed(ALL_FLAGS),
        notes: &[
            "The page shows where each heuristic cut the tree of the last iteration. The",
            "output has the statistics of each iteration. Without a FEN, the start position",
            "is searched. The tool needs a build with the feature tree: docs/tree.md.",
        ],
        examples: &["tabia tree --depth 6 --out start.html"],
    },
    run,
};

#[cfg(feature = "tree")]
fn run(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    use std::path::PathBuf;

    use crate::board::Board;
    use crate::tools::tree::{self, TreeOptions};
    use crate::types::{Depth, MAX_PLY};

    use super::arguments::{Arguments, FEN_FIELDS};

    const DEFAULT_DEPTH: u64 = 8;
    const DEFAULT_PAGE: &str = "tabia-tree.html";
    let arguments = Arguments::parse("tree", FEN_FIELDS, ALL_FLAGS, arguments)?;
    let board = match arguments.words() {
        [] => Board::startpos(),
        _ => arguments.position(0)?,
    };
    let depth = arguments.number("--depth", 1..=MAX_PLY as u64)?.unwrap_or(DEFAULT_DEPTH);
    let options = TreeOptions {
        board,
        depth: depth as Depth,
        out: arguments.path("--out").unwrap_or_else(|| PathBuf::from(DEFAULT_PAGE)),
        json: arguments.json(),
    };
    tree::run(&options, sink).map(|()| true).map_err(|error| arguments.failure(error))
}

#[cfg(not(feature = "tree"))]
fn run(_: &[OsString], _: Sink<'_>) -> Result<bool, ToolError> {
    const MESSAGE: &str = "tree: this build does not record searches, use \
                           'cargo run --release --features tree -- tree …'";
    Err(ToolError::Usage(MESSAGE.to_owned()))
}
