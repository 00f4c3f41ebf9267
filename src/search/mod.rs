//! The search: finds the best move of a position and its score.
//!
//! It sends [`SearchEvent`]s and depends on no protocol.
//!
//! Fail-soft principal variation search with iterative deepening. *PV nodes* have an open window
//! and return an exact score with its PV; all others have a zero window and return a bound. Only
//! non-PV nodes are pruned as a whole, except by multi-cut (`singular.rs`), so an exact mate score
//! has a PV that mates.
//!
//! A [`SearchPool`] runs a [`SearchRequest`] on its threads. A [`SoloSearch`] searches a board on
//! the calling thread. Each thread has a `Searcher`; its method `alpha_beta` is the table of
//! contents of a node.
//!
//! Scores are in hundredths of a pawn for the side to move, depths in plies, reductions in 1/1024
//! ply. Each file imports only from its own and earlier layers. Methods of `Searcher` may call
//! those of later layers, because the search is recursive:
//!
//! 1. `tune.rs`, `params.rs`: search parameters and their tuning
//! 2. `prefetch.rs`, `memory.rs`, `available.rs`: prefetching, huge pages, available memory
//! 3. `tt/`: transposition table (TT)
//! 4. `clock.rs`: clock of a host without an operating system; `request.rs`, `pv.rs`, `report.rs`:
//!    request, PV table, events
//! 5. `statistics.rs`: tables of the histories
//! 6. `history.rs`, `corrections.rs`, `picker.rs`: histories, correction histories, move ordering
//! 7. `node.rs`, `stack.rs`: node types and context, search stack
//! 8. `root.rs`, `time.rs`: root moves, time management
//! 9. `sampler.rs`: positions from inside a search tree; `recorder/`: nodes of a search
//! 10. `shared.rs`, `searcher.rs`: state shared by the threads, state of one thread
//! 11. `entry.rs`, `evaluation.rs`: entry of a node, static evaluation
//! 12. `tablebases.rs`: tablebase probes
//! 13. `history_updates.rs`: updates of the histories
//! 14. `reductions.rs`, `pruning.rs`, `probcut.rs`: reductions, pruning, ProbCut
//! 15. `singular.rs`: singular extensions
//! 16. `quiescence.rs`, `alphabeta.rs`: quiescence search, main search
//! 17. `iterate.rs`, `vote.rs`: iterative deepening, aspiration windows; thread voting
//! 18. `local.rs`: worker of a pool without threads; `threads.rs`, `solo.rs`: pool of search
//!     threads; search on the calling thread
//! 19. `run.rs`, `record.rs`: search that the caller waits for, search that is recorded

mod alphabeta;
mod available;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod clock;
mod corrections;
mod entry;
mod evaluation;
mod history;
mod history_updates;
mod iterate;
mod local;
mod memory;
mod node;
mod params;
mod picker;
mod prefetch;
mod probcut;
mod pruning;
mod pv;
mod quiescence;
#[cfg(feature = "tree")]
mod record;
mod recorder;
mod reductions;
mod report;
mod request;
mod root;
mod run;
mod sampler;
mod searcher;
mod shared;
mod singular;
mod solo;
mod stack;
mod statistics;
mod tablebases;
#[cfg(test)]
mod tests;
mod threads;
mod time;
mod tt;
mod tune;
mod vote;

pub use available::ensure_room;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::set_clock;
pub use local::HAS_THREADS;
pub use params::TUNABLES;
pub use pv::Line;
#[cfg(feature = "tree")]
pub use record::record;
#[cfg(feature = "tree")]
pub use recorder::{IterationCounts, NodeKind, RecordedNode, SearchTree};
pub use recorder::{NodeEnding, Pruning};
pub use report::{Info, Outcome, SearchEvent};
pub use request::{Duration, Instant, Limits, SearchOptions, SearchRequest, TablebaseOptions};
pub use run::{run, run_until};
pub use solo::SoloSearch;
pub use threads::{PoolError, STACK_BYTES, SearchHandle, SearchPool};
pub use tt::{TranspositionTable, TtError};
pub use tune::{Tunable, VALUE_SETS, use_value_set};
