//! Errors and notes, with their place.

use std::fmt;
use std::io;

use crate::board::fen::brief;
use crate::board::{FenError, SanError};
use crate::types::Color;

/// Line and column (in characters), from 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) column: u64,
}

/// Reason why a game cannot be read, with its place.
#[derive(Debug)]
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
#[derive(Debug)]
pub enum ErrorKind {
    /// The file cannot be read. No game follows.
    Io(io::Error),
    /// A word is not a legal move.
    Move(SanError),
    /// A null move is among the moves of the game. Variations may have some.
    NullMove(String),
    /// The tag `FEN` is not a position.
    Fen(FenError),
    /// The tag `Variant` names rules other than those of chess and Chess960.
    Variant(String),
    /// A comment has no `}`.
    UnclosedComment,
    /// The game exceeds a limit on its text or moves.
    TooLong,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, ", self.game)?;
        if let Some((number, side)) = self.mv {
            write!(f, "{side}'s move {number}, ")?;
        }
        write!(f, "line {}, column {}: {}", self.line, self.column, self.kind)
    }
}

impl std::error::Error for PgnError {}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read the file: {error}"),
            Self::Move(error) => error.fmt(f),
            Self::NullMove(text) => {
                write!(f, "'{}' is a null move, which only variations may have", brief(text))
            }
            Self::Fen(error) => write!(f, "bad FEN: {error}"),
            Self::Variant(name) => {
                write!(f, "the variant '{}' is not supported", brief(name))
            }
            Self::UnclosedComment => f.write_str("the comment that begins here has no '}'"),
            Self::TooLong => f.write_str("the game is too long"),
        }
    }
}

/// Fault that the reader corrected, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Line of the file, from 1.
    pub line: u64,
    /// The fault and its correction.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}
