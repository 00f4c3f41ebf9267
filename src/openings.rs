//! Names of openings, found by the position.
//!
//! The table is Lichess's: `openings/README.md`. `build.rs` packs it, and the first look unpacks it
//! and plays its moves, which takes some milliseconds.

use std::fmt;
use std::sync::LazyLock;

use miniz_oxide::inflate::decompress_to_vec;

use crate::board::Board;
use crate::types::Move;
use crate::zobrist::Key;

/// Moves and names in the format of `packed_openings` in `build.rs`, compressed by Deflate.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openings.bin"));

static TABLE: LazyLock<Vec<(Key, Opening)>> = LazyLock::new(unpack);

/// Opening with its code and name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Code of the Encyclopaedia of Chess Openings, such as `B90`.
    pub eco: String,
    /// English name, such as `Sicilian Defense: Najdorf Variation`.
    pub name: String,
}

/// Writes code and name.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// Returns the opening whose moves lead to this position, in any order.
///
/// ```
/// use tabia::board::Board;
/// use tabia::openings;
///
/// let mut board = Board::startpos();
/// for mv in ["g1f3", "g8f6", "c2c4", "c7c5", "b1c3"] {
///     board.make_move(board.parse_move(mv).expect("a legal move"));
/// }
/// let opening = openings::at(&board).expect("a known position");
/// assert_eq!(opening.name, "English Opening: Symmetrical Variation, Three Knights Variation");
/// ```
pub fn at(board: &Board) -> Option<&'static Opening> {
    let index = TABLE.binary_search_by_key(&board.key(), |(key, _)| *key).ok()?;
    Some(&TABLE[index].1)
}

/// Returns the last opening that a game passes through; `None` is a null move.
pub fn of_game(
    start: &Board,
    moves: impl IntoIterator<Item = Option<Move>>,
) -> Option<&'static Opening> {
    let mut board = start.clone();
    let mut last = at(&board);
    for mv in moves {
        board.make_move_or_null(mv);
        last = at(&board).or(last);
    }
    last
}

fn unpack() -> Vec<(Key, Opening)> {
    let bytes = decompress_to_vec(PACKED).expect("build.rs compressed the table");
    let text = String::from_utf8(bytes).expect("the table is text");
    let (lines, names) = text.split_once("\n\n").expect("names follow the moves");
    let mut boards = vec![Board::startpos()];
    let mut last_name = String::new();
    let mut table: Vec<(Key, Opening)> = lines
        .lines()
        .zip(names.lines())
        .map(|(line, name)| {
            let (shared, moves) = parts(line);
            boards.truncate(shared + 1);
            for san in moves.split(' ') {
                let mut board = boards[boards.len() - 1].clone();
                board.make_move(board.parse_san(san).expect("the table's moves are legal"));
                boards.push(board);
            }
            let (shared, rest) = parts(name);
            last_name = last_name.chars().take(shared).chain(rest.chars()).collect();
            let (eco, name) = last_name.split_once(' ').expect("a code and a name");
            let opening = Opening { eco: eco.to_owned(), name: name.to_owned() };
            (boards[boards.len() - 1].key(), opening)
        })
        .collect();
    table.sort_by_key(|(key, _)| *key);
    table
}

/// Splits a line into the number of moves or characters that it shares with the line before, and
/// the rest.
fn parts(line: &str) -> (usize, &str) {
    let (letter, rest) = line.split_at(1);
    (usize::from(letter.as_bytes()[0] - b'A'), rest)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    fn played(moves: &str) -> Board {
        let mut board = Board::startpos();
        for san in moves.split(' ').filter(|word| !word.ends_with('.')) {
            board.make_move(board.parse_san(san).expect("a legal move"));
        }
        board
    }

    #[test]
    fn every_row_of_the_table_is_found() {
        let mut rows = 0;
        for volume in ["a", "b", "c", "d", "e"] {
            let path = format!("{}/openings/{volume}.tsv", env!("CARGO_MANIFEST_DIR"));
            for row in fs::read_to_string(path).expect("a table").lines().skip(1) {
                let columns: Vec<&str> = row.split('\t').collect();
                let found = at(&played(columns[2])).expect("a known position");
                assert_eq!([&found.eco, &found.name], columns[..2], "{row}");
                rows += 1;
            }
        }
        assert_eq!(TABLE.len(), rows);
        let keys: BTreeSet<Key> = TABLE.iter().map(|(key, _)| *key).collect();
        assert_eq!(keys.len(), rows);
    }

    #[test]
    fn transpositions_count() {
        let name = |moves: &str| at(&played(moves)).map(|found| found.name.as_str());
        let najdorf = "Sicilian Defense: Najdorf Variation";
        assert_eq!(name("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"), Some(najdorf));
        assert_eq!(name("e4 c5 Nf3 a6 d4 cxd4 Nxd4 Nf6 Nc3 d6"), Some(najdorf));
        assert_eq!(at(&Board::startpos()), None);
    }

    #[test]
    fn a_game_keeps_the_last_name() {
        let line = ["e2e4", "c7c5", "g1f3", "h7h5", "h2h4"];
        let mut board = Board::startpos();
        let moves = line.map(|text| {
            let mv = board.parse_move(text).expect("a legal move");
            board.make_move(mv);
            Some(mv)
        });
        let name = |plies: usize| of_game(&Board::startpos(), moves[..plies].iter().copied());
        assert_eq!(name(0), None);
        assert_eq!(name(2).map(|found| found.name.as_str()), Some("Sicilian Defense"));
        assert_eq!(at(&board), None);
        assert_eq!(name(5), name(4));
    }

    #[test]
    fn the_packed_table_is_small() {
        assert!(PACKED.len() < 45_000, "{} bytes", PACKED.len());
    }
}
