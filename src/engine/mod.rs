//! Engine as an actor: it owns the board, the options and the search threads, takes [`Command`]s
//! and sends [`Reply`](protocol::Reply)s.
//!
//! Its thread never waits for a search or job: they run on other threads and report through
//! channels. Meanwhile most commands wait in a queue; while that is full, none is received. `go`
//! and `stop` pass through this one thread and its queue, and each search has its own stop flag, so
//! no `stop` is lost.

#![forbid(unsafe_code)]

pub mod about;
mod actor;
mod advance;
mod draw_offer;
mod go;
mod job;
mod level;
pub mod options;
mod oversight;
mod own_book;
pub mod protocol;
mod seed;
pub mod session_log;
mod set_position;
mod settings;
mod show;
mod start_job;
pub mod value;

pub use actor::{Engine, MAX_QUEUE};
pub use draw_offer::draw_refusal;
pub use protocol::Command;
pub use seed::random_seed;
