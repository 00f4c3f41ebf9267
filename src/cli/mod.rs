//! Command line: arguments, help, completions, the manual page, progress, and a file for each tool.
//!
//! A tool runs without an engine; its work is in [`crate::tools`] or [`crate::datagen`]. Commands
//! of UCI run in a session of their own. What only prints a page starts neither.

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
mod perft;
mod progress_bar;
mod run;
mod speedtest;
mod tb;
mod tool;

pub(crate) use explain::Explain;
pub use run::run;
pub(crate) use tool::{help_list, help_of};
