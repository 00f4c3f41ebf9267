//! What the engine is told and what it answers: meaning only, the text belongs to [`crate::uci`].

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use crate::board::Board;
use crate::datagen::{self, GenFens};
use crate::engine::options::OptionSpec;
use crate::eval::{Chances, EvalTrace};
use crate::search::{Info, Instant, Limits, Tunable};
use crate::types::{Depth, Move};

/// One order to the engine.
#[derive(Clone, Debug)]
pub enum Command {
    /// Name yourself and your options.
    Uci,
    /// More or less talk.
    Debug(bool),
    /// Answer when everything before is done; at once during a search.
    IsReady,
    /// Copy protection; Tabia has none.
    Register,
    /// Set an option, or press a button.
    SetOption {
        /// Its name, in any case.
        name: String,
        /// The text after `value`.
        value: Option<String>,
    },
    /// Forget everything learnt in earlier games.
    NewGame,
    /// Set up a position.
    Position(Position),
    /// Search.
    Go(Go),
    /// End the search or the tool that runs.
    Stop,
    /// The expected move was played: the clock runs from now.
    PonderHit,
    /// End the process when what runs is done.
    Quit,
    /// Draw the board.
    Display,
    /// Show the static evaluation.
    Eval,
    /// Show the position as FEN.
    Fen,
    /// List the legal moves.
    Moves,
    /// Swap the colours.
    Flip,
    /// Count the leaves of the move tree, move by move.
    Perft {
        /// In plies.
        depth: u32,
        /// `None`: as many as the search has.
        threads: Option<usize>,
        /// The size of a table of counts in MiB; `None`: no table.
        hash: Option<usize>,
    },
    /// Check a file of known counts.
    PerftSuite {
        /// The EPD file.
        path: PathBuf,
        /// The deepest count checked, in plies; `None`: all.
        max_depth: Option<u32>,
    },
    /// Search the built-in positions and count nodes; `None` stands for bench's own defaults.
    Bench {
        /// In plies.
        depth: Option<Depth>,
        /// The number of search threads.
        threads: Option<usize>,
        /// The size of the transposition table in MiB.
        hash: Option<usize>,
    },
    /// Check that this program works on this processor.
    SelfTest,
    /// List the search's numbers for a tuner.
    Spsa,
    /// Show the evidence for the quality of the Zobrist keys, from so many positions.
    Keys(Option<usize>),
    /// Say what the tablebases have on the position and its moves.
    Tablebase,
    /// List an opening book's moves.
    Book {
        /// The book.
        path: PathBuf,
        /// The position; `None`: the one on the board.
        start: Option<Start>,
    },
    /// Play games against itself and keep them; `None`: list the options.
    Datagen(Option<Box<datagen::Options>>),
    /// Make positions for games to begin from.
    GenFens(GenFens),
    /// Show what built this binary, and for what.
    Compiler,
    /// Show name and version.
    Version,
    /// Hold back everything that follows until the search is over.
    Wait,
    /// List the commands.
    Help,
    /// A line, or a part of one, that could not be understood.
    Malformed(CommandError),
}

/// A position to set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Where the game begins.
    pub start: Start,
    /// The moves played since, as UCI text.
    pub moves: Vec<String>,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The usual array.
    Startpos,
    /// A FEN, not yet checked.
    Fen(String),
    /// The line does not say; this word stood in the place.
    Unclear(String),
    /// Unknown: a line of more than this many bytes was skipped, and only a game is so long.
    TooLong(usize),
}

/// A search to do.
#[derive(Clone, Debug)]
pub struct Go {
    /// What ends it. `search_moves` is still empty: they need the board.
    pub limits: Limits,
    /// The only root moves to search, as UCI text; empty for all of them.
    pub search_moves: Vec<String>,
    /// When the line was read: the clock runs from here.
    pub received: Instant,
}

/// Why a line, or a part of it, was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// No word of the line is a command.
    Unknown(String),
    /// `setoption` without a name.
    NoOptionName,
    /// A command lacks what it works on.
    Missing {
        /// The command.
        command: &'static str,
        /// What it needs.
        what: &'static str,
    },
    /// A word where a number is needed.
    NotANumber {
        /// The command or the word before the number.
        place: String,
        /// What stood there, empty at the end of the line.
        found: String,
    },
    /// A word of `go` that means nothing.
    UnknownGoWord(String),
    /// An option of a tool that means nothing, or a value it does not take.
    ToolOption {
        /// The command.
        command: &'static str,
        /// What is wrong.
        problem: String,
    },
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(line) => {
                write!(f, "unknown command {} ('help' lists the commands)", Quoted(line))
            }
            Self::NoOptionName => f.write_str("setoption: no option name after 'name'"),
            Self::Missing { command, what } => write!(f, "{command}: {what} expected"),
            Self::NotANumber { place, found } if found.is_empty() => {
                write!(f, "{place}: a number is missing")
            }
            Self::NotANumber { place, found } => {
                write!(f, "{place}: {} is not a number", Quoted(found))
            }
            Self::UnknownGoWord(word) => write!(f, "go: unknown word {} skipped", Quoted(word)),
            Self::ToolOption { command, problem } => write!(f, "{command}: {problem}"),
        }
    }
}

impl Error for CommandError {}

/// Somebody else's text in single quotes, cut short and on one line, so that no input can flood or break the output.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 80;
        let shown: String = self.0.chars().take(LONGEST).flat_map(char::escape_debug).collect();
        let rest = if self.0.chars().nth(LONGEST).is_some() { "…" } else { "" };
        write!(f, "'{shown}{rest}'")
    }
}

/// One answer of the engine.
#[derive(Debug)]
pub enum Reply {
    /// Name and authors.
    Id,
    /// An option that can be set.
    Option(&'static OptionSpec),
    /// A number of the search that can be set.
    Tunable(&'static Tunable),
    /// The end of the answer to `uci`.
    UciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// What the search found.
    Info {
        /// The line.
        info: Box<Info>,
        /// What its score means for the result, if that is to be told.
        chances: Option<Chances>,
        /// Whether castling is written as king takes rook.
        chess960: bool,
    },
    /// The root move under examination.
    CurrentMove {
        /// The iteration's depth.
        depth: Depth,
        /// The move.
        mv: Move,
        /// Its place in the order of root moves, from 1.
        number: usize,
        /// Whether castling is written as king takes rook.
        chess960: bool,
    },
    /// The position cannot be searched: a score for programs that demand one before each best move.
    NoScore,
    /// The end of a search.
    BestMove {
        /// The move to play; `None` without a legal one.
        best: Option<Move>,
        /// The answer expected.
        ponder: Option<Move>,
        /// Whether castling is written as king takes rook.
        chess960: bool,
    },
    /// Something the user should know.
    Note(String),
    /// Something that went wrong.
    Error(Box<dyn Error + Send + Sync>),
    /// The board for `d`, with its FEN, key and checkers.
    Board {
        /// The position.
        board: Box<Board>,
        /// Whether the FEN is to name the castling rooks' files.
        chess960: bool,
    },
    /// The static evaluation, taken apart.
    Evaluation(Box<EvalTrace>),
    /// The position as FEN.
    Fen(String),
    /// The legal moves.
    Moves {
        /// In the order of generation.
        moves: Vec<Move>,
        /// Whether castling is written as king takes rook.
        chess960: bool,
    },
    /// A line of a tool.
    Line(String),
    /// What built this binary, and for what.
    Compiler,
    /// Name and version.
    Version,
    /// The list of commands.
    Help,
}

impl Reply {
    /// Whether a graphical interface understands the reply; everything else is for people.
    pub const fn is_protocol(&self) -> bool {
        !matches!(
            self,
            Self::Board { .. }
                | Self::Evaluation(_)
                | Self::Fen(_)
                | Self::Moves { .. }
                | Self::Line(_)
                | Self::Compiler
                | Self::Version
                | Self::Help
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_short_and_on_one_line() {
        assert_eq!(Quoted("a\tb\u{1b}[2J").to_string(), r"'a\tb\u{1b}[2J'");
        let long = "x".repeat(100_000);
        assert_eq!(Quoted(&long).to_string().chars().count(), 83);
    }
}
