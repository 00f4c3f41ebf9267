//! Session of a person at a terminal: a prompt, moves in SAN, a board, a table of the search, games
//! against the engine.
//!
//! ```text
//! editor ── Input ──▶ console ── Command ──▶ engine
//!    ▲                 │   ▲                   │
//!    └──── prompt ─────┘   └────── Reply ──────┘
//! ```
//!
//! The console is one thread that owns the game and prints. The engine is the one of UCI, and each
//! UCI command works here too. After `uci` the session is plain UCI: programs also start engines in
//! a terminal.

mod board_view;
mod clock;
mod console;
mod editor;
mod game;
mod keys;
mod match_play;
mod search_table;
mod style;

pub(super) use console::run;
