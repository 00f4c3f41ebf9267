//! One game of the engine against itself.

use crate::board::{Board, GameOutcome, GameResult, Termination};
use crate::types::{Move, Score};

/// Chess960 number of the standard back rank.
const STANDARD: u16 = 518;

/// Start position: each side's back rank by its Chess960 number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BackRanks {
    /// Number of White's back rank.
    pub white: u16,
    /// Number of Black's back rank.
    pub black: u16,
}

impl BackRanks {
    /// The start position of chess.
    pub const STANDARD: Self = Self { white: STANDARD, black: STANDARD };

    /// Returns the position.
    ///
    /// # Panics
    /// If there is no start position of a number.
    pub fn board(self) -> Board {
        Board::chess960_startpos(self.white, self.black)
    }
}

/// Reason for the end of a game of self-play.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A rule of chess.
    Rule(Termination),
    /// Scores showed a win for long enough.
    WinByScore,
    /// Scores showed a draw for long enough.
    DrawByScore,
    /// The game reached the maximum length.
    TooLong,
}

impl Ending {
    /// All endings, in order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Rule(Termination::Checkmate),
        Self::Rule(Termination::Stalemate),
        Self::Rule(Termination::Repetition),
        Self::Rule(Termination::FiftyMoves),
        Self::Rule(Termination::InsufficientMaterial),
        Self::WinByScore,
        Self::DrawByScore,
        Self::TooLong,
    ];

    /// Returns the number in the shard format.
    pub const fn number(self) -> u8 {
        match self {
            Self::Rule(termination) => termination as u8,
            Self::WinByScore => 5,
            Self::DrawByScore => 6,
            Self::TooLong => 7,
        }
    }

    /// Returns the reason in a word or two, for tags and tables.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Rule(termination) => termination.text(),
            Self::WinByScore => "won by score",
            Self::DrawByScore => "drawn by score",
            Self::TooLong => "too long",
        }
    }
}

/// Result and end of a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Result of the game.
    pub result: GameResult,
    /// Reason for the end.
    pub ending: Ending,
}

impl From<GameOutcome> for Verdict {
    fn from(GameOutcome { result, termination }: GameOutcome) -> Self {
        Self { result, ending: Ending::Rule(termination) }
    }
}

/// Move after the opening.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Move that was played.
    pub mv: Move,
    /// Score before the move for the side to move, if that position is a label. Then `mv` is the
    /// best move found.
    pub score: Option<Score>,
}

/// Interior label: a position from a label's search tree, scored by a search of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interior {
    /// Index of that label in [`Game::plies`].
    pub ply: usize,
    /// Moves from that label to the position, at least one.
    pub path: Vec<Move>,
    /// Best move of the position.
    pub mv: Move,
    /// Score for the side to move.
    pub score: Score,
}

/// A position to learn from, with the result of its search.
#[derive(Copy, Clone, Debug)]
pub struct Label<'a> {
    /// Position, with the moves that led to it.
    pub board: &'a Board,
    /// Plies from the start of the game to the position.
    pub ply: usize,
    /// Best move found.
    pub mv: Move,
    /// Score for the side to move, in hundredths of a pawn.
    pub score: Score,
}

/// Game of self-play. The moves of a game that was played or decoded are legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Start position of both sides.
    pub back_ranks: BackRanks,
    /// Random moves of the opening.
    pub opening: Vec<Move>,
    /// Moves after the opening. If scores ended the game, the last one is the move found then, not
    /// played; [`replay`](Self::replay) makes it all the same.
    pub plies: Vec<Ply>,
    /// Interior labels, in ascending order of [`Interior::ply`].
    pub interior: Vec<Interior>,
    /// Result and reason for the end.
    pub verdict: Verdict,
}

impl Game {
    pub(in crate::datagen) const fn empty() -> Self {
        Self {
            back_ranks: BackRanks::STANDARD,
            opening: Vec::new(),
            plies: Vec::new(),
            interior: Vec::new(),
            verdict: Verdict { result: GameResult::Draw, ending: Ending::TooLong },
        }
    }

    /// Returns the position after the opening.
    ///
    /// # Panics
    /// If a move is illegal.
    pub fn after_opening(&self) -> Board {
        let mut board = self.back_ranks.board();
        self.opening.iter().for_each(|&mv| board.make_move(mv));
        board
    }

    /// Calls `visit` with each position after the opening, its ply from the start of the game, and
    /// the move played. Returns the last position.
    ///
    /// # Panics
    /// If a move is illegal.
    pub fn replay(&self, mut visit: impl FnMut(&Board, usize, Ply)) -> Board {
        let mut board = self.after_opening();
        for (index, &ply) in self.plies.iter().enumerate() {
            visit(&board, self.opening.len() + index, ply);
            board.make_move(ply.mv);
        }
        board
    }

    /// Calls `visit` with each label of the game's own positions, in order.
    ///
    /// # Panics
    /// If a move is illegal.
    pub fn for_each_label(&self, mut visit: impl FnMut(Label<'_>)) {
        self.replay(|board, ply, Ply { mv, score }| {
            if let Some(score) = score {
                visit(Label { board, ply, mv, score });
            }
        });
    }

    /// Calls `visit` with each interior label, in order.
    ///
    /// # Panics
    /// If a move is illegal.
    pub fn for_each_interior_label(&self, mut visit: impl FnMut(Label<'_>)) {
        if self.interior.is_empty() {
            return;
        }
        let mut interior = self.interior.iter().peekable();
        self.replay(|board, ply, _| {
            let index = ply - self.opening.len();
            while let Some(position) = interior.next_if(|position| position.ply == index) {
                let mut board = board.clone();
                position.path.iter().for_each(|&mv| board.make_move(mv));
                let ply = ply + position.path.len();
                visit(Label { board: &board, ply, mv: position.mv, score: position.score });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_endings_have_the_numbers_of_the_format() {
        assert_eq!(GameResult::ALL.map(|result| result as u8), [0, 1, 2]);
        assert_eq!(Ending::ALL.map(Ending::number), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
