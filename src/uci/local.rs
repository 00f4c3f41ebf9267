//! Session on the caller's thread, for hosts without threads.

use crossbeam_channel::{Receiver, unbounded};

use crate::engine::protocol::Reply;
use crate::engine::session_log::SessionLog;
use crate::engine::{Command, Engine};
use crate::search::PoolError;

use super::reply::ReplyFormatter;
use super::session::CommandReader;

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
        let log = SessionLog::default();
        let (commands, inbox) = unbounded();
        let (replies, outbox) = unbounded();
        let engine = Engine::new(replies.clone(), log.clone())?;
        let reader = CommandReader { commands, replies, log };
        Ok(Self { engine, reader, inbox, outbox, formatter: ReplyFormatter::default() })
    }

    /// Executes the lines of `input`, with their searches. Returns false after `quit`.
    ///
    /// A search that only a command can end, such as `go infinite` at its greatest depth, stays
    /// open: a later call with `stop` ends it.
    pub fn execute(&mut self, input: &str, host: &mut dyn Host) -> bool {
        self.reader.read_commands(input.as_bytes());
        let Self { engine, reader, inbox, outbox, formatter } = self;
        let is_open = engine.advance(inbox, &mut || {
            write_replies(outbox, formatter, host);
            while let Some(line) = host.next_line() {
                reader.read_commands(line.as_bytes());
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
