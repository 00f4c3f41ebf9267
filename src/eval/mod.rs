//! Static evaluation: the [`network`], won [`endings`], drawn ones (`drawn.rs`) and the
//! win/draw/loss model ([`chances`]).
//!
//! Independent of the search, which calls [`Evaluator::push`] before each move.

pub mod chances;
mod distances;
mod drawn;
pub mod endings;
pub mod network;
mod pawn_ending;
mod queen_rook;
mod trace;

pub use chances::Chances;
pub(crate) use drawn::scale;
pub use network::{Evaluator, Network, NetworkError};
pub use trace::EvalTrace;
