//! Training positions packed in 40 bytes, and their features.

use bytemuck::{Pod, Zeroable};

use tabia::board::Board;
use tabia::datagen::PackedPieces;
use tabia::eval::network::Inputs;
use tabia::types::Bitboard;

const MAX_PIECES: usize = 32;
/// The other colour from the other end of the board.
const OTHER_SIDE: u16 = 64 | 56;
const FLIP_FILE: u16 = 7;

/// A position with its target, from the point of view of the side to move.
#[derive(Copy, Clone, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Record {
    /// With `codes`, the fields of [`PackedPieces::of_side_to_move`].
    occupied: u64,
    codes: [u8; MAX_PIECES / 2],
    /// Pieces that their opponent attacks, one bit each, in the order of the codes.
    attacked: u32,
    /// Pieces that their own side defends.
    defended: u32,
    /// Winning chance of the side to move, 0 to 1.
    pub target: f32,
    /// Masks to XOR inputs with: for the own and for the opponent's view.
    flips: [u16; 2],
}

const _: () = assert!(size_of::<Record>() == 40);

impl Record {
    /// Packs a position.
    pub fn new(board: &Board, target: f32) -> Self {
        let PackedPieces { occupied, codes } = PackedPieces::of_side_to_move(board);
        let side = board.side_to_move();
        let flips = [side, !side].map(|view| {
            let is_far = board.king_square(view) as u8 & 4 != 0;
            (if view == side { 0 } else { OTHER_SIDE }) ^ (if is_far { FLIP_FILE } else { 0 })
        });
        let (mut attacked, mut defended) = (0, 0);
        for input in Inputs::of(board).all() {
            let square = Bitboard::square(input.square().relative_to(side));
            let index = (occupied & (square.0 - 1)).count_ones();
            attacked |= u32::from(input.is_attacked()) << index;
            defended |= u32::from(input.is_defended()) << index;
        }
        Self { occupied, codes, attacked, defended, target, flips }
    }
}

/// Positions to train with, and their targets.
#[derive(Copy, Clone)]
pub struct Examples<'a> {
    /// All positions with their targets.
    pub records: &'a [Record],
    /// Targets of the first positions, in place of those in the records.
    pub targets: &'a [f32],
}

impl<'a> Examples<'a> {
    /// Creates examples with the targets of the records.
    pub const fn new(records: &'a [Record]) -> Self {
        Self { records, targets: &[] }
    }

    /// Returns an example.
    #[inline]
    pub fn get(self, place: u32) -> Record {
        let mut record = self.records[place as usize];
        if let Some(target) = self.targets.get(place as usize) {
            record.target = *target;
        }
        record
    }
}

/// Features of both views of a position, one for each piece, with the indices of docs/network.md.
#[derive(Copy, Clone)]
pub struct Features {
    indices: [[u16; MAX_PIECES]; 2],
    count: usize,
}

impl Features {
    /// Features without a position.
    pub const NONE: Self = Self { indices: [[0; MAX_PIECES]; 2], count: 0 };

    /// Returns the features of a position.
    pub fn of(record: &Record) -> Self {
        let mut features = Self::NONE;
        let [own_flip, their_flip] = record.flips;
        let [own, theirs] = &mut features.indices;
        let mut left = record.occupied;
        for (index, (own, theirs)) in own.iter_mut().zip(theirs).enumerate() {
            if left == 0 {
                break;
            }
            let square = left.trailing_zeros() as u16;
            left &= left - 1;
            let code = u16::from(record.codes[index / 2] >> (index % 2 * 4) & 15);
            let (kind, is_theirs) = (code & 7, code >> 3);
            let form = (record.attacked >> index & 1) + 2 * (record.defended >> index & 1);
            let input = (form as u16 * 12 + kind * 2 + is_theirs) * 64 + square;
            *own = input ^ own_flip;
            *theirs = input ^ their_flip;
            features.count = index + 1;
        }
        features
    }

    /// Returns the features of a view: 0 the side to move, 1 its opponent.
    pub fn view(&self, view: usize) -> &[u16] {
        &self.indices[view][..self.count]
    }

    /// Returns the number of pieces.
    pub const fn piece_count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use tabia::eval::network::Perspective;

    use super::*;

    #[test]
    fn features_are_those_of_the_engine() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/2k5/8/8/8/5K2/8/Q7 b - - 0 1",
        ];
        for fen in fens {
            let board = Board::from_fen(fen).expect("a position");
            let record = Record::new(&board, 0.25);
            assert_eq!(record.target, 0.25);
            let features = Features::of(&record);
            assert_eq!(features.piece_count(), board.occupied().count());
            let side = board.side_to_move();
            for (view, color) in [side, !side].into_iter().enumerate() {
                let mut expected: Vec<_> =
                    Perspective::of(&board, color).features(&board).collect();
                let mut found: Vec<_> =
                    features.view(view).iter().map(|f| usize::from(*f)).collect();
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{fen}");
            }
        }
    }
}
