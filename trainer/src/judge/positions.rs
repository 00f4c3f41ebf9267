//! The positions and their file: a table of comma-separated values, compressed by gzip.

use std::fmt;
use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use tabia::board::{Board, FenError, FenStyle};

/// Titles of the columns.
const HEADER: &str = "fen,akimbo,viridithas,stockfish";

/// Range of the number of men, kings included.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MenGroup {
    /// Smallest number of men.
    pub least: usize,
    /// Largest number of men.
    pub most: usize,
}

/// Groups of men, which have equally many positions.
pub const GROUPS: [MenGroup; 5] = [
    MenGroup { least: 2, most: 8 },
    MenGroup { least: 9, most: 14 },
    MenGroup { least: 15, most: 20 },
    MenGroup { least: 21, most: 26 },
    MenGroup { least: 27, most: 32 },
];

impl MenGroup {
    /// Returns the index in [`GROUPS`] of a position.
    pub fn of(board: &Board) -> usize {
        let men = board.occupied().count();
        GROUPS.iter().position(|group| men <= group.most).expect("there are at most 32 men")
    }
}

impl fmt::Display for MenGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}–{}", self.least, self.most)
    }
}

/// A position with the numbers of other engines, all for the side to move.
#[derive(Clone, Debug)]
pub struct JudgePosition {
    /// The position, without the game before it.
    pub board: Board,
    /// Static evaluations of akimbo and Viridithas, each in its own unit.
    pub evaluations: [i32; 2],
    /// Stockfish's score in hundredths of a pawn; `None` where it was not searched.
    pub score: Option<i32>,
}

impl JudgePosition {
    /// Returns the position as it stands in the file.
    pub fn fen(&self) -> String {
        self.board.fen(FenStyle::Standard)
    }
}

/// Reason why a file of positions cannot be read.
#[derive(Debug)]
pub enum PositionsError {
    /// The file is not compressed text.
    Io(io::Error),
    /// The first line is not the row of titles.
    Header,
    /// A line, counted from 1, does not have four columns of the right kind.
    Row(usize),
    /// A position, in the line counted from 1, is not legal.
    Fen(usize, FenError),
}

impl fmt::Display for PositionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Header => write!(f, "the first line is not '{HEADER}'"),
            Self::Row(line) => write!(f, "line {line}: expected the columns {HEADER}"),
            Self::Fen(line, error) => write!(f, "line {line}: {error}"),
        }
    }
}

impl std::error::Error for PositionsError {}

/// Returns the bytes of a file of positions.
pub fn pack(positions: &[JudgePosition]) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), Compression::best());
    let mut line = |text: String| writeln!(file, "{text}").expect("vectors take any bytes");
    line(HEADER.to_owned());
    for position in positions {
        let [akimbo, viridithas] = position.evaluations;
        let score = position.score.map_or_else(String::new, |score| score.to_string());
        line(format!("{},{akimbo},{viridithas},{score}", position.fen()));
    }
    file.finish().expect("vectors take any bytes")
}

/// Reads a file of positions.
pub fn unpack(bytes: &[u8]) -> Result<Vec<JudgePosition>, PositionsError> {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).map_err(PositionsError::Io)?;
    let mut lines = text.lines().zip(1..);
    if lines.next().is_none_or(|(header, _)| header != HEADER) {
        return Err(PositionsError::Header);
    }
    lines.map(|(line, number)| position(line, number)).collect()
}

fn position(line: &str, number: usize) -> Result<JudgePosition, PositionsError> {
    let row = || PositionsError::Row(number);
    let whole = |text: &str| text.parse().map_err(|_| row());
    let [fen, akimbo, viridithas, score] =
        line.split(',').collect::<Vec<_>>().try_into().map_err(|_| row())?;
    Ok(JudgePosition {
        board: Board::from_fen(fen).map_err(|error| PositionsError::Fen(number, error))?,
        evaluations: [whole(akimbo)?, whole(viridithas)?],
        score: if score.is_empty() { None } else { Some(whole(score)?) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compressed(text: &str) -> Vec<u8> {
        let mut file = GzEncoder::new(Vec::new(), Compression::fast());
        file.write_all(text.as_bytes()).expect("vectors take any bytes");
        file.finish().expect("vectors take any bytes")
    }

    #[test]
    fn positions_come_back_as_they_were() {
        let text = format!(
            "{HEADER}\n8/2k5/8/8/8/5K2/P7/8 b - - 0 1,-20,15,\n\
             r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 0 1,40,-3,-10000\n"
        );
        let positions = unpack(&compressed(&text)).expect("two positions");
        assert_eq!(positions[0].evaluations, [-20, 15]);
        assert_eq!([&positions[0], &positions[1]].map(|each| each.score), [None, Some(-10_000)]);
        let mut again = String::new();
        GzDecoder::new(&pack(&positions)[..]).read_to_string(&mut again).expect("a text");
        assert_eq!(again, text);
    }

    #[test]
    fn wrong_files_are_refused_by_line() {
        let refusal = |text: &str| unpack(&compressed(text)).expect_err("a wrong file").to_string();
        assert!(refusal("fen\n").starts_with("the first line"));
        for row in ["8/2k5/8/8/8/5K2/P7/8 b - -,1,2", "8/2k5/8/8/8/5K2/P7/8 b - -,1,x,3"] {
            assert!(
                refusal(&format!("{HEADER}\n{row}\n")).starts_with("line 2: expected"),
                "{row}"
            );
        }
        let illegal = refusal(&format!("{HEADER}\n8/8/8/8/8/5K2/P7/8 b - -,1,2,3\n"));
        assert!(illegal.starts_with("line 2: "), "{illegal}");
        assert!(matches!(unpack(b"fen"), Err(PositionsError::Io(_))));
    }
}
