//! Tools: games, suites, mates and moves analysed; positions evaluated and looked up in the
//! tablebases; benchmark, perft, self-test and a measurement of speed.
//!
//! A tool writes its lines to a sink and never prints. A tool that takes a stop flag ends early
//! when the flag is set. Messages and progress of a long analysis go to a [`Monitor`].

#![forbid(unsafe_code)]

pub mod analyse;
mod analyser;
mod balance;
pub mod bench;
pub mod epd;
mod evaluate;
mod explain;
pub mod json;
mod mate;
pub mod perft;
pub mod selftest;
mod speedtest;
mod tb;

pub use analyser::SearchSetup;
pub use evaluate::evaluate;
pub use explain::{Explanation, explain};
pub use mate::find_mate;
pub use speedtest::speedtest;
pub use tb::{LookupError, look_up, open_tables};

use std::time::Duration;

/// Maximum length of a line in characters.
const WIDTH: usize = 79;

/// Receiver of a tool's messages and progress.
pub trait Monitor {
    /// Shows a line of text.
    fn message(&mut self, text: &str);

    /// Shows the share done, from 0 to 1 if known, and the current step in a few words.
    fn progress(&mut self, share: Option<f64>, step: &str);
}

/// Returns a rate per second, with a duration of at least 1 ms.
pub(crate) fn per_second(count: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1_000);
    u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX)
}
