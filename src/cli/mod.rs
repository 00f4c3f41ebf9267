//! Command line: arguments, help, completions, the manual page, progress, and a file for each tool.
//!
//! A tool runs without an engine; its work is in [`crate::tools`] or [`crate::datagen`]. Commands
//! of a session, such as `go` and `bench`, run in one of their own. A page of help needs neither.

#![forbid(unsafe_code)]

mod analyse;
mod arguments;
mod book;
mod datagen;
mod epd;
mod eval;
mod explain;
mod manual;
mod mate;
mod parse;
mod perft;
mod progress_bar;
mod prompt_words;
mod run;
mod speedtest;
mod tb;
mod tool;
mod web;

pub(crate) use explain::Explain;
pub use parse::parse;
pub use prompt_words::prompt_line;
pub(crate) use prompt_words::{PLAY, literal_words, prompt_list, prompt_names, prompt_page};
pub use run::run;
pub(crate) use tool::{help_list, help_of};
