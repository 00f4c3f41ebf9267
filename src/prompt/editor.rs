//! Thread for user input: a prompt with line editing and history, and keys that stop a search.

use std::io;
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config};

use super::completion::Completion;
use super::keyboard::{KeyPress, Keyboard};

type LineEditor = rustyline::Editor<Completion, DefaultHistory>;

#[derive(Debug)]
pub(super) enum UserInput {
    Line {
        text: String,
        width: usize,
    },
    /// Ctrl-C at the prompt.
    Interrupt,
    /// Line entered during a search.
    TypedAhead(String),
    /// Key that stops a search.
    Stop,
    /// The wait for a key has ended without one.
    Unwatched,
    /// End of the input, or Ctrl-D.
    End,
}

#[derive(Clone)]
enum Request {
    Prompt {
        prompt: String,
        completion: Completion,
    },
    /// Wait for a key while the flag is true.
    Watch(Arc<AtomicBool>),
}

/// Width assumed if the terminal reports none.
pub(super) const WIDTH: usize = 80;

/// Handle to the thread.
pub(super) struct Editor {
    pub(super) input: Receiver<UserInput>,
    requests: Option<Sender<Request>>,
    unfinished: Option<Request>,
    thread: Option<JoinHandle<()>>,
}

impl Editor {
    pub(super) fn start() -> io::Result<Self> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = LineEditor::with_config(config).map_err(io::Error::other)?;
        let (requests, received) = crossbeam_channel::unbounded();
        let (sender, input) = crossbeam_channel::unbounded();
        let serve = move || serve(&mut editor, &received, &sender);
        let thread = thread::Builder::new().name("editor".to_owned()).spawn(serve)?;
        let (requests, thread) = (Some(requests), Some(thread));
        Ok(Self { input, requests, unfinished: None, thread })
    }

    /// Shows a prompt, unless there is one, after the wait for a key has ended.
    pub(super) fn prompt(&mut self, prompt: String, completion: impl FnOnce() -> Completion) {
        self.end_watch();
        if self.unfinished.is_none() {
            self.request(Request::Prompt { prompt, completion: completion() });
        }
    }

    /// Waits for a key that stops the search, until the next prompt.
    pub(super) fn watch(&mut self) {
        if self.unfinished.is_none() {
            self.request(Request::Watch(Arc::new(AtomicBool::new(true))));
        }
    }

    /// Returns the next line, without a prompt; `None` at the end of the input and at Ctrl-C.
    pub(super) fn plain_line(&mut self) -> Option<String> {
        loop {
            self.prompt(String::new(), Completion::default);
            let input = self.input.recv().unwrap_or(UserInput::End);
            self.note();
            match input {
                UserInput::Line { text, .. } | UserInput::TypedAhead(text) => return Some(text),
                UserInput::Stop | UserInput::Unwatched => {}
                UserInput::Interrupt | UserInput::End => return None,
            }
        }
    }

    /// Records that an input has arrived: each answers the request.
    pub(super) fn note(&mut self) {
        self.unfinished = None;
    }

    fn end_watch(&self) {
        if let Some(Request::Watch(is_watching)) = &self.unfinished {
            is_watching.store(false, Ordering::Relaxed);
        }
    }

    fn request(&mut self, request: Request) {
        if let Some(requests) = &self.requests {
            // If the thread has ended, its closed input ends the session.
            let _ = requests.send(request.clone());
        }
        self.unfinished = Some(request);
    }
}

impl Drop for Editor {
    /// Waits until the thread has restored the modes of the terminal.
    fn drop(&mut self) {
        self.requests = None;
        self.end_watch();
        // Only the user can end a prompt.
        if !matches!(self.unfinished, Some(Request::Prompt { .. }))
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
    }
}

fn serve(editor: &mut LineEditor, requests: &Receiver<Request>, inputs: &Sender<UserInput>) {
    let mut keys = Keyboard::default();
    for request in requests {
        let input = match request {
            Request::Prompt { prompt, completion } => {
                editor.set_helper(Some(completion));
                // Stop keys have no meaning between two searches.
                let key = iter::from_fn(|| keys.next()).find(|key| *key != KeyPress::Stop);
                match key {
                    Some(KeyPress::Line(text)) => UserInput::Line { text, width: width(editor) },
                    Some(KeyPress::End) => UserInput::End,
                    _ => {
                        let typed = keys.take_typed();
                        keys.suspended(|| edit_line(editor, &prompt, &typed))
                    }
                }
            }
            Request::Watch(is_watching) => match keys.wait(&is_watching) {
                Some(KeyPress::Stop) => UserInput::Stop,
                Some(KeyPress::Line(text)) => UserInput::TypedAhead(text),
                Some(KeyPress::End) => UserInput::End,
                None => UserInput::Unwatched,
            },
        };
        if inputs.send(input).is_err() {
            return;
        }
    }
}

/// Edits a line that begins with what was typed ahead.
fn edit_line(editor: &mut LineEditor, prompt: &str, typed: &str) -> UserInput {
    match editor.readline_with_initial(prompt, (typed, "")) {
        Ok(text) => {
            // Without its history, the line is still executed.
            let _ = editor.add_history_entry(&text);
            UserInput::Line { text, width: width(editor) }
        }
        Err(ReadlineError::Interrupted) => UserInput::Interrupt,
        Err(_) => UserInput::End,
    }
}

fn width(editor: &mut LineEditor) -> usize {
    editor.dimensions().map_or(WIDTH, |(columns, _)| columns.into())
}
