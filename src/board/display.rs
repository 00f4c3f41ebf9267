//! ASCII drawing of the board.

use std::fmt::Write as _;

use crate::types::{File, Rank, Square};

use super::Board;

impl Board {
    /// Draws the board with FEN letters, White at the bottom.
    pub fn pretty(&self) -> String {
        let mut text = String::from("  +-----------------+\n");
        for rank in Rank::ALL.into_iter().rev() {
            let _ = write!(text, "{} |", rank as u8 + 1);
            for file in File::ALL {
                let letter = self.piece_on(Square::new(file, rank)).map_or('.', |p| p.letter());
                let _ = write!(text, " {letter}");
            }
            text.push_str(" |\n");
        }
        text.push_str("  +-----------------+\n    a b c d e f g h");
        text
    }
}
