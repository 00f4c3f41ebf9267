//! Trains Tabia's network from self-play games.
//!
//! A *recipe* names games by engine, seed and number and defines the training. It gives the same
//! network, byte for byte, on any CPU and with any number of threads (docs/training.md).
//!
//! `data.rs` turns shards of games into positions with the targets of `target.rs`, and
//! `unpacked.rs` keeps the games for the next time. `train.rs` is the training loop, `learner.rs` a
//! step on several threads, `slice.rs` the forward and backward pass. `export.rs` is the
//! quantisation for the engine, and `formats.rs` reads and writes all versions of its files.
//! `judge` measures networks.

pub mod batches;
pub mod checkpoint;
pub mod checksum;
pub mod data;
pub mod distillation;
pub mod export;
pub mod find;
pub mod formats;
pub mod generate;
mod git;
pub mod judge;
pub mod learner;
pub mod log;
pub mod loss;
pub mod maths;
pub mod model;
pub mod optimiser;
pub mod order;
pub mod plot;
pub mod recipe;
pub mod record;
pub mod schedule;
pub mod slice;
pub mod start;
pub mod target;
pub mod tile;
pub mod train;
pub mod train_error;
pub mod unpacked;
