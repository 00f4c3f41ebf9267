//! Engine as an actor: it owns the board, the options and the search threads, takes [`Command`]s
//! and sends [`Reply`](protocol::Reply)s.
//!
//! The engine's thread never blocks. Searches and tools run on other threads and report through
//! channels. While one runs, `stop`, `ponderhit`, `isready`, `debug` and `quit` act at once; all
//! other commands wait in a queue. `go` and `stop` pass through this one thread, and each search
//! has its own stop flag, so no `stop` is lost: one that follows a queued `go` stays behind it in
//! the queue. While the queue is full, no command is received.

#![forbid(unsafe_code)]

pub mod about;
mod actor;
mod go;
mod job;
mod level;
pub mod options;
mod own_book;
mod position;
pub mod protocol;
pub mod quoted;
pub mod session_log;
mod settings;
mod show;
mod tablebase;
mod tools;
mod tune;
pub mod value;

pub use actor::{Action, Command, Engine, MAX_QUEUE};
