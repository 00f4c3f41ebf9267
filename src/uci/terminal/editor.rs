//! Prompt with line editing and history, on a thread of its own.

use std::io;
use std::thread;

use crossbeam_channel::{Receiver, Sender};
use rustyline::error::ReadlineError;
use rustyline::{DefaultEditor, ExternalPrinter};

/// Action of the user at the prompt.
#[derive(Debug)]
pub(super) enum Input {
    /// Entered a line.
    Line {
        text: String,
        /// Width of the terminal in characters.
        width: usize,
    },
    /// Pressed Ctrl-C, which stops a search.
    Interrupt,
    /// Closed the input, or pressed Ctrl-D.
    End,
}

/// Width of a terminal that does not tell it.
const WIDTH: usize = 80;

/// The user's side of the session.
pub(super) struct Editor {
    pub(super) input: Receiver<Input>,
    prompts: Sender<String>,
    printer: Box<dyn ExternalPrinter + Send>,
    /// True while the user can type.
    has_prompt: bool,
}

impl Editor {
    /// Starts the thread that edits lines.
    ///
    /// # Errors
    /// If the terminal or a thread cannot be had.
    pub(super) fn start() -> io::Result<Self> {
        let mut editor = DefaultEditor::new().map_err(io::Error::other)?;
        let printer = editor.create_external_printer().map_err(io::Error::other)?;
        let (prompts, shown) = crossbeam_channel::bounded(1);
        let (lines, input) = crossbeam_channel::bounded(1);
        let edit = move || edit_lines(&mut editor, &shown, &lines);
        thread::Builder::new().name("editor".to_owned()).spawn(edit)?;
        Ok(Self { input, prompts, printer: Box::new(printer), has_prompt: false })
    }

    /// Shows a prompt, unless there is one.
    pub(super) fn prompt(&mut self, prompt: String) {
        if !self.has_prompt {
            // The thread ends only with the process.
            self.has_prompt = self.prompts.send(prompt).is_ok();
        }
    }

    /// Records that the user has answered the prompt.
    pub(super) fn take_prompt(&mut self) {
        self.has_prompt = false;
    }

    /// Prints text above the prompt.
    pub(super) fn print(&mut self, text: &str) {
        // A terminal that is gone ends the input as well.
        let _ = self.printer.print(format!("{text}\n"));
    }
}

/// Edits a line for each prompt until the session or the input ends.
fn edit_lines(editor: &mut DefaultEditor, prompts: &Receiver<String>, lines: &Sender<Input>) {
    for prompt in prompts {
        let input = match editor.readline(&prompt) {
            Ok(text) => {
                // Without its history, the line is still executed.
                let _ = editor.add_history_entry(&text);
                let width = editor.dimensions().map_or(WIDTH, |(columns, _)| columns.into());
                Input::Line { text, width }
            }
            Err(ReadlineError::Interrupted) => Input::Interrupt,
            Err(_) => Input::End,
        };
        if lines.send(input).is_err() {
            return;
        }
    }
}
