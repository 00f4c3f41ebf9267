//! Tabia as a WebAssembly module: a UCI engine, and the rules of chess for a page.
//!
//! `worker.js` and `rules.js` are the two users. `host.rs` is the interface between them and this
//! crate; `tabia::rules` answers questions about positions and games. For other targets it is
//! empty.

#![cfg(all(target_family = "wasm", target_os = "unknown"))]

mod host;
