//! Session: reads commands, runs the engine, writes its replies.

use std::io::{self, BufRead};
use std::panic::{self, AssertUnwindSafe};
use std::process::{self, ExitCode};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::engine::protocol::Reply;
use crate::engine::session_log::{LogDirection, SessionLog};
use crate::engine::{Command, Engine, MAX_QUEUE};
use crate::platform::{self, Instant, output};

use super::commands::{find, parse};
use super::input::{InputLine, LineReader};
use super::reply::ReplyFormatter;
use super::words::Words;

/// Maximum length of a line in bytes. A game of 6000 moves takes about 60 KB.
const MAX_LINE: usize = 1 << 20;

/// Reads commands from standard input, until `quit` or its end.
pub fn run() -> ExitCode {
    platform::watch_output();
    let session = Session::start(false);
    session.read_commands(io::stdin().lock());
    session.finish();
    ExitCode::SUCCESS
}

pub(crate) struct Session {
    input: CommandReader,
    engine: JoinHandle<bool>,
    writer: JoinHandle<()>,
}

/// Parses lines and sends their commands.
pub(crate) struct CommandReader {
    pub(crate) commands: Sender<Command>,
    pub(crate) replies: Sender<Reply>,
    pub(crate) log: SessionLog,
}

impl Session {
    /// Starts an engine. With `is_command_line`, errors go to standard error, not standard output.
    pub(crate) fn start(is_command_line: bool) -> Self {
        let log = SessionLog::default();
        log_panics(log.clone());
        // Bounded: a client that floods the input or does not read the output has to wait.
        let (commands, inbox) = crossbeam_channel::bounded(MAX_QUEUE);
        let (replies, outbox) = crossbeam_channel::bounded(MAX_QUEUE);
        let writer = spawn("writer", {
            let log = log.clone();
            move || write_replies(&outbox, &log, is_command_line)
        });
        let engine = spawn_engine(replies.clone(), log.clone(), inbox);
        Self { input: CommandReader { commands, replies, log }, engine, writer }
    }

    pub(crate) fn send(&self, command: Command) {
        self.input.send(command);
    }

    /// Reads commands until `quit` or the end of the input.
    pub(crate) fn read_commands(&self, input: impl BufRead) {
        self.input.read_commands(input);
    }

    /// Waits for the end. Returns whether all commands succeeded.
    pub(crate) fn finish(self) -> bool {
        drop(self.input);
        let is_success = self.engine.join().unwrap_or(false);
        self.writer.join().is_ok() && is_success
    }
}

/// Runs a session on this input and returns the lines of its output.
///
/// All commands are read before the first is executed.
///
/// # Panics
/// If the system has no memory for a small TT or cannot start a search thread.
pub fn replies_to(input: &[u8]) -> Vec<String> {
    let log = SessionLog::default();
    let (commands, inbox) = crossbeam_channel::unbounded();
    let (replies, outbox) = crossbeam_channel::unbounded();
    let reader = CommandReader { commands, replies: replies.clone(), log: log.clone() };
    reader.read_commands(input);
    drop(reader);
    Engine::new(replies, log).expect("the system has room for an engine").run(&inbox);
    let mut formatter = ReplyFormatter::default();
    let texts = outbox.iter().filter_map(|reply| formatter.text(&reply));
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

impl CommandReader {
    fn send(&self, command: Command) {
        if self.commands.send(command).is_err() {
            log::error!("the engine has ended");
        }
    }

    pub(crate) fn read_commands(&self, input: impl BufRead) {
        let mut lines = LineReader::new(input, MAX_LINE);
        while let Some(line) = lines.next_line() {
            match line {
                InputLine::Text(text) => {
                    let received = Instant::now();
                    log::debug!("{text}");
                    self.log.record(LogDirection::Input, &text);
                    let (command, errors) = parse(Words::of_line(&text, received));
                    for error in errors {
                        self.reply(Reply::Error(error.into()));
                    }
                    let Some(command) = command else { continue };
                    let is_quit = matches!(command, Command::Quit);
                    self.send(command);
                    if is_quit {
                        return;
                    }
                }
                InputLine::TooLong(beginning) => self.reject_line(&beginning),
            }
        }
    }

    /// Reports a line that is too long. The engine may have to know what it would have set.
    fn reject_line(&self, beginning: &str) {
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

/// Starts an engine, or ends the process. Its thread returns whether all commands succeeded.
pub(crate) fn spawn_engine(
    replies: Sender<Reply>,
    log: SessionLog,
    commands: Receiver<Command>,
) -> JoinHandle<bool> {
    // Created in its own thread, the engine gets memory that need not be cleared.
    let (sender, started) = bounded(1);
    let thread = spawn("engine", move || match Engine::new(replies, log) {
        Ok(engine) => {
            drop(sender);
            engine.run(&commands)
        }
        Err(error) => {
            let _ = sender.send(error);
            false
        }
    });
    if let Ok(error) = started.recv() {
        fail(&format!("cannot start the engine: {error}"));
    }
    thread
}

/// Starts a thread, or ends the process.
fn spawn<T: Send + 'static>(
    name: &str,
    role: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(role)
        .unwrap_or_else(|error| fail(&format!("cannot start the thread '{name}': {error}")))
}

fn fail(message: &str) -> ! {
    output::write_error(message);
    process::exit(1)
}

/// Adds the reports of panics to the log, besides standard error.
pub(crate) fn log_panics(log: SessionLog) {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |report| {
        usual(report);
        for line in report.to_string().lines() {
            log.record(LogDirection::Panic, line);
        }
    }));
}

/// Writes replies as whole lines.
fn write_replies(replies: &Receiver<Reply>, log: &SessionLog, is_command_line: bool) {
    let mut formatter = ReplyFormatter::default();
    for reply in replies {
        let write = || write_reply(&reply, &mut formatter, log, is_command_line);
        // A reply whose text panics is left out: those after it must be written.
        let _ = panic::catch_unwind(AssertUnwindSafe(write));
    }
}

fn write_reply(
    reply: &Reply,
    formatter: &mut ReplyFormatter,
    log: &SessionLog,
    is_command_line: bool,
) {
    let Some(mut text) = formatter.text(reply) else { return };
    text.push('\n');
    for line in text.lines() {
        log.record(LogDirection::Output, line);
    }
    match reply {
        Reply::Error(error) if is_command_line => output::write_error(&error.to_string()),
        _ => output::write(&text),
    }
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
