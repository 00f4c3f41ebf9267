//! The text around the engine: the loop that reads commands, and the one writer of standard output.
//!
//! ```text
//! stdin ── UCI loop ── Command ──▶ engine ── Reply ──▶ writer ── stdout
//!                                   ▲  │
//!                       SearchEvent │  ▼ requests
//!                                search workers
//! ```
//!
//! The loop only reads, so a `stop` is never late; the engine never blocks, so `isready` is answered during a search;
//! and whole lines leave through one thread.

mod command;
mod datagen;
mod genfens;
mod go;
mod input;
mod reply;
mod words;

use std::io::{self, ErrorKind, Write};
use std::process::{self, ExitCode};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};

use crate::engine::Engine;
use crate::engine::protocol::{Command, Position, Reply, Start};
use crate::engine::session_log::{Direction, SessionLog};
use input::{Line, LineReader};

/// The longest line read, in bytes. A game of 6 000 moves takes about 60 KB.
const MAX_LINE: usize = 1 << 20;

/// Runs the engine until `quit` or the end of the input. With arguments, they are the input, and the exit code tells
/// whether all went well; without, the input is standard input and the code is 0.
pub fn run(arguments: &[String]) -> ExitCode {
    let log = SessionLog::default();
    let (commands, inbox) = crossbeam_channel::unbounded();
    let (replies, outbox) = crossbeam_channel::unbounded();
    let writer = spawn("writer", {
        let log = log.clone();
        move || write_replies(&outbox, &log)
    });
    let engine = spawn("engine", {
        let log = log.clone();
        move || Engine::new(replies, log).run(&inbox)
    });

    if arguments.is_empty() {
        read_commands(io::stdin().lock(), &commands, &log);
    } else {
        for line in lines_of_arguments(arguments) {
            send_line(&line, Instant::now(), &commands);
        }
        // No more input can come, so the search asked for is given its time.
        send(Command::Wait, &commands);
    }
    send(Command::Quit, &commands);

    let all_went_well = engine.join().unwrap_or(false);
    let written = writer.join().is_ok();
    if written && (all_went_well || arguments.is_empty()) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn spawn<T: Send + 'static>(
    name: &str,
    role: impl FnOnce() -> T + Send + 'static,
) -> thread::JoinHandle<T> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(role)
        .expect("the system has threads to give")
}

/// Arguments are one command, unless the first one holds a blank: then each is a line of its own. Paths may hold blanks.
fn lines_of_arguments(arguments: &[String]) -> Vec<String> {
    match arguments {
        [flag] if flag == "--help" || flag == "-h" => vec!["help".to_owned()],
        [flag] if flag == "--version" || flag == "-V" => vec!["version".to_owned()],
        [first, ..] if first.contains(char::is_whitespace) => arguments.to_vec(),
        [tool, rest @ ..] if ["datagen", "genfens"].contains(&tool.as_str()) => {
            let words = rest.iter().map(|word| words::quoted(word));
            vec![words.fold(tool.clone(), |line, word| line + " " + &word)]
        }
        _ => vec![arguments.join(" ")],
    }
}

/// Reads until `quit` or the end of the input.
fn read_commands(input: impl io::BufRead, commands: &Sender<Command>, log: &SessionLog) {
    let mut lines = LineReader::new(input, MAX_LINE);
    while let Some(line) = lines.next_line() {
        match line {
            Line::Text(text) => {
                let received = Instant::now();
                log.record(Direction::Input, &text);
                if send_line(&text, received, commands) {
                    return;
                }
            }
            Line::TooLong => {
                let start = Start::TooLong(MAX_LINE);
                send(Command::Position(Position { start, moves: Vec::new() }), commands);
            }
        }
    }
}

/// Sends what a line says; whether that was to quit.
fn send_line(line: &str, received: Instant, commands: &Sender<Command>) -> bool {
    for command in command::parse(line, received) {
        log::debug!("{command}");
        if matches!(command, Command::Quit) {
            return true;
        }
        send(command, commands);
    }
    false
}

/// The engine hangs up only when it has failed; then there is nobody left to tell.
fn send(command: Command, commands: &Sender<Command>) {
    if commands.send(command).is_err() {
        log::error!("the engine is gone");
    }
}

/// Writes each reply as whole lines and flushes, until the engine hangs up. A closed output ends the process: nobody
/// listens any more.
fn write_replies(replies: &Receiver<Reply>, log: &SessionLog) {
    let mut protocol_only = false;
    for reply in replies {
        let lines = lines_of_reply(&reply, protocol_only);
        for line in lines.lines() {
            log.record(Direction::Output, line);
        }
        let mut stdout = io::stdout().lock();
        if let Err(error) = stdout.write_all(lines.as_bytes()).and_then(|()| stdout.flush()) {
            process::exit(i32::from(error.kind() != ErrorKind::BrokenPipe));
        }
        protocol_only |= matches!(reply, Reply::UciOk);
    }
}

/// The reply's lines, each with its end. After `uci`, text for people is wrapped so that interfaces skip it.
fn lines_of_reply(reply: &Reply, protocol_only: bool) -> String {
    let text = reply.to_string();
    let is_protocol = reply.is_protocol() || text.starts_with("info string ");
    let prefix = if protocol_only && !is_protocol { "info string " } else { "" };
    let mut lines = String::with_capacity(text.len() + 1);
    for line in text.split('\n') {
        lines.push_str(prefix);
        lines.push_str(line);
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Tunable;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn arguments_are_one_line_unless_the_first_has_a_blank() {
        assert_eq!(lines_of_arguments(&strings(&["go", "perft", "6"])), ["go perft 6"]);
        let lines = strings(&["genfens 3 seed 1", "quit"]);
        assert_eq!(lines_of_arguments(&lines), lines);
        assert_eq!(lines_of_arguments(&strings(&["--help"])), ["help"]);
        let paths = strings(&["datagen", "--out", "a  b", "c", ""]);
        assert_eq!(lines_of_arguments(&paths), ["datagen --out \"a  b\" c \"\""]);
        let book = strings(&["genfens", "3", "seed", "1", "book", "a b"]);
        assert_eq!(lines_of_arguments(&book), ["genfens 3 seed 1 book \"a b\""]);
    }

    #[test]
    fn text_for_people_is_wrapped_after_uci() {
        let reply = Reply::Line("one\ntwo".to_owned());
        assert_eq!(lines_of_reply(&reply, false), "one\ntwo\n");
        assert_eq!(lines_of_reply(&reply, true), "info string one\ninfo string two\n");
        assert_eq!(lines_of_reply(&Reply::ReadyOk, true), "readyok\n");
        static NUMBER: Tunable = Tunable::new("number", 4, -2..=8, 1);
        let line = "option name number type spin default 4 min -2 max 8\n";
        assert_eq!(lines_of_reply(&Reply::Tunable(&NUMBER), true), line);
    }

    #[test]
    fn nothing_is_read_after_quit() {
        let (commands, inbox) = crossbeam_channel::unbounded();
        read_commands(&b"isready\nquit\nuci\n"[..], &commands, &SessionLog::default());
        drop(commands);
        assert_eq!(
            inbox.iter().map(|command| command.to_string()).collect::<Vec<_>>(),
            ["isready"]
        );
    }
}
