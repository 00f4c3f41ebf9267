//! The tools `mate`, `explain`, `eval` and `tb`, which take one position.

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;

use crate::board::Board;
use crate::search::Limits;
use crate::tools::{evaluate, explain, find_mate, look_up};
use crate::types::MAX_PLY;

use super::arguments::{Arguments, FEN_FIELDS, JSON, SEARCH_FLAGS, flag};
use super::spec::{Flag, Flags, Help, STOP, Sink, ToolError, ToolSpec};

/// Nodes of `mate` without a limit.
const DEFAULT_NODES: u64 = 10_000_000;
const SYZYGY_VARIABLE: &str = "TABIA_SYZYGY";

static MATE_FLAGS: &[Flag] =
    &[flag("--moves", "N", "accept a mate in N moves (default: 100)"), JSON];

static ALL_MATE_FLAGS: &[&[Flag]] = &[SEARCH_FLAGS, MATE_FLAGS];

pub(super) static MATE: ToolSpec = ToolSpec {
    word: "mate",
    arguments: "FEN [--moves N] [--OPTION …]",
    purpose: "search a position for a mate",
    help: Help {
        flags: Flags::Listed(ALL_MATE_FLAGS),
        notes: &[
            "The search ends at the first mate in N moves. Without a limit, it gets 10000000",
            "nodes. The exit code is 0 if the side to move mates, otherwise 1.",
        ],
        examples: &["tabia mate \"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1\" --moves 2"],
    },
    run: run_mate,
};

fn run_mate(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    let arguments = Arguments::parse("mate", FEN_FIELDS, ALL_MATE_FLAGS, arguments)?;
    let board = arguments.position(0)?;
    let moves = arguments.number("--moves", 1..=MAX_PLY as u64 / 2)?.unwrap_or(100);
    let default = Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() };
    let setup = arguments.search_setup(default)?;
    find_mate(&board, moves as u32, setup, arguments.json(), sink)
        .map_err(|error| arguments.failure(error))
}

static TB_FLAGS: &[Flag] =
    &[flag("--syzygy", "FOLDERS", "folders of the tables (default: $TABIA_SYZYGY)"), JSON];

static ALL_TB_FLAGS: &[&[Flag]] = &[TB_FLAGS];

pub(super) static TB: ToolSpec = ToolSpec {
    word: "tb",
    arguments: "FEN [--syzygy FOLDERS] [--json]",
    purpose: "look a position up in the tablebases",
    help: Help {
        flags: Flags::Listed(ALL_TB_FLAGS),
        notes: &["All results are those of the side to move, the best move first."],
        examples: &["tabia tb \"8/8/8/3k4/8/8/3KQ3/8 b - - 0 1\" --syzygy /data/syzygy"],
    },
    run: run_tb,
};

fn run_tb(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    let arguments = Arguments::parse("tb", FEN_FIELDS, ALL_TB_FLAGS, arguments)?;
    let board = arguments.position(0)?;
    let variable = || std::env::var(SYZYGY_VARIABLE).ok().filter(|folders| !folders.is_empty());
    let folders = arguments.text("--syzygy").or_else(variable);
    let message = || format!("expected --syzygy FOLDERS, or {SYZYGY_VARIABLE} to be set");
    let folders = folders.ok_or_else(|| arguments.usage(message()))?;
    look_up(&board, &folders, arguments.json(), sink)
        .map(|()| true)
        .map_err(|error| arguments.failure(error))
}

static ALL_EVAL_FLAGS: &[&[Flag]] = &[&[JSON]];

pub(super) static EVAL: ToolSpec = ToolSpec {
    word: "eval",
    arguments: "[FEN] [--json]",
    purpose: "show the static evaluation and the share of each piece",
    help: Help {
        flags: Flags::Listed(ALL_EVAL_FLAGS),
        notes: &["Scores and chances are White's. Without a FEN, it is the start position."],
        examples: &["tabia eval \"4k3/8/8/3q4/8/4N3/8/4K3 w - -\""],
    },
    run: run_eval,
};

fn run_eval(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    let arguments = Arguments::parse("eval", FEN_FIELDS, ALL_EVAL_FLAGS, arguments)?;
    let board = match arguments.words() {
        [] => Board::startpos(),
        _ => arguments.position(0)?,
    };
    evaluate(&board, arguments.json(), sink);
    Ok(true)
}

static EXPLAIN_FLAGS: &[Flag] = &[JSON];

static ALL_EXPLAIN_FLAGS: &[&[Flag]] = &[SEARCH_FLAGS, EXPLAIN_FLAGS];

/// Nodes of each search of `explain` without a limit.
const EXPLAIN_NODES: u64 = 1_000_000;

pub(super) static EXPLAIN: ToolSpec = ToolSpec {
    word: "explain",
    arguments: "MOVE [FEN] [--OPTION …]",
    purpose: "explain why a move is good or bad",
    help: Help {
        flags: Flags::Listed(ALL_EXPLAIN_FLAGS),
        notes: &[
            "The move is compared with the best one. Scores and winning chances are those of",
            "the side to move. Without a FEN, it is a move of the start position, or at the",
            "prompt of the position on the board. Without a limit, each of two searches gets",
            "1000000 nodes.",
        ],
        examples: &["tabia explain Ng4 \"4k3/8/8/3q4/8/4N3/8/4K3 w - -\""],
    },
    run: run_explain,
};

fn run_explain(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    explain_from(Board::startpos(), arguments, &STOP, sink)
}

/// Explains a move of `board`, unless the arguments have a FEN.
pub(super) fn explain_from(
    board: Board,
    arguments: &[OsString],
    stop: &AtomicBool,
    sink: Sink<'_>,
) -> Result<bool, ToolError> {
    let arguments = Arguments::parse("explain", FEN_FIELDS + 1, ALL_EXPLAIN_FLAGS, arguments)?;
    let (mv, board) = match arguments.words() {
        [] => return Err(arguments.usage("expected a move")),
        [mv] => (mv, board),
        [mv, ..] => (mv, arguments.position(1)?),
    };
    let mv = board.parse_san(&mv.to_string_lossy());
    let mv = mv.map_err(|error| arguments.usage(error.to_string()))?;
    let default = Limits { nodes: Some(EXPLAIN_NODES), ..Limits::default() };
    let setup = arguments.search_setup(default)?;
    explain(&board, mv, &setup, arguments.json(), stop, sink)
        .map(|()| true)
        .map_err(|error| arguments.failure(error))
}
