//! Positions for games to begin from, as OpenBench asks for them before it has games played by its machines.
//!
//! A position is a start – the usual one, or a line of a book – with random moves played on it, kept if a short search
//! finds it even enough. Source: <https://github.com/AndyGrant/OpenBench>, `Client/genfens.py`.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::board::{Board, FenError, FenStyle};
use crate::search::tt::TtError;

use super::opening::{self, Dice};
use super::options::GameOptions;
use super::play::Player;

/// The largest book read, in bytes.
const MAX_BOOK: u64 = 1 << 30;
/// So many positions drawn in a row without one that may be kept show that none will come.
const MOST_REFUSED: usize = 100;
/// Nodes of the search that decides whether a position is even.
const EVEN_NODES: u64 = 1000;

/// Which positions to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenFens {
    /// How many.
    pub count: u64,
    /// The number that all chance comes from.
    pub seed: u64,
    /// A file of positions to begin from, one on a line, as FEN or EPD; `None` for the start position.
    pub book: Option<PathBuf>,
    /// Random plies on top; every second position has one more.
    pub plies: u64,
}

impl GenFens {
    /// The random plies without a wish: from the start position as many as in self-play, from a book a few.
    pub const fn default_plies(has_book: bool) -> u64 {
        if has_book { 2 } else { 8 }
    }
    /// The most random plies.
    pub const MAX_PLIES: u64 = 30;
}

/// Why there are no positions.
#[derive(Debug)]
pub enum GenFensError {
    /// The book cannot be read as text.
    Unreadable(PathBuf, io::Error),
    /// A line of the book, counted from 1, is no position.
    Line(PathBuf, usize, FenError),
    /// There is no position in the book.
    Empty(PathBuf),
    /// There is no room for a transposition table.
    Table(TtError),
    /// Whatever was drawn had to be refused.
    NothingEven,
}

impl fmt::Display for GenFensError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Line(path, line, error) => write!(f, "{}: line {line}: {error}", path.display()),
            Self::Empty(path) => write!(f, "{}: no position in it", path.display()),
            Self::Table(error) => error.fmt(f),
            Self::NothingEven => {
                write!(f, "{MOST_REFUSED} positions in a row were over or too one-sided")
            }
        }
    }
}

impl Error for GenFensError {}

/// Makes the positions and hands each to the sink as FEN. Returns whether all were made: `stop` may have been set
/// before. The same wishes give the same positions on every machine.
///
/// # Errors
/// See [`GenFensError`].
pub fn genfens(
    wishes: &GenFens,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, GenFensError> {
    let starts = match &wishes.book {
        Some(path) => read_book(path)?,
        None => vec![Board::startpos()],
    };
    let options = GameOptions { play_nodes: EVEN_NODES, ..GameOptions::default() };
    let mut player = Player::new(options, wishes.seed).map_err(GenFensError::Table)?;
    for number in 0..wishes.count {
        let mut dice = Dice::new(wishes.seed, number);
        player.clear();
        let position = (0..MOST_REFUSED).find_map(|_| {
            if stop.load(Relaxed) {
                return Some(None);
            }
            let mut board = starts[dice.below(starts.len())].clone();
            let plies = wishes.plies + number % 2;
            opening::play_random(&mut dice, &mut board, plies, &opening::EVEN)?;
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

/// The positions of a book: empty lines are skipped, and what stands on a line after the position.
fn read_book(path: &Path) -> Result<Vec<Board>, GenFensError> {
    let unreadable = |error| GenFensError::Unreadable(path.to_owned(), error);
    let text = read_text(path).map_err(unreadable)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let boards = lines.map(|(index, line)| {
        let bad = |error| GenFensError::Line(path.to_owned(), index + 1, error);
        Board::from_fen(&fen_of_line(line)).map_err(bad)
    });
    let boards: Vec<Board> = boards.collect::<Result<_, _>>()?;
    if boards.is_empty() { Err(GenFensError::Empty(path.to_owned())) } else { Ok(boards) }
}

fn read_text(path: &Path) -> io::Result<String> {
    // Asked before it is opened: opening a pipe may wait for ever.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut text = String::new();
    File::open(path)?.take(MAX_BOOK).read_to_string(&mut text)?;
    Ok(text)
}

/// The position of a line: four fields, and two counters if they follow. EPD has its operations there instead.
fn fen_of_line(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let has_counters = words.len() >= 6 && words[4..6].iter().all(is_number);
    let fields = if has_counters { 6 } else { 4 };
    words.into_iter().take(fields).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_kinds_are_positions() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert_eq!(fen_of_line(&format!("{start} 3 7")), format!("{start} 3 7"));
        assert_eq!(fen_of_line(&format!("{start} 3 7 bm e4;")), format!("{start} 3 7"));
        assert_eq!(fen_of_line(&format!("{start} hmvc 0; fmvn 1;")), start);
        assert_eq!(fen_of_line(start), start);
    }
}
