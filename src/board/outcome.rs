//! The end of a game by the rules of chess.

use crate::types::Color;

use super::Board;

/// Result of a game. The numbers belong to the format of self-play games.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names of the variants suffice")]
pub enum GameResult {
    BlackWins = 0,
    Draw = 1,
    WhiteWins = 2,
}

impl GameResult {
    /// All results, in order of their numbers.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// Returns the win of a side.
    pub const fn win_of(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// Returns the side that won; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::BlackWins => Some(Color::Black),
            Self::Draw => None,
            Self::WhiteWins => Some(Color::White),
        }
    }

    /// Returns the result as in PGN.
    pub const fn text(self) -> &'static str {
        match self {
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::WhiteWins => "1-0",
        }
    }
}

/// Rule that ends a game. The numbers belong to the format of self-play games.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Termination {
    /// The side to move is mated.
    Checkmate = 0,
    /// The side to move has no move and is not in check.
    Stalemate = 1,
    /// The same position for the third time.
    Repetition = 2,
    /// Fifty moves without a capture or pawn move.
    FiftyMoves = 3,
    /// Neither side can mate.
    InsufficientMaterial = 4,
}

impl Termination {
    /// Returns the rule in a word or two, for tags and tables.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "fifty moves",
            Self::InsufficientMaterial => "insufficient material",
        }
    }

    /// Returns the rule as a message to a player.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "fifty moves without a capture or pawn move",
            Self::InsufficientMaterial => "neither side can mate",
            Self::Checkmate | Self::Stalemate => self.text(),
        }
    }
}

/// Result of a finished game and the rule that ended it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct GameOutcome {
    /// Result of the game.
    pub result: GameResult,
    /// Rule that ended it.
    pub termination: Termination,
}

impl Board {
    /// Returns how the game has ended, draws by repetition included; `None` while it goes on.
    ///
    /// ```
    /// use tabia::board::{Board, GameResult, Termination};
    ///
    /// let board = Board::from_fen("6Rk/5Q2/8/8/8/8/8/K7 b - - 0 1")?;
    /// let outcome = board.outcome().expect("Black is mated");
    /// assert_eq!(outcome.result, GameResult::WhiteWins);
    /// assert_eq!(outcome.termination, Termination::Checkmate);
    /// # Ok::<(), tabia::board::FenError>(())
    /// ```
    pub fn outcome(&self) -> Option<GameOutcome> {
        let termination = if !self.has_legal_move() {
            if self.in_check() { Termination::Checkmate } else { Termination::Stalemate }
        } else if self.is_threefold() {
            Termination::Repetition
        } else if self.is_fifty_move_draw() {
            Termination::FiftyMoves
        } else if self.is_insufficient_material() {
            Termination::InsufficientMaterial
        } else {
            return None;
        };
        let result = match termination {
            Termination::Checkmate => GameResult::win_of(!self.side_to_move()),
            _ => GameResult::Draw,
        };
        Some(GameOutcome { result, termination })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(fen: &str) -> Option<(GameResult, Termination)> {
        let board = Board::from_fen(fen).expect("a position");
        board.outcome().map(|outcome| (outcome.result, outcome.termination))
    }

    #[test]
    fn mate_and_stalemate_come_before_draws_by_rule() {
        let mated = outcome("6Rk/5Q2/8/8/8/8/8/K7 b - - 100 90");
        assert_eq!(mated, Some((GameResult::WhiteWins, Termination::Checkmate)));
        let stalemated = outcome("7k/5Q2/8/8/8/8/8/K7 b - - 100 90");
        assert_eq!(stalemated, Some((GameResult::Draw, Termination::Stalemate)));
        let bare = outcome("7k/8/8/8/8/8/8/KN6 w - - 0 1");
        assert_eq!(bare, Some((GameResult::Draw, Termination::InsufficientMaterial)));
        let long = outcome("7k/8/8/8/8/8/8/KR6 w - - 100 90");
        assert_eq!(long, Some((GameResult::Draw, Termination::FiftyMoves)));
        assert_eq!(outcome("7k/8/8/8/8/8/8/KR6 w - - 99 90"), None);
    }

    #[test]
    fn a_game_ends_with_the_third_occurrence() {
        let mut board = Board::startpos();
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            assert_eq!(board.outcome(), None);
            board.make_move(board.parse_move(mv).expect("a legal move"));
        }
        let repeated = board.outcome().map(|outcome| outcome.termination);
        assert_eq!(repeated, Some(Termination::Repetition));
    }
}
