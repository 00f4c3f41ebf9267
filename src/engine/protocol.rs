//! Commands and replies as data. [`crate::uci`] converts them from and to text.

use std::error::Error;
use std::sync::Arc;

use crate::board::Board;
use crate::datagen::GenFens;
use crate::eval::Chances;
use crate::pgn::PgnGame;
use crate::platform::Instant;
use crate::search::{Info, Limits};
use crate::tablebase::TablebaseAnswer;
use crate::tools::bench::Bench;
use crate::tools::perft::PerftReport;
use crate::tools::{Explanation, SearchSetup};
use crate::types::{Depth, Move};

use super::value::OptionSetting;

/// Command to the engine.
///
/// `IsReady`, `Debug`, `Stop`, `PonderHit` and `Quit` act at once; all others wait in a queue while
/// a search or a job runs.
#[derive(Clone, Debug)]
pub enum Command {
    /// Names the engine and its options, and answers [`Reply::UciOk`].
    Introduce,
    /// Answers [`Reply::ReadyOk`].
    IsReady,
    /// Turns the messages that confirm a set option on or off.
    Debug(bool),
    /// Sets an option or a search parameter.
    SetOption(OptionSetting),
    /// Sets all options of strength: to a rating, or to their defaults for full strength.
    SetStrength(Option<u32>),
    /// Clears the TT and the histories, and draws the seed of a new game.
    NewGame,
    /// Sets up a position, or rejects it and keeps the board.
    Position(PositionCommand),
    /// Rejects a position for this reason. Searches and perft are refused until the next one: they
    /// must not use the old one.
    RejectPosition(String),
    /// Sets up a board, with the moves before it.
    Board(Box<Board>),
    /// Flips the board and swaps the colours.
    Flip,
    /// Starts a search.
    Go(Go),
    /// Ends the running search or job, and the queued ones.
    Stop,
    /// Starts the clock: the opponent played the predicted move.
    PonderHit,
    /// Has no effect: the engine needs no registration.
    Register,
    /// Keeps a later `Quit` from ending the search before it.
    Wait,
    /// Starts a job, which has a thread of its own.
    Job(JobCommand),
    /// Sends a part of the engine's state, or help, as a reply.
    Show(Show),
    /// Ends the engine once the running job and the queue are done. Stops the last search.
    Quit,
}

/// Command that takes time and runs as a job, beside the engine.
#[derive(Clone, Debug)]
pub enum JobCommand {
    /// Counts the leaf nodes of the move tree.
    Perft {
        /// Depth in plies.
        depth: u32,
        /// Number of threads; `None` for as many as search.
        threads: Option<usize>,
        /// Size of the hash table in MiB; `None` for no table.
        hash: Option<usize>,
    },
    /// Runs the benchmark with the network in use.
    Bench(Bench),
    /// Generates opening positions for OpenBench.
    GenFens(GenFens),
    /// Explains a move.
    Explain(Box<Explanation>),
    /// Analyses a game and draws it in characters.
    Review {
        /// The game, without null moves.
        game: Arc<PgnGame>,
        /// Limits and resources of each search.
        setup: SearchSetup,
    },
}

/// Part of the engine's state, or help, to show.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the replies of the same names are explained")]
pub enum Show {
    Board,
    Position,
    Evaluation {
        /// The position; `None` for that of the session.
        board: Option<Box<Board>>,
        /// Asks for a JSON line.
        json: bool,
    },
    Fen,
    Moves,
    Tablebase,
    /// Search parameters that a tuner can set.
    Tunables,
    Build,
    Version,
    Help(HelpTopic),
}

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
    /// Reply to [`Command::IsReady`].
    ReadyOk,
    /// Notation of later replies, in their order: if true, castling is written as king takes rook,
    /// and FENs name the files of the castling rooks. Has no text.
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
    /// Score of a draw without a search: some programs require a score before each best move.
    DrawScore,
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
    /// Current position with the moves before it, for a front end. Has no text.
    Position(Box<Board>),
    /// FEN of a position.
    Fen(Box<Board>),
    /// Legal moves, in the order of generation.
    Moves(Vec<Move>),
    /// Counts and time of perft.
    Perft(Box<PerftReport>),
    /// Tablebase results of a position and of its moves.
    Tablebase {
        /// Position that was looked up.
        board: Box<Board>,
        /// Results; `None` if the tables do not have the position.
        answer: Option<TablebaseAnswer>,
    },
    /// Facts of the build.
    Build {
        /// SIMD kernel that evaluates the network.
        kernel: String,
    },
    /// Name and version.
    Version,
    /// Help on a topic.
    Help(HelpTopic),
    /// Opening position for OpenBench, as FEN.
    GenFen(String),
    /// Complete text, one line or several.
    Text(String),
}
