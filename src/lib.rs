//! Tabia, a UCI chess engine.
//!
//! The layers, each knowing only those before it: [`types`] ← [`attacks`] ← [`zobrist`] ← [`board`] ← [`book`] ←
//! [`tablebase`] ← [`eval`] ← [`search`] ← [`tools`] ← [`datagen`] ← [`engine`] ← [`uci`].

pub mod attacks;
pub mod board;
pub mod book;
pub mod datagen;
pub mod engine;
pub mod eval;
pub mod search;
pub mod tablebase;
pub mod tools;
pub mod types;
pub mod uci;
pub mod zobrist;
