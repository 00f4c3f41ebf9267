//! Attack sets of all pieces, and lines between squares, for any occupancy.

mod leapers;
mod magics;
mod rays;

use crate::types::{Bitboard, Color, PieceType, Square};

/// Returns the attacks of a king.
#[inline]
pub fn king(square: Square) -> Bitboard {
    leapers::KING[square]
}

/// Returns the attacks of a knight.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    leapers::KNIGHT[square]
}

/// Returns the attacks of a pawn of `color`.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    leapers::PAWN[color][square]
}

/// Returns the attacks of a bishop, including the first occupied square of each diagonal.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    magics::bishop(square, occupied)
}

/// Returns the attacks of a rook, including the first occupied square of each line.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    magics::rook(square, occupied)
}

/// Returns the attacks of a queen.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// Returns the attacks of a piece of this type.
///
/// # Panics
/// For pawns, whose attacks depend on their colour.
#[inline]
pub fn piece(piece_type: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match piece_type {
        PieceType::Pawn => panic!("a pawn's attacks depend on its colour"),
        PieceType::Knight => knight(square),
        PieceType::Bishop => bishop(square, occupied),
        PieceType::Rook => rook(square, occupied),
        PieceType::Queen => queen(square, occupied),
        PieceType::King => king(square),
    }
}

/// Returns the other squares of both diagonals through a square.
#[inline]
pub fn diagonals(square: Square) -> Bitboard {
    rays::DIAGONALS[square]
}

/// Returns the other squares of the file and rank of a square.
#[inline]
pub fn orthogonals(square: Square) -> Bitboard {
    rays::ORTHOGONALS[square]
}

/// Returns the squares strictly between two squares; empty if they are not on a line.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    rays::BETWEEN[a][b]
}

/// Returns the line through two squares, from edge to edge; empty if they are equal or not on a
/// line.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    rays::LINE[a][b]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(square: Square, occupied: Bitboard, steps: [(i8, i8); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (file_step, rank_step) in steps {
            let (mut file, mut rank) = (square.file() as i8, square.rank() as i8);
            loop {
                (file, rank) = (file + file_step, rank + rank_step);
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let target = Square::ALL[(rank * 8 + file) as usize];
                attacks |= target.into();
                if occupied.contains(target) {
                    break;
                }
            }
        }
        attacks
    }

    #[test]
    fn magics_agree_with_ray_walking() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..2_000 {
            // xorshift64: the quality of the random occupancies does not matter.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let occupied = Bitboard(state & state.rotate_left(23));
            for square in Square::ALL {
                let orthogonal = walk(square, occupied, [(0, 1), (0, -1), (1, 0), (-1, 0)]);
                let diagonal = walk(square, occupied, [(1, 1), (1, -1), (-1, 1), (-1, -1)]);
                assert_eq!(rook(square, occupied), orthogonal);
                assert_eq!(bishop(square, occupied), diagonal);
            }
        }
    }

    #[test]
    fn lines_are_attacks_on_the_empty_board() {
        for square in Square::ALL {
            assert_eq!(diagonals(square), bishop(square, Bitboard::EMPTY));
            assert_eq!(orthogonals(square), rook(square, Bitboard::EMPTY));
        }
    }

    #[test]
    fn between_and_line() {
        let squares = |list: &[Square]| list.iter().copied().collect::<Bitboard>();
        assert_eq!(between(Square::A1, Square::D4), squares(&[Square::B2, Square::C3]));
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(
            line(Square::C1, Square::E3),
            squares(&[Square::C1, Square::D2, Square::E3, Square::F4, Square::G5, Square::H6])
        );
        assert_eq!(line(Square::A4, Square::C4).count(), 8);
        assert_eq!(line(Square::A1, Square::A1), Bitboard::EMPTY);
    }

    #[test]
    fn leapers_stay_on_the_board() {
        assert_eq!(knight(Square::A1).count(), 2);
        assert_eq!(knight(Square::E4).count(), 8);
        assert_eq!(king(Square::H8).count(), 3);
        assert_eq!(pawn(Color::White, Square::A2), Square::B3.into());
        assert_eq!(pawn(Color::Black, Square::E4).count(), 2);
    }
}
