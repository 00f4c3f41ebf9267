//! Setting up positions.

use std::error::Error;
use std::fmt;

use crate::board::{Board, FenError, FenNote, fen};
use crate::engine::Engine;
use crate::engine::protocol::{Position, Quoted, Start};

/// Why a position was refused.
#[derive(Clone, Debug)]
pub(super) enum PositionError {
    /// The line does not say where the game begins.
    Unclear(String),
    /// A line of more than this many bytes was skipped.
    TooLong(usize),
    /// The FEN describes no legal position.
    Fen(FenError),
    /// A move is illegal.
    Move {
        /// Its place in the list, from 1.
        ply: usize,
        /// As it was sent.
        text: String,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unclear(word) => {
                write!(f, "'startpos' or 'fen' and then 'moves' expected, found {}", Quoted(word))
            }
            Self::TooLong(limit) => write!(f, "a line of more than {limit} bytes was skipped"),
            Self::Fen(error) => write!(f, "bad FEN: {error}"),
            Self::Move { ply, text } => write!(f, "illegal move {} at ply {ply}", Quoted(text)),
        }
    }
}

impl Error for PositionError {}

impl Engine {
    /// Sets up a position, or keeps the board and remembers that there is nothing to search.
    pub(super) fn set_position(&mut self, position: Position) {
        match self.advance(&position).map_or_else(|| build(&position), Ok) {
            Ok((board, notes)) => {
                self.board = board;
                self.game = Some(position);
                self.refused = None;
                for note in notes {
                    self.note(format!("position: {note}"));
                }
            }
            Err(error) => {
                self.fail(format!("position: {error}"));
                self.refused = Some(error);
            }
        }
    }

    /// The board after the new moves of a game that is on the board already: interfaces send the whole game each time.
    fn advance(&self, position: &Position) -> Option<(Board, Vec<FenNote>)> {
        let known = self.game.as_ref().filter(|known| known.start == position.start)?;
        let new_moves = position.moves.strip_prefix(&known.moves[..])?;
        let mut board = self.board.clone();
        play(&mut board, new_moves, known.moves.len()).ok()?;
        Some((board, Vec::new()))
    }
}

/// The board at the start of a game, with remarks on what was put right in its FEN.
pub(super) fn set_up(start: &Start) -> Result<(Board, Vec<FenNote>), PositionError> {
    match start {
        Start::Startpos => Ok((Board::startpos(), Vec::new())),
        Start::Fen(text) => fen::parse(text).map_err(PositionError::Fen),
        Start::Unclear(word) => Err(PositionError::Unclear(word.clone())),
        Start::TooLong(limit) => Err(PositionError::TooLong(*limit)),
    }
}

/// The board of a position, with remarks on what was put right in its FEN.
fn build(position: &Position) -> Result<(Board, Vec<FenNote>), PositionError> {
    let (mut board, notes) = set_up(&position.start)?;
    play(&mut board, &position.moves, 0)?;
    Ok((board, notes))
}

/// Makes these moves of a game, of which `made` have been made before.
fn play(board: &mut Board, moves: &[String], made: usize) -> Result<(), PositionError> {
    for (index, text) in moves.iter().enumerate() {
        let illegal = || PositionError::Move { ply: made + index + 1, text: text.clone() };
        let mv = board.parse_move(text).ok_or_else(illegal)?;
        board.make_move(mv);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(start: Start, moves: &str) -> Position {
        Position { start, moves: moves.split_whitespace().map(str::to_owned).collect() }
    }

    #[test]
    fn an_illegal_move_is_named_with_its_ply() {
        let error = build(&position(Start::Startpos, "e2e4 e7e5 e4e5")).expect_err("illegal");
        assert_eq!(error.to_string(), "illegal move 'e4e5' at ply 3");
    }

    #[test]
    fn a_long_game_is_replayed() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(2500);
        let (board, _) = build(&position(Start::Startpos, &shuffle)).expect("a legal game");
        assert_eq!(board.fullmove_number(), 5001);
    }
}
