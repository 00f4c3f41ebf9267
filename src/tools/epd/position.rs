//! A position of a suite.

use thiserror::Error;

use crate::board::fen::split_epd;
use crate::board::{Board, FenError, SanError};
use crate::pgn::without_number;
use crate::text::brief;
use crate::types::Move;

/// Position with a task.
#[derive(Clone, Debug)]
pub struct EpdPosition {
    /// Position to search.
    pub board: Board,
    /// Name of the position (`id`).
    pub id: Option<String>,
    /// Task to solve.
    pub task: EpdTask,
}

/// Task of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EpdTask {
    /// Any of these moves (`bm`).
    Best(Vec<Move>),
    /// Any move but these (`am`).
    Avoid(Vec<Move>),
    /// A mate in this many moves, or faster (`dm 3`, `bm #3`). Negative if the side to move is
    /// mated.
    Mate(i32),
    /// Moves with points (`c0` of the form `"e4=10, Nf3=4"`); the best one solves it.
    Points(Vec<(Move, u32)>),
}

/// Reason why a line is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EpdPositionError {
    /// The position is wrong.
    #[error("bad FEN: {0}")]
    Fen(FenError),
    /// A move of this operation is wrong.
    #[error("{0}: {1}")]
    Move(&'static str, SanError),
    /// This operation has no moves.
    #[error("{0}: expected moves")]
    NoMoves(&'static str),
    /// A mate has no number of moves.
    #[error("{}: expected a number of moves, found '{}'", .0, brief(.1))]
    MateNumber(&'static str, String),
    /// The line has no task.
    #[error("expected one of the operations bm, am, dm and c0")]
    NoTask,
}

impl EpdPosition {
    /// Parses four or six fields of a FEN, and operations such as `bm Nf3; id "one";`. Best moves
    /// may have numbers, and may be a mate instead: `bm #3`.
    ///
    /// # Errors
    /// If the position or a move is wrong, or there is no task.
    pub fn parse(line: &str) -> Result<Self, EpdPositionError> {
        let (fen, operations) = split_epd(line);
        let board = Board::from_fen(&fen).map_err(EpdPositionError::Fen)?;
        let mut id = None;
        let mut task = None;
        for (name, value) in split_operations(operations) {
            let found = match name {
                "id" => {
                    id = Some(value.trim_matches('"').to_owned()).filter(|id| !id.is_empty());
                    None
                }
                "bm" => Some(match value.strip_prefix('#') {
                    Some(moves) => EpdTask::Mate(parse_mate("bm", moves)?),
                    None => EpdTask::Best(parse_moves(&board, "bm", &value)?),
                }),
                "am" => Some(EpdTask::Avoid(parse_moves(&board, "am", &value)?)),
                "dm" => Some(EpdTask::Mate(parse_mate("dm", &value)?)),
                "c0" => parse_points(&board, &value).map(EpdTask::Points),
                _ => None,
            };
            // The first task counts, but points are more precise than the best move alone.
            if task.is_none() || matches!(found, Some(EpdTask::Points(_))) {
                task = found.or(task);
            }
        }
        Ok(Self { board, id, task: task.ok_or(EpdPositionError::NoTask)? })
    }
}

impl EpdTask {
    /// Returns the points of a move; `mate` is its score in moves until mate.
    pub(super) fn points(&self, mv: Option<Move>, mate: Option<i32>) -> u32 {
        let is_among = |moves: &[Move]| mv.is_some_and(|mv| moves.contains(&mv));
        match self {
            Self::Best(moves) => is_among(moves).into(),
            Self::Avoid(moves) => (mv.is_some() && !is_among(moves)).into(),
            // The side to move may be mated already.
            Self::Mate(limit) => mate
                .is_some_and(|mate| {
                    let is_same_side = (mate > 0) == (*limit > 0);
                    mate == 0 || is_same_side && mate.unsigned_abs() <= limit.unsigned_abs()
                })
                .into(),
            Self::Points(moves) => {
                moves.iter().find(|(known, _)| mv == Some(*known)).map_or(0, |(_, points)| *points)
            }
        }
    }

    /// Returns the points of a solution.
    pub(super) fn most_points(&self) -> u32 {
        match self {
            Self::Points(moves) => moves.iter().map(|(_, points)| *points).max().unwrap_or(0),
            _ => 1,
        }
    }

    /// Describes the task in SAN: `bm Nf3`, `am e4 d4`, `dm 3`.
    pub fn describe(&self, board: &Board) -> String {
        let list =
            |moves: &[Move]| moves.iter().map(|&mv| board.san(mv)).collect::<Vec<_>>().join(" ");
        match self {
            Self::Best(moves) => format!("bm {}", list(moves)),
            Self::Avoid(moves) => format!("am {}", list(moves)),
            Self::Mate(moves) => format!("dm {moves}"),
            Self::Points(moves) => {
                let most = self.most_points();
                let best = moves.iter().filter(|(_, points)| *points == most);
                format!("bm {}", list(&best.map(|(mv, _)| *mv).collect::<Vec<_>>()))
            }
        }
    }
}

fn parse_mate(operation: &'static str, text: &str) -> Result<i32, EpdPositionError> {
    let error = |_| EpdPositionError::MateNumber(operation, text.to_owned());
    text.split_whitespace().collect::<String>().parse().map_err(error)
}

/// Splits operations at unquoted semicolons, and each into name and value.
fn split_operations(text: &str) -> Vec<(&str, String)> {
    let mut is_quoted = false;
    text.split(|letter| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    })
    .filter_map(|operation| {
        let (name, value) = operation.trim().split_once(char::is_whitespace)?;
        Some((name, value.trim().to_owned()))
    })
    .collect()
}

fn parse_moves(
    board: &Board,
    operation: &'static str,
    value: &str,
) -> Result<Vec<Move>, EpdPositionError> {
    let words = value.split(|letter: char| letter.is_whitespace() || letter == ',');
    let words = words.map(without_number).filter(|word| !word.is_empty());
    let parse =
        |word| board.parse_san(word).map_err(|error| EpdPositionError::Move(operation, error));
    let mut moves = Vec::new();
    for word in words {
        let mv = parse(word)?;
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    if moves.is_empty() { Err(EpdPositionError::NoMoves(operation)) } else { Ok(moves) }
}

/// Returns `None` for any comment but `"e4=10, Nf3=4"`, in which a move has to have points. The
/// first points of a move count.
fn parse_points(board: &Board, value: &str) -> Option<Vec<(Move, u32)>> {
    let mut moves: Vec<(Move, u32)> = Vec::new();
    for part in value.trim_matches('"').split(',') {
        // A promotion has an equals sign of its own.
        let (mv, points) = part.trim().rsplit_once('=')?;
        let (mv, points) = (board.parse_san(mv).ok()?, points.parse().ok()?);
        if moves.iter().all(|(known, _)| *known != mv) {
            moves.push((mv, points));
        }
    }
    moves.iter().any(|&(_, points)| points > 0).then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn parse(operations: &str) -> Result<EpdPosition, EpdPositionError> {
        EpdPosition::parse(&format!("{START} {operations}"))
    }

    fn described(operations: &str) -> String {
        match parse(operations) {
            Ok(position) => position.task.describe(&position.board),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn operations_are_understood() {
        for (operations, expected) in [
            ("bm e4;", "bm e4"),
            ("0 1 bm Nf3 e2e4; id \"a; b\";", "bm Nf3 e4"),
            ("bm e4 d4 e2e4 d4;", "bm e4 d4"),
            ("c0 \"e4=10, d4=9, e4=8, d4=10\";", "bm e4"),
            ("am g4,f3; c0 \"a comment; with = signs\"; id \"x\"", "am g4 f3"),
            ("hmvc 0; fmvn 1; dm 3", "dm 3"),
            ("bm e4; c0 \"e4=10, d4=9, Nf3=10\";", "bm e4 Nf3"),
            ("c0 \"e4=10, Ke7=9\"", "expected one of the operations bm, am, dm and c0"),
            ("c0 \"e4=0\";", "expected one of the operations bm, am, dm and c0"),
            ("id \"none\";", "expected one of the operations bm, am, dm and c0"),
            ("bm 1. e4, 1.d4;", "bm e4 d4"),
            ("bm\te4\td4\u{a0}c4;", "bm e4 d4 c4"),
            (";bm e4;", "bm e4"),
            ("bm #3;", "dm 3"),
            ("bm #-3; bm e4;", "dm -3"),
            ("bm #+12;", "dm 12"),
            ("dm -15;", "dm -15"),
            ("bm #e4;", "bm: expected a number of moves, found 'e4'"),
            ("bm 1.", "bm: expected moves"),
            ("bm Ke2;", "bm: 'Ke2' is not a legal move"),
            ("bm ,,", "bm: expected moves"),
            ("dm soon;", "dm: expected a number of moves, found 'soon'"),
        ] {
            assert_eq!(described(operations), expected, "{operations}");
        }
        assert_eq!(
            parse("0 1 bm e4; id \"a; b\";").ok().and_then(|p| p.id).as_deref(),
            Some("a; b")
        );
        assert!(EpdPosition::parse(&format!("{START};bm e4;")).is_ok());
        assert!(
            EpdPosition::parse("8/8 w bm e4;").is_err_and(|e| e.to_string().starts_with("bad FEN"))
        );
    }

    #[test]
    fn tasks_give_points() {
        let board = Board::startpos();
        let task = |text| parse(text).expect("a task").task;
        let mv = |text| board.parse_san(text).ok();
        for (operations, san, mate, points) in [
            ("bm e4 d4;", "d4", None, 1),
            ("bm e4 d4;", "c4", None, 0),
            ("am e4;", "d4", None, 1),
            ("am e4;", "e4", None, 0),
            ("dm 3;", "e4", Some(3), 1),
            ("dm 3;", "e4", Some(4), 0),
            ("dm 3;", "e4", Some(-1), 0),
            ("bm #-3;", "e4", Some(-3), 1),
            ("bm #-3;", "e4", Some(-4), 0),
            ("bm #-3;", "e4", Some(3), 0),
            ("bm #-1;", "", Some(0), 1),
            ("dm 2;", "", Some(0), 1),
            ("c0 \"e4=10, d4=7\";", "d4", None, 7),
            ("c0 \"e4=10, d4=7\";", "c4", None, 0),
        ] {
            assert_eq!(task(operations).points(mv(san), mate), points, "{operations} {san}");
        }
        assert_eq!(task("am e4;").points(None, None), 0);
        assert_eq!(task("c0 \"e4=10, d4=7\";").most_points(), 10);
    }
}
