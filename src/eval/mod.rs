//! The evaluation: what a position is worth without looking ahead.
//!
//! Owns the [`network`] and what it needs of a line of moves, the knowledge of won [`endings`], and what scores mean for
//! the result. Knows the board, but nothing of the search: the search tells an [`Evaluator`] what a move does to the
//! board and asks for scores.

pub mod chances;
pub mod endings;
pub mod network;
mod trace;

pub use chances::Chances;
pub use network::{Evaluator, Network, NetworkError};
pub use trace::EvalTrace;
