//! Session at a terminal: prompt, moves in SAN, board, search table, games against the engine.
//!
//! ```text
//! editor ── UserInput ──▶ console ── Command ──▶ engine
//!    ▲                     │   ▲                   │
//!    └── prompt or watch ──┘   └────── Reply ──────┘
//! ```
//!
//! The console is one thread that owns the game and prints. Each UCI command works here too. After
//! `uci` the session is plain UCI, for programs that start engines in a terminal; the input is
//! still edited and echoed.

#![forbid(unsafe_code)]

mod autosave;
mod board_view;
mod calendar;
mod completion;
mod console;
mod editor;
mod engine_game;
mod keyboard;
mod paths;
mod pgn_file;
mod play_control;
mod played_game;
mod saved_game;
mod search_table;
mod style;

pub use console::{has_terminal, run};
