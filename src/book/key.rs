//! Polyglot keys of positions: Zobrist keys with the numbers of the format.

use crate::attacks;
use crate::board::Board;
use crate::types::{CastlingSide, Color, PieceType, Square};

use super::random::RANDOM;

const CASTLING: usize = PieceType::COUNT * Color::COUNT * Square::COUNT;
const EN_PASSANT: usize = CASTLING + Color::COUNT * CastlingSide::COUNT;
const WHITE_TO_MOVE: usize = RANDOM.len() - 1;

/// Returns the Polyglot key of a position.
///
/// It includes the en passant file whenever a pawn attacks the passed square, even if a pin or a
/// check forbids the capture.
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
    if let Some(square) = board.passed_square().filter(|&square| has_taker(board, square)) {
        key ^= RANDOM[EN_PASSANT + square.file().index()];
    }
    if board.side_to_move() == Color::White {
        key ^= RANDOM[WHITE_TO_MOVE];
    }
    key
}

fn has_taker(board: &Board, square: Square) -> bool {
    let us = board.side_to_move();
    (attacks::pawn(!us, square) & board.pieces_of(us, PieceType::Pawn)).any()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions and keys in the description of the format.
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

    /// A pin forbids the capture en passant. Keys by python-chess 1.11.
    #[test]
    fn an_illegal_capture_en_passant_counts() {
        for (before, mv, after, key) in [
            (
                "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1",
                "e2e4",
                "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1",
                0xe283775c8452a064,
            ),
            (
                "8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1",
                "d2d4",
                "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
                0xecba303cd610b817,
            ),
        ] {
            let mut board = Board::from_fen(before).expect("a legal position");
            board.make_move(board.parse_move(mv).expect("a legal move"));
            assert_eq!(board.en_passant(), None);
            assert_eq!(polyglot_key(&board), key, "{before} {mv}");
            let board = Board::from_fen(after).expect("a legal position");
            assert_eq!(polyglot_key(&board), key, "{after}");
            assert_eq!(polyglot_key(&board.flipped().flipped()), key, "{after} flipped twice");
        }
    }
}
