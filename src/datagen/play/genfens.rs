//! Generates start positions, as OpenBench requests them before a workload.
//!
//! Random moves follow the start position or one of a book. A short search keeps positions that are
//! even enough. Source: <https://github.com/AndyGrant/OpenBench>, `Client/genfens.py`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use thiserror::Error;

use crate::board::fen::split_epd;
use crate::board::{Board, FenError, FenStyle};
use crate::datagen::options::GameOptions;
use crate::files;
use crate::search::TtError;
use crate::text::ShownPath;

use super::opening::{self, GameRng};
use super::player::Player;

const MAX_BOOK_MIB: u64 = 1024;
const MAX_REJECTED: usize = 100;
/// Soft node limit of the search that decides whether a position is even.
const EVEN_NODES: u64 = 1000;

/// Options of the command `genfens`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenFens {
    /// Number of positions.
    pub count: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// File with a FEN or EPD on each line; `None` for the start position.
    pub book: Option<PathBuf>,
    /// Random plies to play. Every second position has one more.
    pub plies: u64,
}

impl GenFens {
    /// Returns the default number of random plies: as in self-play, or few after a book.
    pub const fn default_plies(has_book: bool) -> u64 {
        if has_book { 2 } else { 8 }
    }
    /// Largest number of random plies.
    pub const MAX_PLIES: u64 = 30;
}

/// Reason why no positions were generated.
#[derive(Debug, Error)]
pub enum GenFensError {
    /// The book cannot be read as text.
    #[error("{}: {}", ShownPath(.0), .1)]
    Io(PathBuf, io::Error),
    /// A line of the book, counted from 1, is not a position.
    #[error("{}: line {}: {}", ShownPath(.0), .1, .2)]
    Line(PathBuf, usize, FenError),
    /// The book has no positions.
    #[error("{}: the book has no positions", ShownPath(.0))]
    Empty(PathBuf),
    /// The TT cannot be allocated.
    #[error(transparent)]
    Table(TtError),
    /// Too many positions in a row were rejected.
    #[error("{MAX_REJECTED} positions in a row were over or too one-sided")]
    NothingEven,
}

/// Generates positions and passes each to the sink as FEN. Returns false if `stop` ended it early.
/// The same options give the same positions on every machine.
pub fn genfens(
    request: &GenFens,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, GenFensError> {
    let book = match &request.book {
        Some(path) => read_book(path)?,
        None => Board::startpos().fen(FenStyle::Standard),
    };
    // The boards of a large book would not fit into memory.
    let lines: Vec<&str> = book_lines(&book).map(|(_, line)| line).collect();
    let options = GameOptions { play_nodes: EVEN_NODES, ..GameOptions::default() };
    let mut player = Player::new(options, request.seed).map_err(GenFensError::Table)?;
    for number in 0..request.count {
        let mut rng = GameRng::new(request.seed, number);
        player.clear();
        let position = (0..MAX_REJECTED).find_map(|_| {
            if stop.load(Relaxed) {
                return Some(None);
            }
            let line = lines[rng.below(lines.len())];
            let mut board = board_of_line(line).expect("every line is a position");
            let plies = request.plies + number % 2;
            opening::play_random(&mut rng, &mut board, plies, &opening::UNIFORM)?;
            player.is_even(&board).then_some(Some(board))
        });
        match position {
            Some(Some(board)) => sink(&board.fen(FenStyle::Standard)),
            Some(None) => return Ok(false),
            None => return Err(GenFensError::NothingEven),
        }
    }
    Ok(true)
}

/// Returns the text of a book, every line of which is a position.
fn read_book(path: &Path) -> Result<String, GenFensError> {
    let text = files::read_text(path, MAX_BOOK_MIB)
        .map_err(|error| GenFensError::Io(path.to_owned(), error))?;
    for (number, line) in book_lines(&text) {
        let bad = |error| GenFensError::Line(path.to_owned(), number, error);
        board_of_line(line).map_err(bad)?;
    }
    let is_empty = book_lines(&text).next().is_none();
    if is_empty { Err(GenFensError::Empty(path.to_owned())) } else { Ok(text) }
}

/// Returns the lines that are not blank, with their numbers from 1.
fn book_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}

/// Returns the position of a line of FEN or EPD.
fn board_of_line(line: &str) -> Result<Board, FenError> {
    Board::from_fen(&split_epd(line).0)
}
