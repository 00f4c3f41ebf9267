//! Moves from the user's opening book.

use std::path::Path;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::board::Board;
use crate::book::{self, Book, BookError};
use crate::search::Limits;
use crate::types::Move;

use super::seed::random_seed;

pub(super) struct OwnBook {
    book: Option<Book>,
    is_on: bool,
    /// True if a missing book has not been reported yet.
    may_miss: bool,
    pub(super) best_only: bool,
    rng: ChaCha8Rng,
}

impl OwnBook {
    pub(super) fn new() -> Self {
        let rng = ChaCha8Rng::seed_from_u64(random_seed());
        Self { book: None, is_on: false, may_miss: false, best_only: false, rng }
    }

    /// Opens a book and returns its number of entries. On failure the old one stays open.
    pub(super) fn open(&mut self, path: &Path) -> Result<usize, BookError> {
        Ok(self.book.insert(Book::open(path)?).len())
    }

    pub(super) fn switch(&mut self, is_on: bool) {
        self.is_on = is_on;
        self.may_miss = is_on;
    }

    /// Returns whether a book is switched on and missing, once.
    pub(super) fn take_missing(&mut self) -> bool {
        self.book.is_none() && std::mem::take(&mut self.may_miss)
    }

    pub(super) fn close(&mut self) {
        self.book = None;
    }

    /// Returns the move to play. Analysis, pondering and searches of given moves use no book.
    pub(super) fn choose(&mut self, board: &Board, limits: &Limits) -> Option<Move> {
        let is_to_play = !limits.is_analysis() && !limits.ponder && limits.search_moves.is_empty();
        if !self.is_on || !is_to_play {
            return None;
        }
        let moves = self.book.as_ref()?.moves(board);
        if self.best_only {
            return moves.first().filter(|best| best.weight > 0).map(|best| best.mv);
        }
        book::choose(&moves, self.rng.next_u64())
    }
}
