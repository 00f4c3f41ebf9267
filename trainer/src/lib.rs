//! Trains Tabia's network from self-play games.
//!
//! A *recipe* names games by engine, seed and number and defines the training. The same recipe
//! gives the same network, byte for byte, on any CPU and with any number of threads.
//!
//! | file | contents |
//! |---|---|
//! | `recipe.rs` | settings that determine a network's bytes |
//! | `data.rs`, `target.rs`, `record.rs` | from shards of games to positions with targets |
//! | `distillation.rs` | positions evaluated by another network |
//! | `generate.rs`, `git.rs` | generation of missing games |
//! | `model.rs`, `slice.rs`, `loss.rs` | network, forward and backward pass |
//! | `learner.rs`, `optimiser.rs` | training steps on several threads |
//! | `start.rs` | initial parameters |
//! | `find.rs` | lookup of networks by hash |
//! | `train.rs`, `batches.rs`, `order.rs`, `schedule.rs` | training loop |
//! | `checkpoint.rs` | resuming an interrupted run |
//! | `export.rs` | quantisation for the engine, and back |
//! | `log.rs`, `plot.rs` | log and plot of a run |
//! | `maths.rs` | functions with the same result on every machine |

pub mod batches;
pub mod checkpoint;
pub mod data;
pub mod distillation;
pub mod export;
pub mod find;
pub mod generate;
mod git;
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
pub mod train;
