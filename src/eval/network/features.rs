//! Input features of the network.
//!
//! A piece on a square counts in one of four forms: whether the opponent attacks it, and whether
//! its own side defends it. Each side sees the board from its own end, mirrored where needed to
//! have its king on the files a to d. A position and its mirror image have the same features, which
//! halves the positions to learn.

use std::ops::Deref;

use crate::board::Board;
use crate::types::{Bitboard, Color, Piece, PieceType, Square, SquareMap};

/// Orientation of the board for one side.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Perspective {
    /// XOR mask for inputs: 7 mirrors the files, 56 the ranks, 64 changes the colour.
    mask: u16,
}

impl Perspective {
    /// Creates the perspective of `color` with its king on this square.
    #[inline]
    pub const fn new(color: Color, king: Square) -> Self {
        let side = if matches!(color, Color::Black) { 64 | 56 } else { 0 };
        let files = if king as u8 & 4 != 0 { 7 } else { 0 };
        Self { mask: side | files }
    }

    /// Creates the perspective of `color` on a board.
    #[inline]
    pub fn of(board: &Board, color: Color) -> Self {
        Self::new(color, board.king_square(color))
    }

    #[inline]
    pub(super) fn is_mirrored(self) -> bool {
        self.mask & 7 != 0
    }

    /// Returns the feature: `[defended][attacked][piece type][own, their][oriented square]`.
    #[inline]
    pub fn feature(self, input: Input) -> usize {
        usize::from(input.0 ^ self.mask)
    }

    /// Returns the active features of a board, in the order of its squares.
    pub fn features(self, board: &Board) -> impl Iterator<Item = usize> {
        Inputs::of(board).all().map(move |input| self.feature(input))
    }
}

/// A piece on a square, and whether it is attacked and defended: the number of the feature in
/// White's perspective without mirroring.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Input(u16);

impl Input {
    const PIECES: u16 = Piece::COUNT as u16;

    /// Creates an input. A piece is attacked by its opponent and defended by its own side.
    #[inline]
    pub fn new(piece: Piece, square: Square, is_attacked: bool, is_defended: bool) -> Self {
        Self::on(square, Some(piece), is_attacked, is_defended)
    }

    /// Returns the input on a square. That of an empty square has no meaning and must not be used.
    #[inline]
    fn on(square: Square, piece: Option<Piece>, is_attacked: bool, is_defended: bool) -> Self {
        let form = u16::from(is_attacked) | u16::from(is_defended) << 1;
        let piece = piece.map_or(Self::PIECES, |piece| piece as u16);
        Self((form * Self::PIECES + piece) * 64 + square as u16)
    }

    /// Returns whether the opponent attacks the piece.
    pub fn is_attacked(self) -> bool {
        (self.0 / 64 / Self::PIECES) & 1 != 0
    }

    /// Returns whether its own side defends the piece.
    pub fn is_defended(self) -> bool {
        (self.0 / 64 / Self::PIECES) & 2 != 0
    }

    /// Returns the square of the piece.
    #[inline]
    pub fn square(self) -> Square {
        Square::ALL[usize::from(self.0) % 64]
    }
}

/// Inputs of a position, with the bitboards by which they are compared with those of another one.
#[derive(Copy, Clone, Debug)]
pub struct Inputs {
    /// Input of each occupied square; other squares have inputs without meaning.
    by_square: SquareMap<Input>,
    /// Pieces of each type, then those of each colour.
    pieces: [Bitboard; PieceType::COUNT + Color::COUNT],
    /// Pieces that the opponent attacks, as [`Board::attacks_by`] defines it.
    attacked: Bitboard,
    /// Pieces that their own side defends.
    defended: Bitboard,
}

impl Inputs {
    /// The inputs of an empty board.
    pub const NONE: Self = Self {
        by_square: SquareMap::filled(Input(0)),
        pieces: [Bitboard::EMPTY; _],
        attacked: Bitboard::EMPTY,
        defended: Bitboard::EMPTY,
    };

    /// Returns the inputs of a position.
    #[inline]
    pub fn of(board: &Board) -> Self {
        let mut inputs = Self::NONE;
        inputs.set(board, &Self::NONE);
        inputs
    }

    /// Sets the inputs to those of a position. Returns the change from `before`, which is the
    /// smaller the more alike the positions are.
    #[inline]
    pub(super) fn set(&mut self, board: &Board, before: &Self) -> Change {
        let (types, colors) = self.pieces.split_at_mut(PieceType::COUNT);
        for (pieces, piece_type) in types.iter_mut().zip(PieceType::ALL) {
            *pieces = board.pieces(piece_type);
        }
        for (pieces, color) in colors.iter_mut().zip(Color::ALL) {
            *pieces = board.colors(color);
        }
        let [.., white, black] = self.pieces;
        let own = board.side_to_move();
        let (by_own, by_their) = (board.attacks_by(own), board.attacks_by(!own));
        let (by_white, by_black) = match own {
            Color::White => (by_own, by_their),
            Color::Black => (by_their, by_own),
        };
        self.attacked = (white & by_black) | (black & by_white);
        self.defended = (white & by_white) | (black & by_black);
        self.by_square = before.by_square;
        let (occupied, occupied_before) = (self.occupied(), before.occupied());
        let mut change = Change { added: InputList::EMPTY, removed: InputList::EMPTY };
        // One loop without conditions, which the CPU would often mispredict.
        for square in self.difference(before) {
            let (is_attacked, is_defended) =
                (self.attacked.contains(square), self.defended.contains(square));
            let input = Input::on(square, board.piece_on(square), is_attacked, is_defended);
            change.removed.push_if(occupied_before.contains(square), self.by_square[square]);
            change.added.push_if(occupied.contains(square), input);
            self.by_square[square] = input;
        }
        change
    }

    /// Returns the change from the inputs of another position to these.
    pub(super) fn change_from(&self, before: &Self) -> Change {
        let mut change = Change { added: InputList::EMPTY, removed: InputList::EMPTY };
        for square in self.difference(before) {
            change.removed.push_if(before.occupied().contains(square), before.by_square[square]);
            change.added.push_if(self.occupied().contains(square), self.by_square[square]);
        }
        change
    }

    /// Returns all inputs, in the order of their squares.
    pub fn all(self) -> impl Iterator<Item = Input> {
        self.occupied().into_iter().map(move |square| self.by_square[square])
    }

    /// Returns the squares on which the inputs of two positions differ. May contain empty squares.
    #[inline]
    fn difference(&self, other: &Self) -> Bitboard {
        let pairs = self.pieces.iter().zip(&other.pieces);
        let pieces = pairs.fold(0, |all, (one, other)| all | (one.0 ^ other.0));
        let attacks = (self.attacked ^ other.attacked) | (self.defended ^ other.defended);
        Bitboard(pieces) | attacks
    }

    #[inline]
    fn occupied(&self) -> Bitboard {
        let [.., white, black] = self.pieces;
        white | black
    }
}

/// Inputs that one position has and another lacks.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) added: InputList,
    pub(super) removed: InputList,
}

/// Up to 32 inputs, one for each piece.
#[derive(Debug)]
pub(super) struct InputList {
    /// The first `len` belong to the list. A push writes one more in any case; with 64 places
    /// `% 64` replaces the bounds check.
    inputs: [Input; 64],
    len: usize,
}

impl InputList {
    const EMPTY: Self = Self { inputs: [Input(0); 64], len: 0 };

    /// Appends an input if `is_active`, without a branch.
    #[inline]
    fn push_if(&mut self, is_active: bool, input: Input) {
        self.inputs[self.len % 64] = input;
        self.len += usize::from(is_active);
    }
}

impl Deref for InputList {
    type Target = [Input];

    #[inline]
    fn deref(&self) -> &[Input] {
        &self.inputs[..self.len]
    }
}

/// Returns the output bucket for a number of pieces, kings included: 2 to 32, divided evenly among
/// the buckets.
#[inline]
pub fn bucket(pieces: usize, buckets: usize) -> usize {
    (pieces.clamp(2, 32) - 2) * buckets / 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feature(view: Perspective, piece: Piece, square: Square) -> usize {
        view.feature(Input::new(piece, square, false, false))
    }

    #[test]
    fn features_are_numbered_as_described() {
        let white = Perspective::new(Color::White, Square::C1);
        assert_eq!(feature(white, Piece::WhitePawn, Square::A2), 8);
        assert_eq!(feature(white, Piece::WhiteKing, Square::C1), 10 * 64 + 2);
        assert_eq!(feature(white, Piece::BlackPawn, Square::H8), 64 + 63);
        let mirrored = Perspective::new(Color::White, Square::E1);
        assert_eq!(feature(mirrored, Piece::WhiteKnight, Square::B1), 2 * 64 + 6);
        let black = Perspective::new(Color::Black, Square::D8);
        assert_eq!(feature(black, Piece::BlackRook, Square::A8), 6 * 64);
        assert_eq!(feature(black, Piece::WhiteQueen, Square::D1), 9 * 64 + 59);
        let black = Perspective::new(Color::Black, Square::H8);
        assert_eq!(feature(black, Piece::BlackKing, Square::H8), 10 * 64);
    }

    #[test]
    fn attacked_and_defended_pieces_have_features_of_their_own() {
        let forms = |fen| {
            let board = Board::from_fen(fen).expect("legal");
            let inputs = Inputs::of(&board).all();
            inputs
                .map(|input| (input.square(), input.is_attacked(), input.is_defended()))
                .collect::<Vec<_>>()
        };
        // The rook attacks both pieces beside it, and the pawn defends one of them.
        let expected = [
            (Square::G1, false, false),
            (Square::D2, false, false),
            (Square::A3, true, false),
            (Square::C3, true, false),
            (Square::E3, true, true),
            (Square::E8, false, false),
        ];
        assert_eq!(forms("4k3/8/8/8/8/B1r1N3/3P4/6K1 w - - 0 1"), expected);
        // The king does not block the rook's line to the knight.
        let expected = [
            (Square::A1, false, true),
            (Square::E1, false, false),
            (Square::E7, true, false),
            (Square::E8, true, true),
        ];
        assert_eq!(forms("4n3/4k3/8/8/8/8/8/K3R3 b - - 0 1"), expected);
        let view = Perspective::new(Color::White, Square::G1);
        let knight = Input::new(Piece::WhiteKnight, Square::E3, true, true);
        // Defended and attacked, own knight, mirrored to d3.
        assert_eq!(view.feature(knight), 3 * 768 + 2 * 64 + 19);
        let rook = Input::new(Piece::BlackRook, Square::C3, true, false);
        assert_eq!(view.feature(rook), 768 + 7 * 64 + 21);
    }

    #[test]
    fn buckets_divide_the_piece_counts_evenly() {
        for buckets in 1..=31 {
            assert_eq!((bucket(2, buckets), bucket(32, buckets)), (0, (30 * buckets) / 31));
            assert!((2..32).all(|pieces| {
                let step = bucket(pieces + 1, buckets) - bucket(pieces, buckets);
                step <= 1
            }));
        }
        assert_eq!((bucket(32, 8), bucket(32, 31)), (7, 30));
    }
}
