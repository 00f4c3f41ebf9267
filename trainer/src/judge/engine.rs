//! Another UCI engine, in a process of its own.

use std::fmt;
use std::io::{self, BufRead as _, BufReader, Lines, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Score of a mate, in hundredths of a pawn: a chance of 0 or 1.
const MATE: i32 = 10_000;
/// Transposition table of a search, in MiB.
const HASH: u32 = 16;

/// A running engine. Dropping it ends the process.
pub struct Engine {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

/// Reason why an engine gives no number.
#[derive(Debug)]
pub enum EngineError {
    /// The process cannot be started, written to or read from.
    Io(io::Error),
    /// The engine ended before it answered this command.
    Ended(String),
    /// The engine has another name: the name found, and the one expected.
    Name(String, &'static str),
    /// The answer to a search has no score.
    NoScore(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Ended(command) => write!(f, "the engine ended at '{command}'"),
            Self::Name(found, expected) => write!(f, "the engine is {found}, not {expected}"),
            Self::NoScore(fen) => write!(f, "the search has no score: {fen}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<io::Error> for EngineError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Engine {
    /// Starts an engine and checks the name that it gives.
    pub fn start(program: &Path, name: &'static str) -> Result<Self, EngineError> {
        let mut process =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().expect("standard input is piped");
        let output = process.stdout.take().expect("standard output is piped");
        let mut engine = Self { process, input, output: BufReader::new(output).lines() };
        let found = engine.ask("uci", |line| line.strip_prefix("id name ").map(str::to_owned))?;
        if found == name { Ok(engine) } else { Err(EngineError::Name(found, name)) }
    }

    /// Returns the static evaluation that the engine prints for `eval`, which is no UCI command:
    /// a line with a number alone, or one as `eval: 12cp`.
    pub fn evaluate(&mut self, fen: &str) -> Result<i32, EngineError> {
        self.send(&format!("position fen {fen}"))?;
        self.ask("eval", evaluation)
    }

    /// Returns the score of a search with this number of nodes, in hundredths of a pawn for the
    /// side to move, as the first search of a game.
    pub fn search(&mut self, fen: &str, nodes: u64) -> Result<i32, EngineError> {
        self.send(&format!("setoption name Hash value {HASH}"))?;
        self.send("ucinewgame")?;
        self.send(&format!("position fen {fen}"))?;
        let mut last = None;
        self.ask(&format!("go nodes {nodes}"), |line| {
            last = score(line).or(last);
            line.starts_with("bestmove").then_some(())
        })?;
        last.ok_or_else(|| EngineError::NoScore(fen.to_owned()))
    }

    fn send(&mut self, command: &str) -> io::Result<()> {
        writeln!(self.input, "{command}")?;
        self.input.flush()
    }

    /// Sends a command and reads lines until `answer` finds what it looks for.
    fn ask<T>(
        &mut self,
        command: &str,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, EngineError> {
        self.send(command)?;
        for line in self.output.by_ref() {
            if let Some(found) = answer(&line?) {
                return Ok(found);
            }
        }
        Err(EngineError::Ended(command.to_owned()))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Errors can be ignored: the process has ended by itself.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn evaluation(line: &str) -> Option<i32> {
    let number = line.strip_prefix("eval: ").and_then(|line| line.strip_suffix("cp"));
    number.unwrap_or(line).parse().ok()
}

/// Returns the score of an `info` line.
fn score(line: &str) -> Option<i32> {
    let mut words = line.split(' ').skip_while(|word| *word != "score").skip(1);
    let (unit, number) = (words.next()?, words.next()?.parse::<i32>().ok()?);
    match unit {
        "cp" => Some(number),
        // `mate 0` is that of a side which is mated.
        "mate" => Some(if number > 0 { MATE } else { -MATE }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_lines() {
        assert_eq!([evaluation("eval: -31cp"), evaluation("281")], [Some(-31), Some(281)]);
        assert_eq!([evaluation("readyok"), evaluation("eval: cp")], [None, None]);
        let line =
            |score: &str| format!("info depth 14 multipv 1 score {score} nodes 30037 pv e2a6");
        let found = ["cp -97", "cp 12 lowerbound", "mate 5", "mate -2", "mate 0"]
            .map(|text| score(&line(text)));
        let expected = [-97, 12, MATE, -MATE, -MATE].map(Some);
        assert_eq!(found, expected);
        assert_eq!(score("info string NNUE evaluation using nn-ad9b42354671.nnue"), None);
    }
}
