//! Tabia, a UCI chess engine.
//!
//! The layers, each knowing only those before it:
//! [`types`] ← [`attacks`] ← [`zobrist`] ← [`board`].

pub mod attacks;
pub mod board;
pub mod types;
pub mod zobrist;
