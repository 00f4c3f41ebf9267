//! Command line of the program: arguments, help, completions, manual, progress, and a file for each
//! tool that runs without an engine.

#![forbid(unsafe_code)]

mod analyse;
mod arguments;
mod completions;
mod datagen;
mod epd;
mod manual;
pub(crate) mod pages;
mod positions;
mod progress;
mod spec;
pub(crate) mod table;
mod tree;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::panic;
use std::path::Path;
use std::process::{self, ExitCode};

use crate::engine::Command;
use crate::platform::{self, Instant, output};

use crate::text::suggest;
use crate::uci::commands::{self, parse_strictly};
use crate::uci::error::CommandError;
use crate::uci::notation;
use crate::uci::perft::is_depth;
use crate::uci::session::Session;
use crate::uci::words::Words;
use pages::{find, help_page, help_page_of};
use spec::{ToolError, ToolSpec};

const USAGE_ERROR: u8 = 2;

/// Runs the program with these arguments.
///
/// They are one command or tool, or one line each if the first contains a blank; the exit code is 1
/// if one fails, and 2 if one is not understood.
pub fn run(arguments: &[OsString]) -> ExitCode {
    platform::watch_output();
    let words: Vec<String> =
        arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Some(page) = requested_help(&words) {
        return print(&page);
    }
    match words[..] {
        ["--help" | "-h" | "help"] => print(&help_page()),
        ["--version" | "-V" | "version"] => print(&notation::version()),
        [first, ..] if first.contains(char::is_whitespace) => run_lines(&words),
        [first, ..] => match tool_of(first, arguments.get(1)) {
            Some(tool) => run_tool(tool, &arguments[1..]),
            None if commands::find(first).is_none() => reject(&[unknown_word(first)]),
            None => run_command(&words),
        },
        [] => ExitCode::SUCCESS,
    }
}

fn unknown_word(found: &str) -> String {
    let suggestion = suggest(found, pages::words());
    CommandError::UnknownCommand { found: found.to_owned(), suggestion }.to_string()
}

/// Returns the help page of the first word if `--help` or `-h` follows, or of the word after
/// `help`.
fn requested_help(words: &[&str]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    if rest.iter().any(|word| matches!(*word, "--help" | "-h")) {
        return help_page_of(first);
    }
    let ["help", word] = words else { return None };
    help_page_of(word)
}

fn print(text: &str) -> ExitCode {
    output::write(&format!("{text}\n"));
    ExitCode::SUCCESS
}

/// Returns the tool that `first` names. `perft` and `tb` alone, and `perft` with a depth, are
/// commands of the engine.
fn tool_of(first: &str, second: Option<&OsString>) -> Option<&'static ToolSpec> {
    let tool = find(first)?;
    let is_command = match tool.word {
        "perft" => second.is_none_or(|argument| is_depth(Path::new(argument))),
        "tb" => second.is_none(),
        _ => false,
    };
    (!is_command).then_some(tool)
}

fn run_tool(tool: &ToolSpec, arguments: &[OsString]) -> ExitCode {
    end_at_panics();
    let has_terminal = io::stdout().is_terminal();
    let mut sink = |line: &str| {
        if has_terminal {
            progress::clear();
        }
        output::write(&format!("{line}\n"));
    };
    match (tool.run)(arguments, &mut sink) {
        Ok(is_success) => exit_code(is_success),
        Err(ToolError::Usage(message)) => reject(&[message]),
        Err(ToolError::Failure(message)) => {
            output::write_error(&message);
            ExitCode::FAILURE
        }
    }
}

/// Aborts at a panic: threads of a tool could wait for the one that has panicked.
fn end_at_panics() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |report| {
        usual(report);
        process::abort();
    }));
}

fn run_command(words: &[&str]) -> ExitCode {
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    execute([parse_strictly(Words::of_arguments(&words, Instant::now()))])
}

fn run_lines(lines: &[&str]) -> ExitCode {
    execute(lines.iter().map(|line| parse_strictly(Words::of_line(line, Instant::now()))))
}

/// Executes commands up to `quit`, or none if one is not understood.
fn execute(parsed: impl IntoIterator<Item = (Option<Command>, Vec<CommandError>)>) -> ExitCode {
    let (commands, errors): (Vec<_>, Vec<_>) = parsed.into_iter().unzip();
    let errors: Vec<String> = errors.iter().flatten().map(ToString::to_string).collect();
    if !errors.is_empty() {
        return reject(&errors);
    }
    let session = Session::start(true);
    for command in commands.into_iter().flatten() {
        let is_quit = matches!(command, Command::Quit);
        session.send(command);
        if is_quit {
            break;
        }
    }
    exit_code(session.finish())
}

fn reject(messages: &[String]) -> ExitCode {
    for message in messages {
        output::write_error(message);
    }
    ExitCode::from(USAGE_ERROR)
}

fn exit_code(is_success: bool) -> ExitCode {
    if is_success { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_words_are_tools_and_commands() {
        let tool = |second: Option<&str>| {
            tool_of("perft", second.map(OsString::from).as_ref()).map(|tool| tool.word)
        };
        assert_eq!(tool(None), None);
        assert_eq!(tool(Some("5")), None);
        assert_eq!(tool(Some("-1")), None);
        assert_eq!(tool(Some("standard.epd")), Some("perft"));
        assert!(tool_of("tb", None).is_none() && tool_of("tb", Some(&"8/8".into())).is_some());
        assert!(tool_of("eval", None).is_some());
        assert!(tool_of("bench", None).is_none() && tool_of("selftest", None).is_some());
    }
}
