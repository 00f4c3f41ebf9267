//! Test suites in Extended Position Description (EPD): positions with best moves or moves to avoid.
//!
//! Source: <https://www.chessprogramming.org/Extended_Position_Description>

mod position;
mod run;

pub use position::{EpdPosition, EpdPositionError, EpdTask};
pub use run::{EpdError, EpdOptions, run};
