//! The tool `book`.

use std::path::PathBuf;

use clap::Args;

use crate::board::Board;
use crate::book::{self, Book};
use crate::text::{ShownPath, percent};

use super::arguments::{FEN_FIELDS, Sink, ToolError, position};

/// Lists the moves of an opening book
#[derive(Args)]
#[command(after_help = "Example:\n  tabia book openings.bin startpos")]
pub(super) struct BookMoves {
    /// Book in Polyglot's format
    file: PathBuf,
    /// Position; without it, the start position
    #[arg(num_args = ..=FEN_FIELDS)]
    fen: Vec<String>,
}

impl BookMoves {
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let board = position(&self.fen, Board::startpos())?;
        let name = ShownPath(&self.file);
        let book = Book::open(&self.file)
            .map_err(|error| ToolError::Failure(format!("{name}: {error}")))?;
        let moves = book.moves(&board);
        sink(&format!(
            "{name}: {} entries, {} for key {:016x}",
            book.len(),
            moves.len(),
            book::polyglot_key(&board)
        ));
        let total = book::total_weight(&moves).max(1) as f64;
        for choice in moves {
            let mv = choice.mv.display(false).to_string();
            let share = percent(f64::from(choice.weight) / total);
            sink(&format!("{mv:<5} weight {:>5} share {share:>7}", choice.weight));
        }
        Ok(true)
    }
}
