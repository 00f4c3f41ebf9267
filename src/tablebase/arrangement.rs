//! Index of a position among all positions with the same pieces.
//!
//! The pieces form groups: first the leading group, which determines the symmetry, then groups of
//! equal pieces. The index is a mixed-radix number with one digit per group.

use arrayvec::ArrayVec;

use crate::types::{Color, PieceType};

use super::material::{MAX_PIECES, Material};
use super::squares::{
    BELOW_DIAGONAL, KING_PAIR, KING_PAIRS, LEADING_PAWN_COUNTS, LEADING_PAWN_OFFSETS, PAWN_NUMBER,
    TRIANGLE, TRIPLES, above_diagonal, choose,
};
use super::table_file::TableFileError;

/// A piece in the file's encoding: 1 to 6 for White's pawn to king, 9 to 14 for Black's.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct PieceCode(u8);

impl PieceCode {
    pub(super) fn color(self) -> Color {
        if self.0 & 8 == 0 { Color::White } else { Color::Black }
    }

    pub(super) fn piece_type(self) -> Option<PieceType> {
        PieceType::from_index(usize::from(self.0 & 7).checked_sub(1)?)
    }
}

/// Squares in the order of an arrangement.
pub(super) type PieceSquares = ArrayVec<usize, MAX_PIECES>;

/// The pieces of a table for one side to move, in the order of indexing.
pub(super) struct Arrangement {
    pieces: ArrayVec<PieceCode, MAX_PIECES>,
    has_pawns: bool,
    /// The second group consists of the other side's pawns.
    has_other_pawns: bool,
    groups: ArrayVec<Group, MAX_PIECES>,
    positions: u64,
}

struct Group {
    length: usize,
    factor: u64,
}

impl Arrangement {
    /// Creates an arrangement from the piece codes of a header.
    ///
    /// `orders` are the radix places of the leading group and of the other side's pawns; `file` is
    /// that of the leading pawn.
    pub(super) fn new(
        material: Material,
        codes: &[u8],
        orders: [u8; 2],
        file: usize,
    ) -> Result<Self, TableFileError> {
        let pieces: ArrayVec<PieceCode, MAX_PIECES> =
            codes.iter().map(|&code| PieceCode(code)).collect();
        check_pieces(material, &pieces)?;
        let mut arrangement = Self {
            has_pawns: material.has_pawns(),
            has_other_pawns: material.has_pawns_on_both_sides(),
            groups: groups(material, &pieces),
            pieces,
            positions: 0,
        };
        arrangement.set_factors(material, orders, file)?;
        Ok(arrangement)
    }

    pub(super) fn pieces(&self) -> &[PieceCode] {
        &self.pieces
    }

    pub(super) fn positions(&self) -> u64 {
        self.positions
    }

    fn set_factors(
        &mut self,
        material: Material,
        orders: [u8; 2],
        file: usize,
    ) -> Result<(), TableFileError> {
        let leading = self.groups[0].length;
        let ways_to_lead = match (self.has_pawns, material.has_single_piece()) {
            (true, _) => LEADING_PAWN_COUNTS[leading - 1][file],
            (false, true) => TRIPLES,
            (false, false) => KING_PAIRS,
        };
        let fixed = if self.has_other_pawns { 2 } else { 1 };
        let mut free = 64 - self.groups.iter().take(fixed).map(|group| group.length).sum::<usize>();
        let (mut next, mut factor) = (fixed, 1u64);
        for place in 0..16 {
            let (index, ways) = if place == orders[0] {
                (0, ways_to_lead)
            } else if self.has_other_pawns && place == orders[1] {
                (1, choose(self.groups[1].length, 48 - leading))
            } else if next < self.groups.len() {
                next += 1;
                let length = self.groups[next - 1].length;
                free -= length;
                (next - 1, choose(length, free + length))
            } else {
                continue;
            };
            self.groups[index].factor = factor;
            factor *= ways;
        }
        self.positions = factor;
        if self.groups.iter().all(|group| group.factor > 0) {
            Ok(())
        } else {
            Err(TableFileError::Damaged("the order of the pieces is incomplete"))
        }
    }

    /// Returns the index of a position by its squares, seen from the table's White.
    pub(super) fn index(&self, mut squares: PieceSquares) -> u64 {
        let flip = |squares: &mut PieceSquares, bits| squares.iter_mut().for_each(|s| *s ^= bits);
        if squares[0] % 8 > 3 {
            flip(&mut squares, 7);
        }
        if !self.has_pawns && squares[0] / 8 > 3 {
            flip(&mut squares, 56);
        }
        let leading = if self.has_pawns {
            self.leading_pawns(&mut squares)
        } else {
            self.leading_pieces(&mut squares)
        };
        let mut number = leading * self.groups[0].factor;
        let mut begin = self.groups[0].length;
        for (index, group) in self.groups.iter().enumerate().skip(1) {
            let are_pawns = self.has_other_pawns && index == 1;
            let (before, own) = squares.split_at_mut(begin);
            let own = &mut own[..group.length];
            own.sort_unstable();
            let own_number = own.iter().enumerate().map(|(place, &square)| {
                let taken = before.iter().filter(|&&other| other < square).count();
                // Pawns are never on the first rank.
                choose(place + 1, square - taken - if are_pawns { 8 } else { 0 })
            });
            number += own_number.sum::<u64>() * group.factor;
            begin += group.length;
        }
        number
    }

    fn leading_pawns(&self, squares: &mut PieceSquares) -> u64 {
        let pawns = self.groups[0].length;
        let others = &mut squares[1..pawns];
        others.sort_unstable_by_key(|&square| PAWN_NUMBER[square]);
        let after = others.iter().zip(1..);
        let rest: u64 = after.map(|(&square, k)| choose(k, PAWN_NUMBER[square].into())).sum();
        LEADING_PAWN_OFFSETS[pawns - 1][squares[0]] + rest
    }

    fn leading_pieces(&self, squares: &mut PieceSquares) -> u64 {
        let leading = self.groups[0].length;
        let off_diagonal = squares[..leading].iter().find(|&&square| above_diagonal(square) != 0);
        if off_diagonal.is_some_and(|&square| above_diagonal(square) > 0) {
            squares.iter_mut().for_each(|square| *square = *square % 8 * 8 + *square / 8);
        }
        if leading == 2 {
            let place = usize::from(TRIANGLE[squares[0]]);
            return KING_PAIR[place][squares[1]].into();
        }
        triple([squares[0], squares[1], squares[2]])
    }
}

/// Returns the index of three distinct pieces, the first in the triangle.
fn triple([a, b, c]: [usize; 3]) -> u64 {
    let second_less = usize::from(b > a);
    let third_less = usize::from(c > a) + usize::from(c > b);
    let below = |square: usize| usize::from(BELOW_DIAGONAL[square]);
    let number = if above_diagonal(a) != 0 {
        (usize::from(TRIANGLE[a]) * 63 + b - second_less) * 62 + c - third_less
    } else if above_diagonal(b) != 0 {
        (6 * 63 + a / 8 * 28 + below(b)) * 62 + c - third_less
    } else if above_diagonal(c) != 0 {
        (6 * 63 + 4 * 28) * 62 + (a / 8 * 7 + b / 8 - second_less) * 28 + below(c)
    } else {
        let on_diagonal = (a / 8 * 7 + b / 8 - second_less) * 6 + c / 8 - third_less;
        (6 * 63 + 4 * 28) * 62 + 4 * 7 * 28 + on_diagonal
    };
    number as u64
}

/// Checks that the pieces match the file's name, with pawns first and equal pieces together.
fn check_pieces(material: Material, pieces: &[PieceCode]) -> Result<(), TableFileError> {
    let damaged = || TableFileError::Damaged("the pieces are not those of its name");
    for color in Color::ALL {
        for piece_type in PieceType::ALL {
            let is_such = |piece: &&PieceCode| {
                piece.color() == color && piece.piece_type() == Some(piece_type)
            };
            if pieces.iter().filter(is_such).count() != material.count(color, piece_type) {
                return Err(damaged());
            }
        }
    }
    let is_pawn = |piece: &PieceCode| piece.piece_type() == Some(PieceType::Pawn);
    let pawns = pieces.iter().filter(|&piece| is_pawn(piece)).count();
    let in_front = pieces.iter().take_while(|piece| is_pawn(piece)).count();
    let changes = pieces.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let kinds = pieces.iter().enumerate().filter(|(i, piece)| !pieces[..*i].contains(piece));
    if pawns == in_front && changes + 1 == kinds.count() { Ok(()) } else { Err(damaged()) }
}

fn groups(material: Material, pieces: &[PieceCode]) -> ArrayVec<Group, MAX_PIECES> {
    let leading = match (material.has_pawns(), material.has_single_piece()) {
        (true, _) => pieces.iter().take_while(|&&piece| piece == pieces[0]).count(),
        (false, true) => 3,
        (false, false) => 2,
    };
    let (first, rest) = pieces.split_at(leading);
    let lengths = rest.chunk_by(|a, b| a == b).map(<[PieceCode]>::len);
    std::iter::once(first.len()).chain(lengths).map(|length| Group { length, factor: 0 }).collect()
}
