//! Moves as UCI writes them, start positions by number, the board as a drawing and as its mirror image.

use std::fmt::Write as _;

use super::Board;
use crate::types::{
    CastlingRights, CastlingSide, Color, File, Move, Piece, PieceType, Rank, Square,
};

impl Board {
    /// The legal move of a UCI text. Castling is understood both as the king's step (`e1g1`) and as the king taking his
    /// rook (`e1h1`); where a text could mean two moves, the plain king move is meant.
    pub fn parse_move(&self, text: &str) -> Option<Move> {
        let moves = self.legal_moves();
        let find = |chess960: bool, castling: bool| {
            moves
                .iter()
                .copied()
                .find(|mv| mv.is_castling() == castling && mv.display(chess960).to_string() == text)
        };
        let by_step =
            || moves.iter().copied().find(|mv| mv.is_castling() && mv.castling_step() == text);
        find(true, false).or_else(|| find(true, true)).or_else(by_step)
    }

    /// The start position of Chess960 whose back ranks have these numbers (Scharnagl's, below 960; 518 is standard).
    /// Different numbers make double Chess960.
    ///
    /// # Panics
    /// For numbers from 960 on.
    pub fn chess960_startpos(white: u16, black: u16) -> Self {
        let fen = format!(
            "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1",
            back_rank(black),
            back_rank(white).to_ascii_uppercase()
        );
        Self::from_fen(&fen).expect("start positions are legal")
    }

    /// The board drawn with letters, White's pieces in upper case, White below.
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

    /// The same position with the colours exchanged and the board turned round, without its game.
    pub fn flipped(&self) -> Self {
        let mut board = Self::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                let mirrored = Piece::new(!piece.color(), piece.piece_type());
                board.state_mut().place(mirrored, square.flip_rank());
            }
        }
        board.state_mut().side_to_move = !self.side_to_move();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(path) = self.castling_paths.path(color, side) else { continue };
                if self.castling_rights().has(color, side) {
                    let king = self.king_square(color).flip_rank();
                    let right = CastlingRights::single(!color, side);
                    board.castling_paths.add(!color, side, king, path.rook.flip_rank());
                    board.state_mut().castling = board.castling_rights().union(right);
                }
            }
        }
        board.state_mut().halfmove_clock = self.state().halfmove_clock;
        board.state_mut().fullmove_number = self.fullmove_number();
        board.state_mut().en_passant = self.state().en_passant.map(Square::flip_rank);
        board.reset_keys();
        board
    }
}

/// The back rank of a Chess960 start position, in lower case.
/// Source: <https://en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme>
fn back_rank(number: u16) -> String {
    assert!(number < 960, "there are 960 start positions");
    let number = usize::from(number);
    let mut rank: [Option<PieceType>; 8] = [None; 8];
    let (number, light) = (number / 4, number % 4);
    rank[light * 2 + 1] = Some(PieceType::Bishop);
    let (number, dark) = (number / 4, number % 4);
    rank[dark * 2] = Some(PieceType::Bishop);
    let (knights, queen) = (number / 6, number % 6);
    place_on_free(&mut rank, queen, PieceType::Queen);
    // The ten ways to put two knights on five free squares, in order.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (first, second) = KNIGHTS[knights];
    // The later one first, so that the earlier one's number still holds.
    place_on_free(&mut rank, second, PieceType::Knight);
    place_on_free(&mut rank, first, PieceType::Knight);
    for piece_type in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place_on_free(&mut rank, 0, piece_type);
    }
    rank.iter().map(|piece| piece.expect("eight pieces fill the rank").letter()).collect()
}

/// Puts a piece on the free square of this number, counted from the a file.
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
        let all: std::collections::HashSet<String> = (0..960).map(back_rank).collect();
        assert_eq!(all.len(), 960);
    }
}
