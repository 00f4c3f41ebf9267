//! Commands and replies as data. [`crate::uci`] converts them from and to text.

use std::error::Error;

use crate::board::Board;
use crate::eval::{Chances, EvalTrace};
use crate::platform::Instant;
use crate::search::{Info, Limits};
use crate::tablebase::{KnownMove, Wdl};
use crate::tools::perft::PerftReport;
use crate::types::{Depth, Move};

/// Position to set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// Position before the first move.
    pub start: Start,
    /// Moves played since, in UCI notation.
    pub moves: Vec<String>,
}

/// Start position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The start position of standard chess.
    Startpos,
    /// FEN, not validated yet.
    Fen(String),
}

/// Search to start.
#[derive(Clone, Debug)]
pub struct Go {
    /// Limits, without the root moves, which need the board.
    pub limits: Limits,
    /// Root moves to search, in UCI notation; empty for all.
    pub search_moves: Vec<String>,
    /// Time at which the command was read and the clock started.
    pub received: Instant,
}

/// Help that a user asks for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum HelpTopic {
    /// List of the commands.
    Commands,
    /// List of the options.
    Options,
    /// Page of this command.
    Command(&'static str),
}

/// Reply of the engine.
#[derive(Debug)]
pub enum Reply {
    /// Name and authors of the engine.
    Id,
    /// All options and search parameters that can be set.
    Options,
    /// End of the reply to `uci`.
    UciOk,
    /// Reply to [`Command::IsReady`](super::Command::IsReady).
    ReadyOk,
    /// Notation of later replies: if true, castling is written as king takes rook, and FENs name
    /// the files of the castling rooks. Has no text.
    Chess960(bool),
    /// Search result so far.
    Info {
        /// PV with its score, in the units shown to users.
        info: Box<Info>,
        /// Chances of each result, if shown.
        chances: Option<Chances>,
    },
    /// Root move being searched.
    CurrentMove {
        /// Depth of the iteration.
        depth: Depth,
        /// The root move.
        mv: Move,
        /// Number in the move ordering, from 1.
        number: usize,
    },
    /// Draw score without a search: some programs require a score before each best move.
    NoScore,
    /// End of a search.
    BestMove {
        /// Move to play; `None` if there is no legal move.
        best: Option<Move>,
        /// Move to ponder on; `None` if the PV has only one move.
        ponder: Option<Move>,
    },
    /// Move taken from the opening book.
    BookMove(Move),
    /// Information for the user.
    Note(String),
    /// Failure of a command.
    Error(Box<dyn Error + Send + Sync>),
    /// Board with its FEN, key and checkers.
    Board(Box<Board>),
    /// Current position. Has no text.
    Position(Box<Board>),
    /// FEN of a position.
    Fen(Box<Board>),
    /// Static evaluation, piece by piece.
    Evaluation(Box<EvalTrace>),
    /// Legal moves, in the order of generation.
    Moves(Vec<Move>),
    /// Counts and time of perft.
    Perft(Box<PerftReport>),
    /// Tablebase results for the position.
    Tablebase {
        /// Result and DTZ for the side to move.
        root: (Option<Wdl>, Option<i32>),
        /// Result of each legal move, best first; empty if one of them is unknown.
        moves: Vec<KnownMove>,
    },
    /// Help on a topic.
    Help(HelpTopic),
    /// Opening position for OpenBench, as FEN.
    GenFen(String),
    /// Complete text, one line or several.
    Text(String),
}
