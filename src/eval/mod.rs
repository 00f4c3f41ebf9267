//! Static evaluation: the [`network`], won [`endings`] and the win/draw/loss model ([`chances`]).
//!
//! Independent of the search, which calls [`Evaluator::push`] before each move.

pub mod chances;
pub mod endings;
pub mod network;
mod trace;

pub use chances::Chances;
pub use network::{Evaluator, Network, NetworkError};
pub use trace::EvalTrace;
