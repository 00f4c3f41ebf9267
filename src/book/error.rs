//! Errors of reading a book.

use std::error::Error;
use std::fmt;
use std::io;

/// Reason why a book is rejected.
#[derive(Debug)]
pub enum BookError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file is empty.
    Empty,
    /// Size in bytes, which is not a multiple of the entry size.
    Length(usize),
    /// An entry has a smaller key than the one before.
    NotSorted {
        /// Entry number in the file, from 1.
        entry: usize,
    },
    /// An entry has an invalid move.
    InvalidMove {
        /// Entry number in the file, from 1.
        entry: usize,
        /// Bits of the move field.
        bits: u16,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Empty => f.write_str("not a Polyglot book: the file is empty"),
            Self::Length(bytes) => {
                write!(
                    f,
                    "not a Polyglot book, or truncated: {bytes} bytes is not a multiple of 16"
                )
            }
            Self::NotSorted { entry } => {
                write!(f, "not a Polyglot book, or damaged: entry {entry} is out of order")
            }
            Self::InvalidMove { entry, bits } => {
                f.write_str("not a Polyglot book, or damaged: ")?;
                write!(f, "entry {entry} has an invalid move ({bits:#06x})")
            }
        }
    }
}

impl Error for BookError {}
