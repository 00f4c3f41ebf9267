//! Text around the engine: the command line, the UCI protocol and the output.
//!
//! ```text
//! stdin ── reader ── Command ──▶ engine ── Reply ──▶ writer ── stdout
//!                                 ▲  │
//!                     SearchEvent │  ▼ SearchRequest
//!                              search threads
//! ```
//!
//! The reader waits for the engine only when its queue is full, so `stop` acts at once. One thread
//! writes whole lines. The channels of commands and replies are bounded.

#![forbid(unsafe_code)]

pub mod cli;
mod commands;
mod completions;
mod error;
mod go;
mod help;
mod input;
mod local;
mod manual;
mod output;
mod pages;
mod parsers;
mod perft;
mod progress;
mod reply;
mod session;
mod suggest;
pub mod terminal;
mod text;
mod tools;
mod words;

pub use commands::errors_in;
pub use local::{Host, LocalSession};
pub use session::{replies_to, run};
