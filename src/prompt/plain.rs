//! Plain UCI at a terminal, after `uci`: for programs that start engines there.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::engine::Command;
use crate::engine::protocol::Reply;
use crate::platform::Instant;
use crate::uci::commands::parse;
use crate::uci::words::Words;

use super::editor::{Editor, UserInput};
use super::link::EngineLink;

/// Executes these lines, then those of the editor until `quit` or the end of the input.
pub(super) fn run(editor: &mut Editor, engine: &mut EngineLink, mut lines: VecDeque<String>) {
    let (input, replies) = (editor.input.clone(), engine.replies.clone());
    loop {
        for line in lines.drain(..) {
            if execute(&line, engine).is_break() {
                return;
            }
        }
        editor.prompt(String::new());
        crossbeam_channel::select! {
            recv(input) -> input => {
                let input = input.unwrap_or(UserInput::End);
                editor.note();
                match input {
                    UserInput::Line { text, .. } | UserInput::TypedAhead(text) => {
                        text.lines().for_each(|line| engine.record_input(line));
                        lines.extend(text.lines().map(str::to_owned));
                    }
                    UserInput::Stop | UserInput::Unwatched => {}
                    UserInput::Interrupt | UserInput::End => return engine.send(Command::Stop),
                }
            }
            recv(replies) -> reply => match reply {
                Ok(reply) => engine.print_reply(&reply),
                Err(_) => return,
            },
        }
    }
}

fn execute(line: &str, engine: &mut EngineLink) -> ControlFlow<()> {
    let (command, errors) = parse(Words::of_line(line, Instant::now()));
    for error in errors {
        engine.print_reply(&Reply::Error(error.into()));
    }
    match command {
        Some(Command::Quit) => return ControlFlow::Break(()),
        Some(command) => engine.send_and_print(command),
        None => {}
    }
    ControlFlow::Continue(())
}
