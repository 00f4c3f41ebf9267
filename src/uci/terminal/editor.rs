//! The user's side: a prompt with line editing and history, and the keys that stop a search. Both
//! are on a thread of their own.

use std::io;
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::keys::{KeyPress, Keyboard};

/// Action of the user.
#[derive(Debug)]
pub(super) enum UserInput {
    /// Entered a line.
    Line {
        text: String,
        /// Width of the terminal in characters.
        width: usize,
    },
    /// Pressed Ctrl-C at the prompt.
    Interrupt,
    /// Entered a line during a search.
    TypedAhead(String),
    /// Pressed a key that stops a search.
    Stop,
    /// Closed the input, or pressed Ctrl-D.
    End,
}

/// Request to the thread.
enum Request {
    Prompt(String),
    /// Wait for a key while the flag is true.
    Watch(Arc<AtomicBool>),
}

/// Width of a terminal that does not tell it.
const WIDTH: usize = 80;

/// What the thread does.
enum EditorTask {
    None,
    Prompt,
    Watch(Arc<AtomicBool>),
}

/// The thread, as the console sees it.
pub(super) struct Editor {
    pub(super) input: Receiver<UserInput>,
    requests: Option<Sender<Request>>,
    activity: EditorTask,
    thread: Option<JoinHandle<()>>,
}

impl Editor {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the terminal or a thread cannot be had.
    pub(super) fn start() -> io::Result<Self> {
        let mut editor = DefaultEditor::new().map_err(io::Error::other)?;
        let (requests, received) = crossbeam_channel::unbounded();
        let (sender, input) = crossbeam_channel::unbounded();
        let serve = move || serve(&mut editor, &received, &sender);
        let thread = thread::Builder::new().name("editor".to_owned()).spawn(serve)?;
        let (requests, thread) = (Some(requests), Some(thread));
        Ok(Self { input, requests, activity: EditorTask::None, thread })
    }

    /// Shows a prompt, unless there is one.
    pub(super) fn prompt(&mut self, prompt: String) {
        if let EditorTask::Watch(is_watching) = &self.activity {
            is_watching.store(false, Ordering::Relaxed);
        }
        if !matches!(self.activity, EditorTask::Prompt) {
            self.request(Request::Prompt(prompt));
            self.activity = EditorTask::Prompt;
        }
    }

    /// Waits for a key that stops the search, until the next prompt.
    pub(super) fn watch(&mut self) {
        if matches!(self.activity, EditorTask::None) {
            let is_watching = Arc::new(AtomicBool::new(true));
            self.request(Request::Watch(is_watching.clone()));
            self.activity = EditorTask::Watch(is_watching);
        }
    }

    /// Records what the thread has sent.
    pub(super) fn note(&mut self, input: &UserInput) {
        // A key pressed at the last moment may come after the next prompt was asked for.
        let is_of_watch = matches!(input, UserInput::Stop | UserInput::TypedAhead(_));
        if !(is_of_watch && matches!(self.activity, EditorTask::Prompt)) {
            self.activity = EditorTask::None;
        }
    }

    fn request(&self, request: Request) {
        if let Some(requests) = &self.requests {
            // The thread ends after this, or has panicked: then its input is closed.
            let _ = requests.send(request);
        }
    }
}

impl Drop for Editor {
    /// Waits until the thread has given the terminal its usual modes again.
    fn drop(&mut self) {
        self.requests = None;
        if let EditorTask::Watch(is_watching) = &self.activity {
            is_watching.store(false, Ordering::Relaxed);
        }
        // A prompt cannot be ended. It is left only by the user.
        if !matches!(self.activity, EditorTask::Prompt)
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
    }
}

/// Serves requests until the session ends.
fn serve(editor: &mut DefaultEditor, requests: &Receiver<Request>, inputs: &Sender<UserInput>) {
    let mut keys = Keyboard::default();
    for request in requests {
        let input = match request {
            Request::Prompt(prompt) => {
                // Keys that stop a search have no meaning between two of them.
                let key = iter::from_fn(|| keys.next()).find(|key| *key != KeyPress::Stop);
                Some(match key {
                    Some(KeyPress::Line(text)) => UserInput::Line { text, width: width(editor) },
                    Some(KeyPress::End) => UserInput::End,
                    _ => edit_line(editor, &prompt, &keys.take_typed()),
                })
            }
            Request::Watch(is_watching) => keys.wait(&is_watching).map(|key| match key {
                KeyPress::Stop => UserInput::Stop,
                KeyPress::Line(text) => UserInput::TypedAhead(text),
                KeyPress::End => UserInput::End,
            }),
        };
        if input.is_some_and(|input| inputs.send(input).is_err()) {
            return;
        }
    }
}

/// Edits a line that begins with what was typed ahead.
fn edit_line(editor: &mut DefaultEditor, prompt: &str, typed: &str) -> UserInput {
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

/// Returns the width of the terminal in characters.
fn width(editor: &mut DefaultEditor) -> usize {
    editor.dimensions().map_or(WIDTH, |(columns, _)| columns.into())
}
