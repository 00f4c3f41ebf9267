//! Tabia, a UCI chess engine, as a library: positions, legal moves, evaluation and search.
//!
//! ```
//! use tabia::board::Board;
//! use tabia::search::{Limits, SearchPool, SearchRequest, run};
//!
//! let mut board = Board::startpos();
//! let mv = board.parse_move("e2e4").expect("a legal move");
//! board.make_move(mv);
//! assert_eq!(board.legal_moves().len(), 20);
//!
//! // A pool of one thread searches six plies deep.
//! let mut pool = SearchPool::new(1);
//! let limits = Limits { depth: Some(6), ..Limits::default() };
//! let (outcome, lines) = run(&mut pool, SearchRequest::new(board.clone(), limits));
//!
//! let best = outcome.best.expect("the position has legal moves");
//! assert!(board.is_legal(best));
//! assert_eq!(lines.last().expect("a line for each depth").depth, 6);
//! ```
//!
//! `examples/self_play.rs` plays a whole game. docs/architecture.md is a tour of the source.
//!
//! Layers, each of which uses only some of those before it: [`platform`] ← [`files`] ← [`text`] ←
//! [`types`] ← [`attacks`] ← [`zobrist`] ← [`board`] ← [`openings`] ← [`pgn`] ← [`book`] ←
//! [`tablebase`] ← [`eval`] ← [`search`] ← [`tools`] ← [`datagen`] ← [`engine`] ← [`rules`] ←
//! [`uci`] ← `web` ← `cli` ← `prompt`.
//! Beside them stand `inject`, with panics for tests (feature `inject-panic`), and in the program
//! `processor`, which checks the CPU.
//!
//! `web`, `cli` and `prompt` belong to the program: they need the feature `cli`, which is on by
//! default. A library that needs none of them is used with `default-features = false`.

pub mod attacks;
pub mod board;
pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
pub mod datagen;
pub mod engine;
pub mod eval;
pub mod files;
#[cfg(feature = "inject-panic")]
mod inject;
pub mod openings;
pub mod pgn;
pub mod platform;
#[cfg(feature = "cli")]
pub mod prompt;
pub mod rules;
pub mod search;
pub mod tablebase;
pub mod text;
pub mod tools;
pub mod types;
pub mod uci;
#[cfg(feature = "cli")]
pub mod web;
pub mod zobrist;
