//! Reasons why training fails.

use std::io;
use std::path::PathBuf;

use tabia::text::ShownPath;
use thiserror::Error;

/// Reason why training failed.
#[derive(Debug, Error)]
pub enum TrainError {
    /// No held-out positions to test on.
    #[error("no position is held out to test on: a smaller held_out or more games are needed")]
    NoneHeldOut,
    /// Fewer distilled positions than a batch needs.
    #[error(
        "there are {positions} distilled positions and a batch takes {wanted}: \
         more positions of distillation are needed"
    )]
    TooFewDistilled {
        /// Distilled positions found.
        positions: usize,
        /// Distilled positions in a batch.
        wanted: usize,
    },
    /// The warm-up is as long as the run or longer.
    #[error(
        "the run has {steps} steps, but warm_up takes {warm_up}: \
         lower warm_up or batch, or add epochs or games"
    )]
    TooShort {
        /// Steps in the run.
        steps: u64,
        /// Steps in the warm-up.
        warm_up: u64,
    },
    /// The checkpoint cannot be written, or the run cannot resume from it.
    #[error("{}: {}", ShownPath(.0), .1)]
    Checkpoint(PathBuf, io::Error),
}
