//! Execution of the arguments: pages, tools and commands of a session.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::panic;
use std::process::{self, ExitCode};

use crate::engine::{Command, about};
use crate::platform::terminal::watch_output;
use crate::platform::{Instant, output};
use crate::text::{suggest, visible};
use crate::uci::commands::{self, parse_strictly};
use crate::uci::error::CommandError;
use crate::uci::help;
use crate::uci::session::Session;
use crate::uci::words::Words;

use super::arguments::ToolError;
use super::parse::{self, USAGE_ERROR};
use super::progress_bar;
use super::prompt_words::{prompt_line, prompt_names, prompt_page};
use super::tool::{self, Tool};

/// Runs the program with these arguments.
///
/// They are a tool or a command of a session, or one line of a session each if the first contains a
/// blank. The exit code is 1 if one fails, and 2 if one is not understood.
pub fn run(arguments: &[OsString]) -> ExitCode {
    watch_output();
    let words: Vec<String> =
        arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Some(line) = prompt_line(arguments) {
        let word = line.split_whitespace().next().unwrap_or_default();
        return reject([format!("{word}: its input and output have to be a terminal")]);
    }
    match texts[..] {
        [] | ["--help" | "-h" | "help"] => print(&tool::help_list()),
        ["--version" | "-V" | "version"] => print(about::NAME_AND_VERSION),
        [first, ref rest @ ..] if rest.iter().any(|word| matches!(*word, "--help" | "-h")) => {
            print_page_of(first)
        }
        ["help", "options"] => print(&help::options_page()),
        ["help", word] => print_page_of(word),
        [first, ..] if first.contains(char::is_whitespace) => {
            execute(texts.iter().map(|line| parse_strictly(Words::of_line(line, Instant::now()))))
        }
        [first, ..] => {
            let parsed = parse_strictly(Words::of_arguments(&words, Instant::now()));
            let is_understood = parsed.1.is_empty();
            // `eval`, `perft` and `tb` name both: the tool runs if the command does not understand
            // what follows.
            if !is_understood && tool::words().iter().any(|word| word == first) {
                run_tool(arguments)
            } else if !is_understood && commands::find(first).is_none() {
                reject([unknown_word(first)])
            } else {
                execute([parsed])
            }
        }
    }
}

fn print(text: &str) -> ExitCode {
    output::write(&format!("{text}\n"));
    ExitCode::SUCCESS
}

fn print_page_of(word: &str) -> ExitCode {
    match tool::help_of(word).or_else(|| help::page_of(word)).or_else(|| prompt_page(word)) {
        Some(page) => print(&page),
        None => reject([unknown_word(word)]),
    }
}

fn unknown_word(found: &str) -> String {
    if prompt_names().any(|word| word == found) {
        return format!("'{found}' is a word of the prompt, which 'tabia' alone starts");
    }
    let tools = tool::words();
    let commands = commands::all().map(|spec| spec.word);
    let known = commands.chain(tools.iter().map(String::as_str));
    let suggestion = suggest(found, known).map(str::to_owned);
    CommandError::UnknownCommand { found: found.to_owned(), suggestion }.to_string()
}

fn run_tool(arguments: &[OsString]) -> ExitCode {
    let tool = match Tool::parse(arguments) {
        Ok(tool) => tool,
        Err(error) => return parse::print(error),
    };
    end_at_panics();
    let has_terminal = io::stdout().is_terminal();
    let mut sink = |line: &str| {
        if has_terminal {
            progress_bar::clear();
            output::write(&format!("{}\n", visible(line)));
        } else {
            output::write(&format!("{line}\n"));
        }
    };
    let name = arguments[0].to_string_lossy();
    match tool.run(&mut sink) {
        Ok(is_success) => exit_code(is_success),
        Err(ToolError::Usage(message)) => reject([format!("{name}: {message}")]),
        Err(ToolError::Failure(message)) => {
            output::write_error(&format!("{name}: {message}"));
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

/// Executes commands up to `quit`, or none if one is not understood.
fn execute(parsed: impl IntoIterator<Item = (Option<Command>, Vec<CommandError>)>) -> ExitCode {
    let (commands, errors): (Vec<_>, Vec<_>) = parsed.into_iter().unzip();
    let mut errors = errors.iter().flatten().peekable();
    if errors.peek().is_some() {
        return reject(errors.map(ToString::to_string));
    }
    exit_code(Session::start(true).serve(|reader| {
        for command in commands.into_iter().flatten() {
            let is_quit = matches!(command, Command::Quit);
            reader.send(command);
            if is_quit {
                break;
            }
        }
    }))
}

fn reject(messages: impl IntoIterator<Item = String>) -> ExitCode {
    for message in messages {
        output::write_error(&message);
    }
    ExitCode::from(USAGE_ERROR)
}

fn exit_code(is_success: bool) -> ExitCode {
    if is_success { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
