//! x
pub mod types;
