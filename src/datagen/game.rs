//! One game of the engine against itself.

use crate::board::Board;
use crate::types::{Move, Score};

/// The number of the usual array among the Chess960 arrays.
const STANDARD_ARRAY: u16 = 518;

/// Where a game begins: each side's array by its Chess960 number, below 960.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Arrays {
    /// White's.
    pub white: u16,
    /// Black's.
    pub black: u16,
}

impl Arrays {
    /// The start position of chess.
    pub const STANDARD: Self = Self { white: STANDARD_ARRAY, black: STANDARD_ARRAY };

    /// The position.
    ///
    /// # Panics
    /// If a number is not below 960.
    pub fn board(self) -> Board {
        Board::chess960_startpos(self.white, self.black)
    }
}

/// Who won.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the variants speak for themselves")]
pub enum GameResult {
    BlackWins = 0,
    Draw = 1,
    WhiteWins = 2,
}

impl GameResult {
    /// All results, in order of their numbers.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::WhiteWins => "1-0",
        }
    }
}

/// What ended a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate = 0,
    /// The side to move has no move and is not in check.
    Stalemate = 1,
    /// The same position for the third time.
    Repetition = 2,
    /// Fifty moves of each side without a capture or pawn move.
    FiftyMoves = 3,
    /// Neither side can mate.
    InsufficientMaterial = 4,
    /// The scores said for long enough that one side wins.
    WinByScore = 5,
    /// The scores said for long enough that neither side wins.
    DrawByScore = 6,
    /// The game had no end in sight.
    TooLong = 7,
}

impl Ending {
    /// All endings, in order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::Repetition,
        Self::FiftyMoves,
        Self::InsufficientMaterial,
        Self::WinByScore,
        Self::DrawByScore,
        Self::TooLong,
    ];

    /// In words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "fifty moves",
            Self::InsufficientMaterial => "insufficient material",
            Self::WinByScore => "won by score",
            Self::DrawByScore => "drawn by score",
            Self::TooLong => "too long",
        }
    }
}

/// How a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Who won.
    pub result: GameResult,
    /// By what.
    pub ending: Ending,
}

/// A position that was searched.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The best move, which was played.
    pub mv: Move,
    /// Its score for the side that plays it.
    pub score: Score,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Where it begins.
    pub arrays: Arrays,
    /// The random moves at the beginning.
    pub opening: Vec<Move>,
    /// The rest. If scores ended the game, the last move is the one that would have been played.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub verdict: Verdict,
}

impl Game {
    /// A game without a move.
    pub(super) const fn empty() -> Self {
        Self {
            arrays: Arrays::STANDARD,
            opening: Vec::new(),
            plies: Vec::new(),
            verdict: Verdict { result: GameResult::Draw, ending: Ending::TooLong },
        }
    }

    /// The position after the random moves.
    ///
    /// # Panics
    /// If the moves are not legal; those of a game that was played or decoded are.
    pub fn after_opening(&self) -> Board {
        let mut board = self.arrays.board();
        self.opening.iter().for_each(|&mv| board.make_move(mv));
        board
    }

    /// Shows every position that was searched, with the number of its ply in the game, from 0, and what was found.
    /// Returns the position after the last move.
    ///
    /// # Panics
    /// If the moves are not legal; those of a game that was played or decoded are.
    pub fn replay(&self, mut visit: impl FnMut(&Board, usize, Ply)) -> Board {
        let mut board = self.after_opening();
        for (index, &ply) in self.plies.iter().enumerate() {
            visit(&board, self.opening.len() + index, ply);
            board.make_move(ply.mv);
        }
        board
    }
}
