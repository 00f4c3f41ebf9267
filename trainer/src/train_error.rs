//! Reasons why training fails.

use std::path::PathBuf;
use std::{fmt, io};

/// Reason why training failed.
#[derive(Debug)]
pub enum TrainError {
    /// No held-out positions to test on.
    NoneHeldOut,
    /// Fewer distilled positions than a batch needs.
    TooFewDistilled {
        /// Distilled positions found.
        positions: usize,
        /// Distilled positions in a batch.
        wanted: usize,
    },
    /// The warm-up is as long as the run or longer.
    TooShort {
        /// Steps in the run.
        steps: u64,
        /// Steps in the warm-up.
        warm_up: u64,
    },
    /// The checkpoint cannot be written, or the run cannot resume from it.
    Checkpoint(PathBuf, io::Error),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoneHeldOut => f.write_str(
                "no position is held out to test on: a smaller held_out or more games are needed",
            ),
            Self::TooFewDistilled { positions, wanted } => write!(
                f,
                "there are {positions} distilled positions and a batch takes {wanted}: \
                 more positions of distillation are needed"
            ),
            Self::TooShort { steps, warm_up } => write!(
                f,
                "the run has {steps} steps, but warm_up takes {warm_up}: \
                 lower warm_up or batch, or add epochs or games"
            ),
            Self::Checkpoint(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for TrainError {}
