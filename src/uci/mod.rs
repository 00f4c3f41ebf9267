//! The UCI protocol: lines in, commands to the engine, replies as lines.
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

pub(crate) mod command_reader;
pub(crate) mod commands;
pub(crate) mod error;
pub(crate) mod help;
pub(crate) mod input;
pub(crate) mod limits;
mod local_session;
pub(crate) mod reply;
#[cfg(feature = "cli")]
pub(crate) mod session;
pub(crate) mod setup;
pub(crate) mod spelling;
pub(crate) mod words;

pub use commands::errors_in;
pub use local_session::{Host, LocalSession, replies_to};
#[cfg(feature = "cli")]
pub use session::run;
