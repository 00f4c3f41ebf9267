//! Sets up positions; plays only the new moves if the game continues.

use crate::board::{Board, FenNote, fen};
use crate::platform::Room;
use crate::text::Quoted;

use super::actor::Engine;
use super::protocol::{PositionCommand, Start};

impl Start {
    /// Returns the position and the corrections of its FEN.
    ///
    /// # Errors
    /// The fault of the FEN.
    pub fn board(&self) -> Result<(Board, Vec<FenNote>), String> {
        match self {
            Self::Startpos => Ok((Board::startpos(), Vec::new())),
            Self::Fen(text) => fen::parse(text).map_err(|error| format!("bad FEN: {error}")),
        }
    }
}

impl Engine {
    /// Sets up a position, or rejects it and keeps the board.
    pub(super) fn set_position(&mut self, position: PositionCommand) {
        let fits = self.ensure_room(position.moves.len());
        let next = fits.and_then(|()| match self.extend_game(&position) {
            Some((board, plies)) => {
                let is_same_side = plies.is_multiple_of(2);
                Ok((board, Vec::new(), self.last_score.filter(|_| is_same_side)))
            }
            None => build(&position).map(|(board, notes)| (board, notes, None)),
        });
        match next {
            Ok((board, notes, last_score)) => {
                self.board = board;
                self.game = Some(position);
                self.last_score = last_score;
                self.rejected = None;
                for note in notes {
                    self.note(format!("position: {note}"));
                }
            }
            Err(reason) => self.reject_position(reason),
        }
    }

    /// Sets up a board, with the moves before it.
    pub(super) fn set_board(&mut self, board: Board) {
        self.board = board;
        self.game = None;
        self.last_score = None;
        self.rejected = None;
    }

    /// Rejects a position. Searches and perft are refused until the next one: they must not use the
    /// old one.
    pub(super) fn reject_position(&mut self, reason: String) {
        self.fail(format!("position: {reason}"));
        self.rejected = Some(reason);
    }

    /// Checks that the boards of all threads have room for a game of this length.
    fn ensure_room(&self, plies: usize) -> Result<(), String> {
        /// Shorter games fit in the memory that each thread has.
        const LONG: usize = 2_000;
        const BYTES_PER_PLY: usize = 512;
        if plies <= LONG {
            return Ok(());
        }
        // That of a level, the engine's own and its copy.
        let boards = self.pool.threads() + 3;
        let bytes = plies.saturating_mul(BYTES_PER_PLY).saturating_mul(boards);
        Room::check(bytes as u64).map_err(|error| format!("{plies} moves: {error}"))
    }

    /// Plays only the new moves of the game, since programs send all of them each time. Returns
    /// their number too; `None` for another game and for illegal moves.
    fn extend_game(&self, position: &PositionCommand) -> Option<(Board, usize)> {
        let known = self.game.as_ref().filter(|known| known.start == position.start)?;
        let new_moves = position.moves.strip_prefix(&known.moves[..])?;
        let mut board = self.board.clone();
        play(&mut board, new_moves, known.moves.len()).ok()?;
        Some((board, new_moves.len()))
    }
}

fn build(position: &PositionCommand) -> Result<(Board, Vec<FenNote>), String> {
    let (mut board, notes) = position.start.board()?;
    play(&mut board, &position.moves, 0)?;
    Ok((board, notes))
}

/// Plays moves that follow the first `made` moves of a game.
fn play(board: &mut Board, moves: &[String], made: usize) -> Result<(), String> {
    for (ply, text) in (made + 1..).zip(moves) {
        let illegal = || format!("illegal move {} at ply {ply}", Quoted(text));
        board.make_move(board.parse_move(text).ok_or_else(illegal)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::session_log::SessionLog;
    use crate::types::Score;

    #[test]
    fn the_last_score_counts_while_the_game_goes_on() {
        let (replies, _receiver) = crossbeam_channel::unbounded();
        let mut engine = Engine::new(replies, SessionLog::default()).expect("a small pool");
        let mut score_after = |moves: &str| {
            let moves = moves.split_whitespace().map(str::to_owned).collect();
            engine.set_position(PositionCommand { start: Start::Startpos, moves });
            engine.last_score.replace(Score(30))
        };
        assert_eq!(score_after("e2e4"), None);
        assert_eq!(score_after("e2e4 e7e5 g1f3"), Some(Score(30)));
        assert_eq!(score_after("e2e4 e7e5 g1f3 b8c6"), None, "the score of the other side");
        assert_eq!(score_after("e2e4 e7e5 b1c3"), None, "another game");
    }
}
