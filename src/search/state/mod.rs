//! State of a search: the context of a node, the search stack, the PV table, the root moves, the
//! state that threads share, time management.

mod context;
mod pv;
mod root;
mod shared;
mod stack;
mod time;

pub(crate) use context::{
    Aborted, Candidate, Evaluations, HidingRoot, NodeContext, NodeType, NonPv, Root, Window,
};
pub use pv::Line;
pub(crate) use pv::PvTable;
pub(crate) use root::{RootMoves, ScoredLine};
pub(crate) use shared::{SharedState, StopFlag};
pub(crate) use stack::Stack;
pub(crate) use time::{Clock, Iteration};
