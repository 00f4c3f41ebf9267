//! Sessions on the caller's thread: for hosts without threads, and for tests.

use crossbeam_channel::Receiver;

use crate::engine::protocol::Reply;
use crate::engine::{Command, Engine};
use crate::search::PoolError;

use super::command_reader::{CommandReader, channels};
use super::input::LineReader;
use super::reply::ReplyFormatter;

/// Host of a [`LocalSession`].
pub trait Host {
    /// Takes a line of output.
    fn write(&mut self, line: &str);
    /// Returns the next line that came during a search, such as `stop`. Called at each pulse
    /// of the engine.
    fn next_line(&mut self) -> Option<String>;
}

/// Session whose engine runs while a line is executed.
pub struct LocalSession {
    engine: Engine,
    reader: CommandReader,
    inbox: Receiver<Command>,
    outbox: Receiver<Reply>,
    formatter: ReplyFormatter,
}

impl LocalSession {
    /// Starts an engine.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new() -> Result<Self, PoolError> {
        let (reader, inbox, outbox) = channels(None);
        let engine = Engine::new(reader.replies.clone(), reader.log.clone())?;
        Ok(Self { engine, reader, inbox, outbox, formatter: ReplyFormatter::default() })
    }

    /// Executes the lines of `input`, with their searches. Returns false after `quit`.
    ///
    /// A search that only a command can end, such as `go infinite` at its greatest depth, stays
    /// open: a later call with `stop` ends it.
    pub fn execute(&mut self, input: &str, host: &mut dyn Host) -> bool {
        let Self { engine, reader, inbox, outbox, formatter } = self;
        reader.read(LineReader::new(input.as_bytes()));
        let is_open = engine.advance(inbox, &mut || {
            write_replies(outbox, formatter, host);
            while let Some(line) = host.next_line() {
                reader.read(LineReader::new(line.as_bytes()));
            }
        });
        write_replies(outbox, formatter, host);
        is_open
    }
}

fn write_replies(outbox: &Receiver<Reply>, formatter: &mut ReplyFormatter, host: &mut dyn Host) {
    for text in outbox.try_iter().filter_map(|reply| formatter.text(&reply)) {
        text.lines().for_each(|line| host.write(line));
    }
}

/// Runs a session on this input and returns the lines of its output.
///
/// All commands are read before the first is executed.
///
/// # Panics
/// If the system has no memory for a small TT or cannot start a search thread.
pub fn replies_to(input: &[u8]) -> Vec<String> {
    let (reader, inbox, outbox) = channels(None);
    reader.read(LineReader::new(input));
    let CommandReader { replies, log, .. } = reader;
    Engine::new(replies, log).expect("the system has room for an engine").run(&inbox);
    let mut formatter = ReplyFormatter::default();
    let texts = outbox.iter().filter_map(|reply| formatter.text(&reply));
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_answers_every_line() {
        let input = b"joho\nisready\ngo infinite\nposition startpos moves e2e4\nfen\nquit\nfen\n";
        let lines = replies_to(input);
        assert!(lines[0].starts_with("info string error: unknown command 'joho'"), "{lines:?}");
        let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!((count("readyok"), count("bestmove "), count("rnbqkbnr/")), (1, 1, 1));
        assert!(lines[lines.len() - 1].contains("/4P3/"), "{lines:?}");
    }
}
