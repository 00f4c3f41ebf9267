//! Tabia as a WebAssembly module: a UCI engine, and the rules of chess for a page.
//!
//! `worker.js` and `rules.js` are the two users. `host.rs` is the interface between them and this
//! crate, `rules.rs` answers questions about positions and games.

mod host;
mod rules;
