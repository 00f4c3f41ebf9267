//! Searches a position and writes the tree of the search as a page (docs/tree.md).

mod page;
mod selection;
mod statistics;
mod words;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use thiserror::Error;

use tabia::board::{Board, FenError};
use tabia::cli;
use tabia::search::{self, Limits, PoolError, SearchRequest};
use tabia::text::ShownPath;
use tabia::tools::json;
use tabia::types::{Depth, MAX_PLY};

use page::Page;
use statistics::IterationRecord;

/// Nodes of the last iteration that are recorded; about 30 MiB.
const RECORDED_NODES: usize = 200_000;
/// Nodes that the page shows; about 2 MB.
const SHOWN_NODES: usize = 10_000;
/// TT size in MiB.
const HASH: usize = 16;

/// Shows the tree of a small search, node by node
///
/// The page shows where each heuristic cut the tree of the last iteration. The output has the
/// statistics of each iteration.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    /// Position to search, in quotes
    #[arg(value_name = "FEN", default_value = "startpos", value_parser = position)]
    board: Board,
    /// Depth in plies
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8,
        value_parser = clap::value_parser!(Depth).range(1..=MAX_PLY as i64)
    )]
    depth: Depth,
    /// File to write the page to
    #[arg(long, value_name = "FILE", default_value = "tabia-tree.html")]
    out: PathBuf,
    /// Print the statistics as JSON lines (docs/json.md)
    #[arg(long)]
    json: bool,
}

fn position(text: &str) -> Result<Board, FenError> {
    if text == "startpos" { Ok(Board::startpos()) } else { Board::from_fen(text) }
}

/// Reason why there is no page.
#[derive(Debug, Error)]
enum TreeError {
    #[error("the position has no legal move")]
    GameOver,
    #[error(transparent)]
    Setup(PoolError),
    #[error("{}: {}", ShownPath(.0), .1)]
    Page(PathBuf, io::Error),
    #[error("cannot write the statistics: {0}")]
    Output(#[from] io::Error),
}

fn main() -> ExitCode {
    let arguments = match cli::parse() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    match run(&arguments, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // Not an error: the reader needs no more of the statistics.
        Err(TreeError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Fails only if standard error is closed too.
            let _closed = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Searches with one thread, writes the tree of the last iteration as a page and the statistics of
/// each iteration to `out`.
fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), TreeError> {
    let Arguments { board, depth, out: path, json } = arguments;
    if !board.has_legal_move() {
        return Err(TreeError::GameOver);
    }
    let limits = Limits { depth: Some(*depth), ..Limits::default() };
    let request = SearchRequest::new(board.clone(), limits);
    let (_, tree) = search::record(request, HASH, RECORDED_NODES).map_err(TreeError::Setup)?;
    let page = Page::new(board, &tree, SHOWN_NODES);
    write_page(path, &page.html())?;
    if *json {
        let mut before = None;
        for counts in &tree.iterations {
            let record = IterationRecord::new(counts, before);
            writeln!(out, "{}", json::line("iteration", &record))?;
            before = Some(counts);
        }
        return Ok(());
    }
    for line in statistics::lines(&tree.iterations) {
        writeln!(out, "{line}")?;
    }
    let (shown, nodes) = page.shown_of();
    writeln!(out, "\n{}: {shown} of {nodes} nodes of the last iteration", ShownPath(path))?;
    Ok(())
}

fn write_page(path: &Path, page: &str) -> Result<(), TreeError> {
    fs::write(path, page).map_err(|error| TreeError::Page(path.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
