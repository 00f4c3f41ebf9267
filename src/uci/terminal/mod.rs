//! Session of a person at a terminal: a prompt, moves in SAN, a board, a table of the search, games
//! against the engine.
//!
//! ```text
//! editor ── UserInput ──▶ console ── Command ──▶ engine
//!    ▲                     │   ▲                   │
//!    └── prompt or watch ──┘   └────── Reply ──────┘
//! ```
//!
//! The console is one thread that owns the game and prints. The engine is the one of UCI, and each
//! UCI command works here too. After `uci` the replies are those of UCI, for programs that start
//! engines in a terminal; only the input is still edited and echoed.

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
