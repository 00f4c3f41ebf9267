//! Text around the engine: the command line, the UCI protocol and the output.
//!
//! ```text
//! stdin ── reader ── Command ──▶ engine ── Reply ──▶ writer ── stdout
//!                                 ▲  │
//!                     SearchEvent │  ▼ SearchRequest
//!                              search threads
//! ```
//!
//! The reader never waits for the engine, so `stop` acts at once. One thread writes whole lines.

mod cli;
mod commands;
mod error;
mod go;
mod help;
mod input;
mod output;
mod perft;
mod reply;
mod session;
mod suggest;
mod text;
mod tools;
mod words;

pub use cli::run;
