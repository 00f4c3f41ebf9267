//! Plays games of the engine against itself.
//!
//! | file | contents |
//! |---|---|
//! | `run.rs`, `progress.rs` | threads, order of games, progress lines |
//! | `player.rs`, `opening.rs`, `adjudicate.rs` | one game |
//! | `genfens.rs` | start positions for OpenBench |

mod adjudicate;
mod genfens;
mod opening;
mod player;
mod progress;
mod run;

pub use adjudicate::Adjudicator;
pub use genfens::{GenFens, GenFensError, genfens};
pub use player::{MAX_PLIES, Player};
pub use run::{RunError, run};
