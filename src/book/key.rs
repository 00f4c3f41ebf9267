//! Polyglot keys of positions: Zobrist keys with the numbers of the format.

use super::random::RANDOM;
use crate::board::Board;
use crate::types::{CastlingSide, Color, PieceType, Square};

const CASTLING: usize = PieceType::COUNT * Color::COUNT * Square::COUNT;
const EN_PASSANT: usize = CASTLING + Color::COUNT * CastlingSide::COUNT;
const WHITE_TO_MOVE: usize = RANDOM.len() - 1;

/// Returns the key of a position in Polyglot books.
///
/// The format includes the en passant file whenever a pawn stands beside the double step, but
/// the board keeps it only if the capture is legal. So a position is not found in the rare
/// case that a pin forbids the capture.
pub fn polyglot_key(board: &Board) -> u64 {
    let mut key = 0;
    for square in board.occupied() {
        if let Some(piece) = board.piece_on(square) {
            let is_white = usize::from(piece.color() == Color::White);
            let kind = piece.piece_type().index() * Color::COUNT + is_white;
            key ^= RANDOM[kind * Square::COUNT + square.index()];
        }
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if board.castling_rights().has(color, side) {
                let right = color.index() * CastlingSide::COUNT + side.index();
                key ^= RANDOM[CASTLING + right];
            }
        }
    }
    if let Some(square) = board.en_passant() {
        key ^= RANDOM[EN_PASSANT + square.file().index()];
    }
    if board.side_to_move() == Color::White {
        key ^= RANDOM[WHITE_TO_MOVE];
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nine positions and keys in the description of the format.
    #[test]
    fn published_keys() {
        for (fen, key) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a607ca3f242c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fdd303c946bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f9b829b279560),
        ] {
            let board = Board::from_fen(fen).expect("a legal position");
            assert_eq!(polyglot_key(&board), key, "{fen}");
        }
    }
}
