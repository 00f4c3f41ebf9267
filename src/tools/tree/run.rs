//! Search and output.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::Board;
use crate::search::{self, Limits, PoolError, SearchRequest};
use crate::tools::json;
use crate::types::Depth;

use super::page::Page;
use super::statistics::{self, IterationRecord};

/// Nodes of the last iteration that are recorded; about 30 MiB.
const RECORDED_NODES: usize = 200_000;
/// Nodes that the page shows; about 2 MB.
const SHOWN_NODES: usize = 10_000;
/// TT size in MiB.
const HASH: usize = 16;

/// Options of `tabia tree`.
pub struct TreeOptions {
    /// Position to search.
    pub board: Board,
    /// Depth in plies.
    pub depth: Depth,
    /// File for the page.
    pub out: PathBuf,
    /// True for statistics as JSON lines.
    pub json: bool,
}

/// Reason why there is no page.
#[derive(Debug, Error)]
pub enum TreeError {
    /// The position has no legal move.
    #[error("the position has no legal move")]
    GameOver,
    /// The search cannot be prepared.
    #[error(transparent)]
    Setup(PoolError),
    /// The page cannot be written.
    #[error("{0}: {1}")]
    Write(PathBuf, io::Error),
}

/// Searches a position with one thread, writes the statistics of each iteration, and the tree of
/// the last one as a page.
///
/// # Errors
/// If the game is over, the search cannot be prepared, or the page cannot be written.
pub fn run(options: &TreeOptions, sink: &mut dyn FnMut(&str)) -> Result<(), TreeError> {
    let TreeOptions { board, depth, out, json } = options;
    if !board.has_legal_move() {
        return Err(TreeError::GameOver);
    }
    let limits = Limits { depth: Some(*depth), ..Limits::default() };
    let request = SearchRequest::new(board.clone(), limits);
    let (_, tree) = search::record(request, HASH, RECORDED_NODES).map_err(TreeError::Setup)?;
    let page = Page::new(board, &tree, SHOWN_NODES);
    write(out, &page.html())?;
    if *json {
        let mut before = None;
        for counts in &tree.iterations {
            sink(&json::line("iteration", &IterationRecord::new(counts, before)));
            before = Some(counts);
        }
        return Ok(());
    }
    statistics::lines(&tree.iterations).iter().for_each(|line| sink(line));
    sink("");
    let (shown, nodes) = page.shown_of();
    sink(&format!("{}: {shown} of {nodes} nodes of the last iteration", out.display()));
    Ok(())
}

fn write(path: &Path, page: &str) -> Result<(), TreeError> {
    fs::write(path, page).map_err(|error| TreeError::Write(path.to_owned(), error))
}
