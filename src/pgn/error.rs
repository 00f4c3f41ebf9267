//! Errors and notes, with their place.

use std::fmt;
use std::io;

use thiserror::Error;

use crate::board::{FenError, SanError};
use crate::text::brief;
use crate::types::Color;

/// Line and column (in characters), from 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) column: u64,
}

/// Reason why a game cannot be read, or not to its end, with its place.
#[derive(Debug, Error)]
#[error(
    "game {game}, {}line {line}, column {column}: {kind}",
    .mv.map_or(String::new(), |(number, side)| format!("{side}'s move {number}, "))
)]
pub struct PgnError {
    /// Number of the game in its file, from 1.
    pub game: usize,
    /// Number and side of the move that cannot be read; `None` outside the moves.
    pub mv: Option<(u32, Color)>,
    /// Line of the file, from 1.
    pub line: u64,
    /// Column of the line in characters, from 1.
    pub column: u64,
    /// Reason, without the place.
    pub kind: ErrorKind,
}

/// Reason why a game cannot be read.
#[derive(Debug, Error)]
pub enum ErrorKind {
    /// The file cannot be read. No game follows.
    #[error("cannot read the file: {0}")]
    Io(io::Error),
    /// A word is not a legal move.
    #[error(transparent)]
    Move(SanError),
    /// The tag `FEN` is not a position.
    #[error("bad FEN: {0}")]
    Fen(FenError),
    /// The tag `Variant` names rules other than those of chess and Chess960.
    #[error("the variant '{}' is not supported", brief(.0))]
    Variant(String),
    /// A comment has no `}`.
    #[error("the comment that begins here has no '}}'")]
    UnclosedComment,
    /// The game exceeds a limit on its text or moves.
    #[error("the game is too long")]
    TooLong,
}

/// Fault that the reader corrected, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Line of the file, from 1.
    pub line: u64,
    /// The fault and its correction.
    pub text: String,
    /// True if the correction is a guess: the game may not be the one that was meant.
    pub is_guess: bool,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}
