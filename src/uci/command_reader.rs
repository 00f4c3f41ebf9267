//! From lines to commands: the side of an engine's channels that every front end has.

use std::ops::ControlFlow;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::engine::Command;
use crate::engine::protocol::Reply;
use crate::engine::session_log::{LogDirection, SessionLog};
use crate::platform::Instant;

use super::commands::{find, parse};
use super::input::{InputLine, MAX_LINE};
use super::words::Words;

/// Parses lines and sends their commands. Errors become replies, in the order of the lines.
pub(crate) struct CommandReader {
    commands: Sender<Command>,
    pub(super) replies: Sender<Reply>,
    pub(crate) log: SessionLog,
}

/// Returns a reader and the other ends of its channels. With a `limit`, a client that floods the
/// input or does not read the output has to wait.
pub(crate) fn channels(
    limit: Option<usize>,
) -> (CommandReader, Receiver<Command>, Receiver<Reply>) {
    let (commands, inbox) = limit.map_or_else(unbounded, bounded);
    let (replies, outbox) = limit.map_or_else(unbounded, bounded);
    (CommandReader { commands, replies, log: SessionLog::default() }, inbox, outbox)
}

impl CommandReader {
    pub(crate) fn send(&self, command: Command) {
        if self.commands.send(command).is_err() {
            log::error!("the engine has ended");
        }
    }

    /// Executes lines until `quit` or their end. Returns whether `quit` came.
    pub(crate) fn read(&self, lines: impl IntoIterator<Item = InputLine>) -> bool {
        lines.into_iter().any(|line| self.execute(line).is_break())
    }

    /// Sends the command of a line. Breaks at `quit`.
    fn execute(&self, line: InputLine) -> ControlFlow<()> {
        let text = match line {
            InputLine::Text(text) => text,
            InputLine::TooLong(beginning) => {
                self.reject(&beginning);
                return ControlFlow::Continue(());
            }
        };
        let received = Instant::now();
        log::debug!("{text}");
        self.log.record(LogDirection::Input, &text);
        let (command, errors) = parse(Words::of_line(&text, received));
        for error in errors {
            self.reply(Reply::Error(error.into()));
        }
        let is_quit = matches!(command, Some(Command::Quit));
        command.into_iter().for_each(|command| self.send(command));
        if is_quit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Reports a line that is too long. The engine may have to know what it would have set.
    fn reject(&self, beginning: &str) {
        let reason = format!("skipped a line of more than {MAX_LINE} bytes");
        let mut words = Words::of_line(beginning, Instant::now());
        match words.find_map(find).and_then(|spec| spec.rejection) {
            Some(rejection) => self.send(rejection(reason)),
            None => self.reply(Reply::Error(reason.into())),
        }
    }

    fn reply(&self, reply: Reply) {
        // Without its writer, the program is ending.
        let _ = self.replies.send(reply);
    }
}
