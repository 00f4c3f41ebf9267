//! Why a file is no book.

use std::error::Error;
use std::fmt;
use std::io;

/// Why a book was refused.
#[derive(Debug)]
pub enum BookError {
    /// The file cannot be read.
    Io(io::Error),
    /// A directory, a device or a pipe.
    NotAFile,
    /// It has more than this many bytes.
    TooLarge(u64),
    /// It has no bytes.
    Empty,
    /// So many bytes are no whole number of entries: the file was cut short, or is something else.
    Length(usize),
    /// The key of an entry is smaller than the one before.
    NotSorted {
        /// Its number in the file, from 1.
        entry: usize,
    },
    /// An entry has no move that the format knows.
    NoMove {
        /// Its number in the file, from 1.
        entry: usize,
        /// What stands in the place of the move.
        bits: u16,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotAFile => f.write_str("not a regular file"),
            Self::TooLarge(limit) => write!(f, "more than {limit} bytes"),
            Self::Empty => f.write_str("not a Polyglot book: the file is empty"),
            Self::Length(bytes) => {
                write!(f, "not a Polyglot book, or cut short: {bytes} bytes, not a multiple of 16")
            }
            Self::NotSorted { entry } => {
                write!(f, "not a Polyglot book, or damaged: entry {entry} is out of order")
            }
            Self::NoMove { entry, bits } => {
                write!(
                    f,
                    "not a Polyglot book, or damaged: entry {entry} has no move ({bits:#06x})"
                )
            }
        }
    }
}

impl Error for BookError {}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
