//! Session with threads: one runs the engine, one writes its replies.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::process::{self, ExitCode};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, bounded};

use crate::engine::protocol::Reply;
use crate::engine::session_log::{LogDirection, SessionLog};
use crate::engine::{Command, Engine, MAX_QUEUE};
use crate::platform::output;
use crate::platform::terminal::watch_output;

use super::command_reader::{CommandReader, channels};
use super::input::LineReader;
use super::reply::ReplyFormatter;

/// A running engine, the commands to it and its replies.
pub(crate) struct Session {
    pub(crate) reader: CommandReader,
    pub(crate) replies: Receiver<Reply>,
    pub(crate) printer: Printer,
    engine: JoinHandle<bool>,
}

/// Writes to standard output, and what it writes to the log.
pub(crate) struct Printer {
    formatter: ReplyFormatter,
    log: SessionLog,
    /// True if errors go to standard error.
    separates_errors: bool,
}

/// Reads commands from standard input, until `quit` or its end.
pub fn run() -> ExitCode {
    watch_output();
    let stdin = io::stdin().lock();
    Session::start(false).serve(|reader| _ = reader.read(LineReader::new(stdin)));
    ExitCode::SUCCESS
}

impl Session {
    /// Starts an engine, or ends the process.
    pub(crate) fn start(separates_errors: bool) -> Self {
        let (reader, inbox, replies) = channels(Some(MAX_QUEUE));
        let log = reader.log.clone();
        log_panics(log.clone());
        let engine = start_engine(&reader, inbox);
        let printer = Printer { formatter: ReplyFormatter::default(), log, separates_errors };
        Self { reader, replies, printer, engine }
    }

    pub(crate) fn send(&self, command: Command) {
        self.reader.send(command);
    }

    /// Writes replies while `send` sends commands, until all are done. Returns whether they
    /// succeeded.
    pub(crate) fn serve(self, send: impl FnOnce(&CommandReader)) -> bool {
        let Self { reader, replies, mut printer, engine } = self;
        let writer = spawn("writer", move || {
            for reply in &replies {
                let print = || printer.print_reply(&reply);
                // A reply whose text panics is left out: those after it must be written.
                let _ = panic::catch_unwind(AssertUnwindSafe(print));
            }
        });
        send(&reader);
        drop(reader);
        let is_success = engine.join().unwrap_or(false);
        writer.join().is_ok() && is_success
    }
}

impl Printer {
    /// Writes a text as whole lines.
    pub(crate) fn print(&self, text: &str) {
        self.record(text);
        output::write(&format!("{text}\n"));
    }

    /// Writes a reply as UCI.
    pub(crate) fn print_reply(&mut self, reply: &Reply) {
        let Some(text) = self.formatter.text(reply) else { return };
        match reply {
            Reply::Error(error) if self.separates_errors => {
                self.record(&text);
                output::write_error(&error.to_string());
            }
            _ => self.print(&text),
        }
        if let Some(error) = self.log.take_write_error() {
            let message = format!("Debug Log File: it cannot be written and is closed: {error}");
            self.print_reply(&Reply::Error(message.into()));
        }
    }

    fn record(&self, text: &str) {
        text.lines().for_each(|line| self.log.record(LogDirection::Output, line));
    }
}

/// Starts the thread of an engine, or ends the process. It returns whether all commands succeeded.
fn start_engine(reader: &CommandReader, commands: Receiver<Command>) -> JoinHandle<bool> {
    let (replies, log) = (reader.replies.clone(), reader.log.clone());
    let (sender, started) = bounded(1);
    // Created in its own thread, the engine gets memory that need not be cleared.
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
fn log_panics(log: SessionLog) {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |report| {
        usual(report);
        for line in report.to_string().lines() {
            log.record(LogDirection::Panic, line);
        }
    }));
}
