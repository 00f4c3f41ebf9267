//! Trains Tabia's network from its own games.
//!
//! A *recipe* names games by engine, seed and number and says how a network learns from them; the same recipe makes the
//! same network, byte for byte, on any processor and with any number of threads.
//!
//! | file | what |
//! |---|---|
//! | `recipe.rs` | all that decides a network's bytes |
//! | `data.rs`, `target.rs`, `record.rs` | from shards of games to positions with what is to be learnt about them |
//! | `distillation.rs` | positions off the lines of the games, with the evaluation of another network |
//! | `generate.rs`, `git.rs` | the games of a recipe, where they are missing |
//! | `model.rs`, `slice.rs`, `loss.rs` | the network, what it says, and how its loss changes with its parameters |
//! | `learner.rs`, `optimiser.rs` | a step of training, on several threads |
//! | `start.rs` | what training starts from |
//! | `find.rs` | networks that a recipe names by their hash |
//! | `train.rs`, `batches.rs`, `order.rs`, `schedule.rs` | a run of many steps |
//! | `checkpoint.rs` | going on after a break |
//! | `export.rs` | the network in whole numbers, as the engine reads it, and back |
//! | `log.rs`, `plot.rs` | what a run leaves to look at |
//! | `maths.rs` | functions that come out the same everywhere |

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
