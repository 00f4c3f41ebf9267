//! Moves as text: UCI notation and standard algebraic notation (SAN).

mod line;
mod san;
mod uci;

pub use line::{move_number, numbered_line, san_line};
pub use san::SanError;
pub(crate) use san::plain_signs;
