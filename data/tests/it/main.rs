//! Integration tests of `tabia-data`, on games that the engine plays here.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod export;
mod program;
mod reports;
mod support;
