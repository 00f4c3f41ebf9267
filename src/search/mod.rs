//! The search: finds the best move of a position and its score.
//!
//! It sends [`SearchEvent`]s and depends on no protocol.
//!
//! Fail-soft principal variation search with iterative deepening. *PV nodes* have an open window
//! and return an exact score with its PV; all others have a zero window and return a bound. Only
//! non-PV nodes are pruned as a whole, except by multi-cut (`singular.rs`) and by mates outside the
//! window (`entry.rs`), so an exact mate score has a PV that mates. Nearly all mates end in a bound
//! first, and their lines are built afterwards (`mate_line.rs`).
//!
//! A [`SearchPool`] runs a [`SearchRequest`] on its threads. A [`SoloSearch`] searches a board on
//! the calling thread. Each thread has a `Searcher`; its method `search_node` is the table of
//! contents of a node.
//!
//! Scores are in hundredths of a pawn for the side to move, depths in plies, reductions in 1/1024
//! ply. Each folder and file uses only those before it:
//!
//! 1. `tune.rs`, `params.rs`: search parameters and their tuning
//! 2. `request.rs`: request of a search
//! 3. `ordering/`, `tt/`: move ordering and histories; transposition table (TT)
//! 4. `state/`: context of a node, stack, PV, root moves, state shared by the threads, time
//! 5. `recorder/`, `report.rs`: nodes of a search that is recorded; events
//! 6. `node/`: search of a node
//! 7. `pool/`: iterative deepening, search threads and their vote

mod node;
mod ordering;
mod params;
mod pool;
mod recorder;
mod report;
mod request;
mod state;
#[cfg(test)]
mod tests;
mod tt;
mod tune;

pub use params::TUNABLES;
#[cfg(feature = "tree")]
pub use pool::record;
pub use pool::{PoolError, STACK_BYTES, SearchHandle, SearchPool, SoloSearch, run, run_until};
#[cfg(feature = "tree")]
pub use recorder::{IterationCounts, NodeKind, RecordedNode, SearchTree};
pub use recorder::{NodeEnding, Pruning};
pub use report::{Info, Outcome, SearchEvent};
pub use request::{Limits, SearchOptions, SearchRequest, TablebaseOptions};
pub use state::Line;
pub use tt::{TranspositionTable, TtError};
pub use tune::{Tunable, VALUE_SETS, use_value_set};
