//! Moves as text: UCI notation and standard algebraic notation (SAN).

mod san;
mod uci;

pub use san::SanError;
