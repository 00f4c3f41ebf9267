//! The integration tests, one binary: it links once and its modules share `support`.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod analyse;
mod architecture;
mod bench;
mod book;
mod datagen;
mod documents;
mod endings;
mod eval;
mod fen;
mod genfens;
mod incremental;
mod json;
mod keys;
mod laws;
mod legality;
mod levels;
#[cfg(target_os = "linux")]
mod memory_limits;
mod package;
#[cfg(feature = "inject-panic")]
mod panics;
mod perft;
mod pgn;
mod pgn_reader;
mod rules;
mod search;
mod sentences;
mod session;
mod shards;
mod snapshots;
mod suites;
mod support;
mod tablebase;
mod terminal;
mod uci;
mod uci_input;
mod uci_process;
mod web;
