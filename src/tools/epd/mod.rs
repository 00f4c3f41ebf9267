//! Test suites in Extended Position Description (EPD): positions with best moves or moves to avoid.
//!
//! | file | contents |
//! |---|---|
//! | `position.rs` | a position with its operations |
//! | `earlier.rs` | the results of an earlier run |
//! | `run.rs` | searches a suite and reports what is solved |
//!
//! Source: <https://www.chessprogramming.org/Extended_Position_Description>

mod earlier;
mod position;
mod run;

pub use run::{EpdError, EpdOptions, run};
