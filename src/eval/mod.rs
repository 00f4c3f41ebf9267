//! Static evaluation of a position.
//!
//! Owns the [`network`] and its incrementally updated accumulators, the knowledge of won
//! [`endings`], and the win/draw/loss model. Depends on the board, not on the search: the search
//! reports each move to an [`Evaluator`] and asks it for scores.

pub mod chances;
pub mod endings;
pub mod network;
mod trace;

pub use chances::Chances;
pub use network::{Evaluator, Network, NetworkError};
pub use trace::EvalTrace;
