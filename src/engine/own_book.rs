//! Playing from an opening book of the user's.

use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::board::Board;
use crate::book::{self, Book, BookError};
use crate::search::Limits;
use crate::types::Move;

/// The book in use, if there is one, and how it is used.
pub(super) struct OwnBook {
    book: Option<Book>,
    /// Whether moves are played from it at all.
    pub(super) is_on: bool,
    /// Whether the move of the greatest weight is always taken.
    pub(super) best_only: bool,
    dice: ChaCha8Rng,
}

impl OwnBook {
    /// No book yet.
    pub(super) fn new() -> Self {
        // The standard library draws the seed of its hashes anew for each process.
        let seed = RandomState::new().hash_one(());
        Self { book: None, is_on: false, best_only: false, dice: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Opens a book in place of the one before, which stays if that fails. Returns the number of entries.
    pub(super) fn open(&mut self, path: &Path) -> Result<usize, BookError> {
        Ok(self.book.insert(Book::open(path)?).len())
    }

    /// Puts the book away.
    pub(super) fn close(&mut self) {
        self.book = None;
    }

    /// The move to play without much thought, if this is a search that wants one: an analysis does not, nor does one
    /// that is told which moves to look at.
    pub(super) fn choose(&mut self, board: &Board, limits: &Limits) -> Option<Move> {
        let is_for_later = limits.is_analysis() || limits.ponder;
        if !self.is_on || is_for_later || !limits.search_moves.is_empty() {
            return None;
        }
        let moves = self.book.as_ref()?.moves(board);
        if self.best_only {
            return moves.first().filter(|best| best.weight > 0).map(|best| best.mv);
        }
        book::choose(&moves, self.dice.next_u64())
    }
}
