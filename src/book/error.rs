//! Errors of reading a book.

use std::io;

use thiserror::Error;

/// Reason why a book is rejected.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(io::Error),
    /// The file is empty.
    #[error("not a Polyglot book: the file is empty")]
    Empty,
    /// Size in bytes, which is not a multiple of the entry size.
    #[error("not a Polyglot book, or truncated: {0} bytes is not a multiple of 16")]
    Length(usize),
    /// An entry has a smaller key than the one before.
    #[error("not a Polyglot book, or damaged: entry {entry} is out of order")]
    NotSorted {
        /// Entry number in the file, from 1.
        entry: usize,
    },
    /// An entry has an invalid move.
    #[error("not a Polyglot book, or damaged: entry {entry} has an invalid move ({bits:#06x})")]
    InvalidMove {
        /// Entry number in the file, from 1.
        entry: usize,
        /// Bits of the move field.
        bits: u16,
    },
}
