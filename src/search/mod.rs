//! The search: finds the best move of a position and its score.
//!
//! It depends on the board and the evaluation, but not on a protocol: it sends [`SearchEvent`]s.
//!
//! The search is a fail-soft principal variation search with iterative deepening. *PV nodes* have
//! an open window and return an exact score with its PV. All other nodes have a zero window and
//! only show on which side of it the score lies. Pruning of whole nodes is limited to non-PV nodes,
//! except for multi-cut (`singular.rs`). So an exact score stands for a complete line, and a mate
//! score for a line that mates.
//!
//! A [`SearchRequest`] goes to a [`SearchPool`], or to a [`SoloSearch`] on the calling thread. Each
//! thread makes a `Searcher` of it and iterates over depths. Each depth searches the root with
//! `alpha_beta`, whose body is the table of contents of a node: enter it, evaluate it, prune it,
//! search its moves, learn from it. At depth 0 `quiescence` takes over.
//!
//! Scores are in hundredths of a pawn for the side to move, depths in plies, reductions in 1/1024
//! ply. Margins and factors are in `params.rs`. Each file uses only those above it in this table or
//! in its row, and the parts of `Searcher` are methods in the files of their subjects:
//!
//! | file | contents |
//! |---|---|
//! | `tune.rs`, `params.rs` | search parameters, and setting them for tuning |
//! | `prefetch.rs`, `memory.rs`, `available.rs` | prefetching, huge pages, available memory |
//! | `tt/` | transposition table (TT) |
//! | `request.rs`, `pv.rs`, `report.rs` | request for a search; PV table; events of a search |
//! | `statistics.rs` | tables that the histories share |
//! | `history.rs`, `corrections.rs`, `picker.rs` | histories, correction histories, move ordering |
//! | `node.rs`, `stack.rs` | node types and context, search stack |
//! | `root.rs`, `time.rs` | root moves and their lines, time management |
//! | `sampler.rs` | sampling of positions from inside a search tree |
//! | `shared.rs`, `searcher.rs` | state of a search, shared by its threads and of one thread |
//! | `entry.rs`, `evaluation.rs` | entry of a node, static evaluation |
//! | `tablebases.rs` | tablebase probes |
//! | `learning.rs` | updates of histories after a node |
//! | `reductions.rs`, `pruning.rs`, `probcut.rs` | late move reductions, pruning, ProbCut |
//! | `singular.rs` | singular extensions |
//! | `quiescence.rs`, `alphabeta.rs` | quiescence search, main search |
//! | `iterate.rs`, `vote.rs` | iterative deepening, aspiration windows; thread voting |
//! | `threads.rs`, `solo.rs` | pool of search threads; search on the calling thread |

mod alphabeta;
mod available;
mod corrections;
mod entry;
mod evaluation;
mod history;
mod iterate;
mod learning;
mod memory;
mod node;
mod params;
mod picker;
mod prefetch;
mod probcut;
mod pruning;
mod pv;
mod quiescence;
mod reductions;
mod report;
mod request;
mod root;
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

pub use params::TUNABLES;
pub use pv::Line;
pub use report::{Info, Outcome, SearchEvent};
pub use request::{Duration, Instant, Limits, SearchOptions, SearchRequest, TablebaseOptions};
pub use solo::SoloSearch;
pub use threads::{PoolError, STACK_BYTES, SearchHandle, SearchPool, ensure_room, run};
pub use tt::{TranspositionTable, TtError};
pub use tune::{Tunable, VALUE_SETS, use_value_set};
