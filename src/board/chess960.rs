//! Chess960 start positions by Scharnagl number.

use crate::types::PieceType;

use super::Board;

impl Board {
    /// Number of Chess960 start positions.
    pub const CHESS960_STARTS: u16 = 960;

    /// Returns the Chess960 start position with these Scharnagl numbers, which count from 0.
    ///
    /// Number 518 is the standard back rank. Different numbers give double Chess960.
    ///
    /// ```
    /// use tabia::board::Board;
    ///
    /// assert_eq!(Board::chess960_startpos(518, 518).key(), Board::startpos().key());
    /// ```
    ///
    /// # Panics
    /// If a number is not below [`Board::CHESS960_STARTS`].
    pub fn chess960_startpos(white: u16, black: u16) -> Self {
        let fen = format!(
            "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1",
            back_rank(black),
            back_rank(white).to_ascii_uppercase()
        );
        Self::from_fen(&fen).expect("start positions are legal")
    }
}

/// Places of the two knights among five free squares, in the order of the numbering.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// Returns the back rank in lower case.
/// Source: <https://en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme>
fn back_rank(number: u16) -> String {
    assert!(number < Board::CHESS960_STARTS, "there is no start position {number}");
    let number = usize::from(number);
    let [light_bishop, dark_bishop] = [number % 4, number / 4 % 4];
    let [queen, knights] = [number / 16 % 6, number / 96];
    let mut rank: [Option<PieceType>; 8] = [None; 8];
    // The light squares of White's back rank are those of the files b, d, f and h.
    rank[light_bishop * 2 + 1] = Some(PieceType::Bishop);
    rank[dark_bishop * 2] = Some(PieceType::Bishop);
    place_on_free(&mut rank, queen, PieceType::Queen);
    let (first, second) = KNIGHTS[knights];
    // The later knight first, so that the index of the earlier one stays valid.
    place_on_free(&mut rank, second, PieceType::Knight);
    place_on_free(&mut rank, first, PieceType::Knight);
    for piece_type in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place_on_free(&mut rank, 0, piece_type);
    }
    rank.iter().map(|piece| piece.expect("eight pieces fill the rank").letter()).collect()
}

fn place_on_free(rank: &mut [Option<PieceType>; 8], number: usize, piece_type: PieceType) {
    let free = rank.iter_mut().filter(|square| square.is_none()).nth(number);
    *free.expect("enough squares are free") = Some(piece_type);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_start_positions() {
        assert_eq!(back_rank(518), "rnbqkbnr");
        assert_eq!(back_rank(0), "bbqnnrkr");
        assert_eq!(back_rank(959), "rkrnnqbb");
        let numbers = 0..Board::CHESS960_STARTS;
        let all: std::collections::HashSet<String> = numbers.map(back_rank).collect();
        assert_eq!(all.len(), 960);
    }
}
