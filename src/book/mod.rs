//! Opening books in Polyglot format.
//!
//! A book is a list of 16-byte entries, sorted by the key of the position: key (8 bytes), move (2),
//! weight (2) and unused learning data (4), all big-endian. The whole file is checked when it is
//! opened.
//! Source: M. Van den Bergh, "The Polyglot book format", <http://hgm.nubati.net/book_format.html>.

#![forbid(unsafe_code)]

mod key;
mod random;

pub use key::polyglot_key;

use std::io;
use std::path::Path;

use thiserror::Error;

use crate::board::Board;
use crate::files;
use crate::types::{Move, PieceType, Square};

const ENTRY_BYTES: usize = 16;
/// Maximum size of a book in MiB: 67 million entries, far more than usual.
const MAX_MIB: u64 = 1024;

/// Opening book in memory, its entries sorted by key.
#[derive(Debug)]
pub struct Book {
    entries: Vec<BookEntry>,
}

/// Record of the file, without its learning data.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct BookEntry {
    key: u64,
    mv: EncodedMove,
    weight: u16,
}

/// Legal move of a book with its weight.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The legal move.
    pub mv: Move,
    /// Relative frequency in the position. A move of weight 0 is never played.
    pub weight: u16,
}

/// Reason why a book is rejected.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(io::Error),
    /// The file is empty.
    #[error("not a Polyglot book: the file is empty")]
    Empty,
    /// Size in bytes, which is not a multiple of the entry size.
    #[error("not a Polyglot book, or truncated: {0} bytes is not a multiple of 16")]
    Length(usize),
    /// An entry has a smaller key than the one before.
    #[error("not a Polyglot book, or damaged: entry {entry} is out of order")]
    NotSorted {
        /// Entry number in the file, from 1.
        entry: usize,
    },
    /// An entry has an invalid move.
    #[error("not a Polyglot book, or damaged: entry {entry} has an invalid move ({bits:#06x})")]
    InvalidMove {
        /// Entry number in the file, from 1.
        entry: usize,
        /// Bits of the move field.
        bits: u16,
    },
}

impl Book {
    /// Reads a book from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid book.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Self::parse(&files::read(path, MAX_MIB).map_err(BookError::Io)?)
    }

    /// Parses the bytes of a book.
    ///
    /// # Errors
    /// If they are not a valid book.
    pub fn parse(bytes: &[u8]) -> Result<Self, BookError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if bytes.is_empty() {
            return Err(BookError::Empty);
        }
        if !rest.is_empty() {
            return Err(BookError::Length(bytes.len()));
        }
        let entries: Vec<BookEntry> = entries.iter().map(BookEntry::decode).collect();
        for (number, pair) in entries.windows(2).enumerate() {
            if pair[0].key > pair[1].key {
                return Err(BookError::NotSorted { entry: number + 2 });
            }
        }
        match entries.iter().position(|entry| !entry.mv.is_well_formed()) {
            Some(index) => {
                Err(BookError::InvalidMove { entry: index + 1, bits: entries[index].mv.0 })
            }
            None => Ok(Self { entries }),
        }
    }

    /// Returns the number of entries.
    #[expect(clippy::len_without_is_empty, reason = "an empty book is rejected")]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the book's moves for a position that are legal, by descending weight.
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        let key = polyglot_key(board);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let mut moves: Vec<BookMove> = self.entries[first..]
            .iter()
            .take_while(|entry| entry.key == key)
            .filter_map(|entry| {
                Some(BookMove { mv: entry.mv.decode(board)?, weight: entry.weight })
            })
            .collect();
        moves.sort_by_key(|choice| std::cmp::Reverse(choice.weight));
        moves
    }
}

/// Returns the sum of the weights.
pub fn total_weight(moves: &[BookMove]) -> u64 {
    moves.iter().map(|choice| u64::from(choice.weight)).sum()
}

/// Selects a move by a random number, in proportion to the weights. Returns `None` if all are zero.
pub fn choose(moves: &[BookMove], number: u64) -> Option<Move> {
    let mut rest = number.checked_rem(total_weight(moves))?;
    for choice in moves {
        match rest.checked_sub(choice.weight.into()) {
            Some(less) => rest = less,
            None => return Some(choice.mv),
        }
    }
    None
}

impl BookEntry {
    fn decode(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, w0, w1, ..] = *bytes;
        Self {
            key: u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            mv: EncodedMove(u16::from_be_bytes([m0, m1])),
            weight: u16::from_be_bytes([w0, w1]),
        }
    }
}

/// A move as encoded in the file.
///
/// ```text
/// bit   15 | 14 13 12  | 11 10 9 8 7 6 | 5 4 3 2 1 0
///       0  | promotion | from          | to
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct EncodedMove(u16);

impl EncodedMove {
    const PROMOTIONS: [Option<PieceType>; 5] = [
        None,
        Some(PieceType::Knight),
        Some(PieceType::Bishop),
        Some(PieceType::Rook),
        Some(PieceType::Queen),
    ];

    const fn promotion_number(self) -> usize {
        (self.0 >> 12) as usize
    }

    const fn is_well_formed(self) -> bool {
        self.promotion_number() < Self::PROMOTIONS.len()
    }

    /// Returns the move; `None` if it is not legal. Castling is encoded as the king moving to the
    /// rook's square, in some books to its own target square.
    fn decode(self, board: &Board) -> Option<Move> {
        let (from, to) = (Square::from_low_bits(self.0 >> 6), Square::from_low_bits(self.0));
        board.find_move(from, to, *Self::PROMOTIONS.get(self.promotion_number())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, mv: u16, weight: u16) -> Vec<u8> {
        [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    }

    fn bits(from: Square, to: Square, promotion: u16) -> u16 {
        promotion << 12 | (from as u16) << 6 | to as u16
    }

    fn book_for(board: &Board, moves: &[(u16, u16)]) -> Book {
        let key = polyglot_key(board);
        let around = [(0, 1, 1), (u64::MAX, 1, 1)].map(|(key, mv, weight)| entry(key, mv, weight));
        let own = moves.iter().flat_map(|&(mv, weight)| entry(key, mv, weight)).collect();
        let bytes = [around[0].clone(), own, around[1].clone()].concat();
        Book::parse(&bytes).expect("a valid book")
    }

    fn listed(board: &Board, moves: &[(u16, u16)]) -> Vec<(String, u16)> {
        let moves = book_for(board, moves).moves(board);
        moves.iter().map(|choice| (choice.mv.display(false).to_string(), choice.weight)).collect()
    }

    #[test]
    fn legal_moves_are_sorted_by_weight() {
        let moves = listed(
            &Board::startpos(),
            &[
                (bits(Square::D2, Square::D4, 0), 3),
                (bits(Square::E2, Square::E5, 0), 9),
                (bits(Square::E2, Square::E4, 0), 7),
            ],
        );
        assert_eq!(moves, [("e2e4".to_owned(), 7), ("d2d4".to_owned(), 3)]);
    }

    #[test]
    fn castling_and_promotions_are_decoded() {
        let board = Board::from_fen("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("legal");
        let moves = listed(
            &board,
            &[
                (bits(Square::E1, Square::H1, 0), 4),
                (bits(Square::E1, Square::C1, 0), 3),
                (bits(Square::B7, Square::A8, 1), 2),
                (bits(Square::B7, Square::B8, 4), 1),
                (bits(Square::B7, Square::B8, 0), 1),
            ],
        );
        let texts: Vec<&str> = moves.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["e1g1", "e1c1", "b7a8n", "b7b8q"]);
    }

    #[test]
    fn moves_are_chosen_in_proportion_to_their_weights() {
        let board = Board::startpos();
        let [light, heavy] = [(Square::D2, Square::D4), (Square::E2, Square::E4)];
        let none = bits(Square::G1, Square::F3, 0);
        let moves = book_for(
            &board,
            &[(bits(light.0, light.1, 0), 1), (bits(heavy.0, heavy.1, 0), 3), (none, 0)],
        )
        .moves(&board);
        let chosen = |number| choose(&moves, number).map(|mv| mv.from());
        let squares: Vec<_> = (8..12).map(chosen).collect();
        assert_eq!(squares, [Some(heavy.0), Some(heavy.0), Some(heavy.0), Some(light.0)]);
        assert_eq!(choose(&moves[2..], 5), None);
        assert_eq!(choose(&[], 5), None);
    }

    #[test]
    fn invalid_books_are_rejected() {
        let good = entry(5, bits(Square::E2, Square::E4, 0), 1);
        let cases = [
            (Vec::new(), "empty"),
            (good[..15].to_vec(), "15 bytes"),
            ([good.clone(), vec![0]].concat(), "17 bytes"),
            ([good.clone(), entry(4, 1, 1)].concat(), "entry 2 is out of order"),
            ([good.clone(), entry(5, 5 << 12, 1)].concat(), "entry 2 has an invalid move"),
            (entry(5, 1 << 15, 1), "entry 1 has an invalid move"),
        ];
        for (bytes, reason) in cases {
            let error = Book::parse(&bytes).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
