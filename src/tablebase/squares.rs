//! Index tables of squares and groups of squares.
//!
//! A position is mirrored until its leading piece is in a fixed region of the board; only the
//! remaining placements have indices.

use crate::types::Square;

/// Number of squares in the triangle a1-d1-d4.
pub(super) const TRIANGLE_SQUARES: usize = 10;
/// Maximum number of leading pawns: seven pieces, two of them kings.
pub(super) const MAX_LEADING_PAWNS: usize = 5;
/// Number of placements of two kings, the first in the triangle.
pub(super) const KING_PAIRS: u64 = 462;
/// Number of placements of three distinct pieces, the first in the triangle.
pub(super) const TRIPLES: u64 = 31_332;

/// Returns the binomial coefficient, `n` over `k`.
pub(super) const fn choose(k: usize, n: usize) -> u64 {
    if k > n {
        return 0;
    }
    let (mut ways, mut i) = (1, 0);
    while i < k {
        ways = ways * (n - i) as u64 / (i as u64 + 1);
        i += 1;
    }
    ways
}

/// Returns the number of ranks above the a1-h8 diagonal, negative below.
pub(super) const fn above_diagonal(square: usize) -> isize {
    (square / 8) as isize - (square % 8) as isize
}

/// Index in the triangle a1-d1-d4: first the six squares below the diagonal, then the four on it.
pub(super) const TRIANGLE: [u8; Square::COUNT] = {
    let mut numbers = [0; Square::COUNT];
    let (mut below, mut square) = (0, 0);
    while square < 28 {
        if square % 8 < 4 && above_diagonal(square) < 0 {
            numbers[square] = below;
            below += 1;
        } else if above_diagonal(square) == 0 {
            numbers[square] = 6 + (square / 9) as u8;
        }
        square += 1;
    }
    numbers
};

/// Index of the 28 squares below the diagonal.
pub(super) const BELOW_DIAGONAL: [u8; Square::COUNT] = {
    let mut numbers = [0; Square::COUNT];
    let (mut number, mut square) = (0, 0);
    while square < Square::COUNT {
        if above_diagonal(square) < 0 {
            numbers[square] = number;
            number += 1;
        }
        square += 1;
    }
    numbers
};

/// Index of two kings that are not adjacent: by the first king's triangle index, then square.
///
/// If the first king is on the diagonal, the second is on or below it. Placements with both on the
/// diagonal come last.
pub(super) const KING_PAIR: [[u16; Square::COUNT]; TRIANGLE_SQUARES] = {
    let mut numbers = [[0; Square::COUNT]; TRIANGLE_SQUARES];
    let (mut number, mut both_on_diagonal) = (0, false);
    loop {
        let mut place = 0;
        while place < TRIANGLE_SQUARES {
            let first = square_in_triangle(place);
            let mut second = 0;
            while second < Square::COUNT {
                let on_diagonal = above_diagonal(first) == 0 && above_diagonal(second) == 0;
                let is_mirrored = above_diagonal(first) == 0 && above_diagonal(second) > 0;
                if !touch(first, second) && !is_mirrored && on_diagonal == both_on_diagonal {
                    numbers[place][second] = number;
                    number += 1;
                }
                second += 1;
            }
            place += 1;
        }
        if both_on_diagonal {
            break;
        }
        both_on_diagonal = true;
    }
    assert!(number as u64 == KING_PAIRS);
    numbers
};

const fn square_in_triangle(number: usize) -> usize {
    let mut square = 0;
    while TRIANGLE[square] as usize != number || above_diagonal(square) > 0 || square % 8 > 3 {
        square += 1;
    }
    square
}

const fn touch(one: usize, other: usize) -> bool {
    (one % 8).abs_diff(other % 8) <= 1 && (one / 8).abs_diff(other / 8) <= 1
}

/// Order of pawn squares, from 47 downwards: files from the edges to the middle, ranks upwards.
///
/// The pawn with the largest number leads.
pub(super) const PAWN_NUMBER: [u8; Square::COUNT] = {
    let mut numbers = [0; Square::COUNT];
    let (mut next, mut file) = (48, 0);
    while file < 4 {
        let mut rank = 1;
        while rank < 7 {
            numbers[rank * 8 + file] = next - 1;
            numbers[rank * 8 + 7 - file] = next - 2;
            next -= 2;
            rank += 1;
        }
        file += 1;
    }
    numbers
};

/// Offset of the placements led by a pawn on a square, among those of the same file. Indexed by the
/// number of leading pawns minus one, then square.
pub(super) const LEADING_PAWN_OFFSETS: [[u64; Square::COUNT]; MAX_LEADING_PAWNS] =
    leading_pawns().0;

/// Number of placements led by a pawn on a file. Indexed by the number of leading pawns minus one,
/// then file from a to d.
pub(super) const LEADING_PAWN_COUNTS: [[u64; 4]; MAX_LEADING_PAWNS] = leading_pawns().1;

const fn leading_pawns()
-> ([[u64; Square::COUNT]; MAX_LEADING_PAWNS], [[u64; 4]; MAX_LEADING_PAWNS]) {
    let mut begins = [[0; Square::COUNT]; MAX_LEADING_PAWNS];
    let mut sizes = [[0; 4]; MAX_LEADING_PAWNS];
    let mut others = 0;
    while others < MAX_LEADING_PAWNS {
        let mut file = 0;
        while file < 4 {
            let (mut next, mut rank) = (0, 1);
            while rank < 7 {
                let square = rank * 8 + file;
                begins[others][square] = next;
                next += choose(others, PAWN_NUMBER[square] as usize);
                rank += 1;
            }
            sizes[others][file] = next;
            file += 1;
        }
        others += 1;
    }
    (begins, sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_follow_their_rules() {
        assert_eq!((choose(2, 5), choose(0, 3), choose(3, 2)), (10, 1, 0));
        let [b1, d3, a1, d4] = [1, 19, 0, 27];
        assert_eq!([b1, d3, a1, d4].map(|square: usize| TRIANGLE[square]), [0, 5, 6, 9]);
        assert_eq!(BELOW_DIAGONAL[Square::H7.index()], 27);
        assert_eq!(KING_PAIR[0][Square::D1.index()], 0);
        assert_eq!(PAWN_NUMBER[Square::A2.index()], 47);
        assert_eq!(PAWN_NUMBER[Square::E7.index()], 0);
        assert_eq!(LEADING_PAWN_COUNTS[0], [6; 4]);
        // All placements of two pawns on 48 squares, up to mirroring.
        assert_eq!(LEADING_PAWN_COUNTS[1].iter().sum::<u64>(), 576);
    }
}
