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
    pub(super) is_on: bool,
    pub(super) best_only: bool,
    rng: ChaCha8Rng,
}

impl OwnBook {
    pub(super) fn new() -> Self {
        let rng = ChaCha8Rng::seed_from_u64(random_seed());
        Self { book: None, is_on: false, best_only: false, rng }
    }

    /// Opens a book and returns its number of entries. On failure the old one stays open.
    pub(super) fn open(&mut self, path: &Path) -> Result<usize, BookError> {
        Ok(self.book.insert(Book::open(path)?).len())
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
