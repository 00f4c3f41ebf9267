//! Data generation: self-play games of the engine as training data.
//!
//! A run plays games from random openings with short searches and writes them to *shards*. Game i
//! of a seed is the same on every machine: it depends on the seed, i, the options and the engine,
//! never on threads or time. Whole games are kept, so that training can select positions.
//! docs/data-format.md describes the files, lab/data.md has the measurements.
//!
//! | file or folder | contents |
//! |---|---|
//! | `options.rs` | options of a run |
//! | `game.rs` | a game with its labels, the positions to learn from |
//! | `filter.rs` | which labels to keep |
//! | `format/` | games as bytes: shard files |
//! | `play/` | the games of a run; start positions for OpenBench |

#![forbid(unsafe_code)]

mod filter;
mod format;
mod game;
mod options;
mod play;

pub use filter::KeepFilter;
pub use format::{
    Damage, DamageKind, PackedPieces, Shard, ShardBlock, ShardBlocks, ShardError, ShardHeader,
    Version, WriteError, encode_block,
};
pub use game::{BackRanks, Ending, Game, Interior, Label, Ply, Verdict};
pub use options::{DatagenOption, FOLDER_VARIABLE, GameOptions, Options, RunOptions};
pub use play::{Adjudicator, GenFens, GenFensError, MAX_PLIES, Player, RunError, genfens, run};
