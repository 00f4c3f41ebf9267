//! Data generation: self-play games of the engine as training data.
//!
//! A run plays games from random openings with short searches and writes them to *shards*. Game i
//! of a seed is the same on every machine: it depends on the seed, i, the options and the engine,
//! never on threads or time. Whole games are kept, so that training can select positions.
//! docs/data-format.md describes the files, lab/data.md has the measurements.
//!
//! | file | contents |
//! |---|---|
//! | `options.rs` | options of a run |
//! | `run.rs`, `progress.rs` | threads, order of games, progress lines |
//! | `play.rs`, `opening.rs`, `adjudicate.rs`, `game.rs` | one game |
//! | `model.rs`, `order.rs`, `coder.rs` | games as bytes |
//! | `shard.rs`, `writer.rs`, `bytes.rs` | shard files |
//! | `filter.rs`, `packing.rs` | training positions: filter, packed pieces |
//! | `genfens.rs` | start positions for OpenBench |

#![forbid(unsafe_code)]

mod adjudicate;
mod bytes;
mod coder;
mod filter;
mod game;
mod genfens;
mod model;
mod opening;
mod options;
mod order;
mod packing;
mod play;
mod progress;
mod run;
mod shard;
mod writer;

pub use adjudicate::{Adjudicator, verdict_by_rule};
pub use filter::KeepFilter;
pub use game::{BackRanks, Ending, Game, GameResult, Interior, Label, Ply, Verdict};
pub use genfens::{GenFens, GenFensError, genfens};
pub use options::{DatagenOption, FOLDER_VARIABLE, GameOptions, Options, RunOptions};
pub use packing::PackedPieces;
pub use play::{MAX_PLIES, Player};
pub use run::{RunError, run};
pub use shard::{
    Damage, DamageKind, Shard, ShardBlock, ShardBlocks, ShardError, ShardHeader, Version,
    encode_block,
};
pub use writer::WriteError;
