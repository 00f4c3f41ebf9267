//! One game of the engine against itself.

use crate::board::Board;
use crate::types::{Color, Move, Score};

/// Chess960 number of the standard back rank.
const STANDARD: u16 = 518;

/// Start position: each side's back rank by its Chess960 number, below 960.
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
    /// If a number is not below 960.
    pub fn board(self) -> Board {
        Board::chess960_startpos(self.white, self.black)
    }
}

/// Result of a game. The numbers belong to the shard format.
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

    /// Returns the result as in PGN.
    pub const fn text(self) -> &'static str {
        match self {
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::WhiteWins => "1-0",
        }
    }
}

/// Reason for the end of a game. The numbers belong to the shard format.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ending {
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
    /// Scores showed a win for long enough.
    WinByScore = 5,
    /// Scores showed a draw for long enough.
    DrawByScore = 6,
    /// The game reached the maximum length.
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

    /// Returns the reason in a word or two, for tags and tables.
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

    /// Returns the reason as a message to a player.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "fifty moves without a capture or pawn move",
            Self::InsufficientMaterial => "neither side can mate",
            ending => ending.text(),
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
