//! The engine, its channels, and the output, all of which the log records.

use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, TrySendError};

use crate::engine::protocol::Reply;
use crate::engine::session_log::{LogDirection, SessionLog};
use crate::engine::{Command, MAX_QUEUE};
use crate::platform::output;
use crate::uci::reply::ReplyFormatter;
use crate::uci::session::{log_panics, spawn_engine};

pub(super) struct EngineLink {
    commands: Sender<Command>,
    pub(super) replies: Receiver<Reply>,
    log: SessionLog,
    formatter: ReplyFormatter,
    thread: JoinHandle<bool>,
}

impl EngineLink {
    /// Starts an engine, or ends the process.
    pub(super) fn start() -> Self {
        let log = SessionLog::default();
        log_panics(log.clone());
        let (commands, inbox) = crossbeam_channel::bounded(MAX_QUEUE);
        let (sender, replies) = crossbeam_channel::bounded(MAX_QUEUE);
        let thread = spawn_engine(sender, log.clone(), inbox);
        Self { commands, replies, log, formatter: ReplyFormatter::default(), thread }
    }

    pub(super) fn send(&self, command: Command) {
        // An engine that has ended closes its replies, which ends the session.
        let _ = self.commands.send(command);
    }

    /// Sends a command. Prints replies while the queue is full, so that the engine and this thread
    /// do not wait for each other.
    pub(super) fn send_and_print(&mut self, mut command: Command) {
        const POLL: Duration = Duration::from_millis(10);
        while let Err(TrySendError::Full(rejected)) = self.commands.try_send(command) {
            command = rejected;
            if let Ok(reply) = self.replies.recv_timeout(POLL) {
                self.print_reply(&reply);
            }
        }
    }

    pub(super) fn record_input(&self, line: &str) {
        self.log.record(LogDirection::Input, line);
    }

    pub(super) fn print(&self, text: &str) {
        for line in text.lines() {
            self.log.record(LogDirection::Output, line);
        }
        output::write(&format!("{text}\n"));
    }

    /// Prints a reply as UCI.
    pub(super) fn print_reply(&mut self, reply: &Reply) {
        if let Some(text) = self.formatter.text(reply) {
            self.print(&text);
        }
    }

    /// Ends the engine and prints its last replies.
    pub(super) fn finish(mut self) {
        self.send_and_print(Command::Quit);
        let replies = self.replies.clone();
        for reply in &replies {
            self.print_reply(&reply);
        }
        if self.thread.join().is_err() {
            output::write_error("the engine has ended");
        }
    }
}
