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
//! Read `alphabeta.rs` first: `alpha_beta` is the table of contents. Scores are in hundredths of
//! a pawn for the side to move, depths in plies, reductions in 1/1024 ply. Margins and factors
//! are in `params.rs`.
//!
//! | file | contents |
//! |---|---|
//! | `threads.rs`, `vote.rs` | pool of search threads, stopping; thread voting |
//! | `solo.rs` | search on the calling thread |
//! | `sampler.rs` | sampling of positions from inside a search tree |
//! | `iterate.rs`, `root.rs` | iterative deepening, aspiration windows, root moves |
//! | `node.rs`, `stack.rs`, `pv.rs` | node types and context, search stack, PV table |
//! | `alphabeta.rs` | main search |
//! | `pruning.rs`, `probcut.rs`, `reductions.rs` | pruning, ProbCut, late move reductions |
//! | `singular.rs` | singular extensions |
//! | `tablebases.rs` | tablebase probes |
//! | `quiescence.rs` | quiescence search |
//! | `picker.rs`, `history.rs` | move ordering |
//! | `corrections.rs` | correction histories |
//! | `tt.rs`, `memory.rs` | transposition table (TT), and huge pages for it |
//! | `prefetch.rs` | prefetching of memory |
//! | `time.rs` | limits and time management |
//! | `report.rs` | events of a search |
//! | `params.rs`, `tune.rs` | search parameters, and setting them for tuning |

mod alphabeta;
mod corrections;
mod history;
mod iterate;
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
mod root;
mod sampler;
mod singular;
mod solo;
mod stack;
mod tablebases;
#[cfg(test)]
mod tests;
mod threads;
mod time;
pub mod tt;
mod tune;
mod vote;

pub use params::TUNABLES;
pub use pv::Line;
pub use report::{Info, Outcome, SearchEvent};
pub use solo::SoloSearch;
pub use tablebases::TablebaseOptions;
pub use threads::{STACK_BYTES, SearchHandle, SearchPool, run};
pub use time::{Duration, Instant, Limits};
pub use tune::{Tunable, VALUE_SETS, use_value_set};

use std::sync::Arc;

use crate::board::Board;
use crate::eval::{Evaluator, Network, endings};
use crate::tablebase::KnownMove;
use crate::types::{Move, Score};

use corrections::LastRows;
use history::{CONTINUATION_PLIES, ContinuationRow, ContinuationRows, Histories};
use node::Aborted;
use pv::PvTable;
use report::Reporter;
use root::RootMoves;
use sampler::LineSampler;
use stack::Stack;
use threads::SharedState;
use time::Clock;

/// Nodes between two polls of the clock and the stop flag.
const POLL_INTERVAL: u64 = 512;
/// The first iteration is not aborted before this number of nodes (a few milliseconds), so that a
/// searched move is available.
const NODES_BEFORE_ABORT: u64 = 20_000;

/// Options set by the user.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Number of lines to find, at least 1.
    pub multi_pv: usize,
    /// Deducted from every clock, for delays between the engine and its opponent.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond; 0 for real time.
    pub nodes_time: u64,
    /// Tablebases, and when to probe them.
    pub tablebases: TablebaseOptions,
    /// Whether pondering is on, so that more of the engine's own time may be used.
    pub ponder: bool,
    /// Whether static evaluations shrink with the halfmove clock. Self-play turns it off: networks
    /// do not see the clock, so they cannot learn from scores that depend on it.
    pub scale_by_clock: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Duration::from_millis(20),
            nodes_time: 0,
            tablebases: TablebaseOptions::default(),
            ponder: false,
            scale_by_clock: true,
        }
    }
}

/// Position and conditions of a search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// Position, with the game before it.
    pub board: Board,
    /// Network that evaluates positions.
    pub network: Arc<Network>,
    /// Limits of the search.
    pub limits: Limits,
    /// Tablebase results of the root moves; empty unless all are known. Moves of a higher rank
    /// are searched first.
    pub known_moves: Vec<KnownMove>,
    /// Options set by the user.
    pub options: SearchOptions,
    /// Time of the request, from which the clock runs.
    pub start: Instant,
}

impl SearchRequest {
    /// Creates a request with the embedded network and default options, starting now.
    pub fn new(board: Board, limits: Limits) -> Self {
        Self {
            board,
            network: Network::embedded(),
            limits,
            known_moves: Vec::new(),
            options: SearchOptions::default(),
            start: Instant::now(),
        }
    }
}

/// Memory that a thread keeps from search to search. Only the histories carry information over.
///
/// The rest is kept for speed: allocating it made a search of 40 nodes a third slower.
struct ThreadMemory {
    histories: Histories,
    board: Board,
    evaluator: Evaluator,
    stack: Stack,
    pv: PvTable,
}

impl ThreadMemory {
    fn new(request: &SearchRequest) -> Self {
        Self {
            histories: Histories::new(),
            board: request.board.clone(),
            evaluator: Evaluator::new(request.network.clone(), &request.board),
            stack: Stack::new(),
            pv: PvTable::new(),
        }
    }
}

/// Search of one thread.
struct Searcher<'a> {
    shared: &'a SharedState,
    histories: Histories,
    board: Board,
    evaluator: Evaluator,
    stack: Stack,
    pv: PvTable,
    root: RootMoves,
    clock: Clock,
    /// Only the main thread reports.
    reporter: Option<&'a Reporter>,
    /// Index of the thread.
    id: usize,
    nodes: u64,
    /// Node count of the next poll.
    next_poll: u64,
    /// Longest line of the current iteration in PV nodes, in plies.
    seldepth: usize,
    /// First ply at which null moves are allowed again, during a null-move verification.
    null_move_from: usize,
    /// Whether the search may be aborted: there is a best move, or another thread returns one.
    may_abort: bool,
    /// Collects lines for self-play; usually empty.
    sampler: LineSampler,
}

impl<'a> Searcher<'a> {
    /// Creates a search with the memory that the thread's last search returned; `None` before the
    /// first.
    fn new(
        shared: &'a SharedState,
        memory: Option<ThreadMemory>,
        clock: Clock,
        reporter: Option<&'a Reporter>,
        id: usize,
    ) -> Self {
        let request = &shared.request;
        let memory = memory.unwrap_or_else(|| ThreadMemory::new(request));
        let ThreadMemory { histories, mut board, mut evaluator, mut stack, pv } = memory;
        board.clone_from(&request.board);
        evaluator.reset(&request.network, &board);
        stack.clear();
        let may_abort = matches!(clock, Clock::Follower);
        Self {
            shared,
            histories,
            board,
            evaluator,
            stack,
            pv,
            root: RootMoves::new(request),
            clock,
            reporter,
            id,
            nodes: 0,
            next_poll: 0,
            seldepth: 0,
            null_move_from: 0,
            may_abort,
            sampler: LineSampler::default(),
        }
    }

    /// Ends the search and returns the memory for the next one.
    fn into_memory(self) -> ThreadMemory {
        let Self { histories, board, evaluator, stack, pv, .. } = self;
        ThreadMemory { histories, board, evaluator, stack, pv }
    }

    /// Counts a node, and polls the clock and the stop flag at intervals.
    #[inline]
    fn count_node(&mut self, ply: usize) -> Result<(), Aborted> {
        self.nodes += 1;
        if self.nodes >= self.next_poll { self.poll(ply) } else { Ok(()) }
    }

    #[cold]
    fn poll(&mut self, ply: usize) -> Result<(), Aborted> {
        self.shared.publish_nodes(self.id, self.nodes);
        let must_stop = self.must_stop();
        self.next_poll = self.nodes + POLL_INTERVAL;
        if let Some(limit) = self.shared.request.limits.nodes
            && limit > self.nodes
        {
            self.next_poll = self.next_poll.min(limit);
        }
        let line = (0..ply).map(|ply| self.stack.frame(ply).mv);
        self.sampler.visit(self.nodes, line);
        if let Some(node) = self.sampler.next() {
            self.next_poll = self.next_poll.min(node);
        }
        let may_abort = self.may_abort
            || self.nodes >= NODES_BEFORE_ABORT
            || self.shared.request.limits.is_strict && self.is_node_limit_reached();
        if must_stop && may_abort { Err(Aborted) } else { Ok(()) }
    }

    /// Returns whether all threads together have searched the node limit.
    fn is_node_limit_reached(&self) -> bool {
        let limit = self.shared.request.limits.nodes;
        limit.is_some_and(|limit| self.shared.nodes() >= limit)
    }

    fn must_stop(&mut self) -> bool {
        let stop = &self.shared.stop;
        if stop.is_stopped() {
            return true;
        }
        let Clock::Managed(time) = &mut self.clock else { return false };
        time.record_poll();
        // Summing the node counts of many threads is slow, so it is done only if needed.
        let SearchRequest { limits, options, .. } = &self.shared.request;
        let counts = limits.nodes.is_some() || options.nodes_time > 0;
        let nodes = if counts { self.shared.nodes() } else { self.nodes };
        limits.nodes.is_some_and(|limit| nodes >= limit)
            || (!stop.is_pondering() && time.is_hard_limit_reached(nodes, stop.ponder_hit()))
    }

    /// Returns the raw evaluation of the position. Only out of check.
    #[inline]
    fn evaluate(&mut self) -> Score {
        endings::evaluate(&self.board).unwrap_or_else(|| self.evaluator.evaluate(&self.board))
    }

    /// Makes a move at `ply`.
    #[inline]
    fn make_move(&mut self, ply: usize, mv: Move) {
        self.shared.tt.prefetch(self.board.key_after(mv));
        let frame = self.stack.frame_mut(ply);
        frame.mv = Some(mv);
        frame.row = ContinuationRow::new(self.board.moved_piece(mv), mv.to());
        self.evaluator.push();
        self.board.make_move_with(mv, &mut self.evaluator);
        self.histories.corrections.prefetch(&self.board, self.last_rows(ply + 1));
    }

    #[inline]
    fn unmake_move(&mut self) {
        self.board.unmake_move();
        self.evaluator.pop();
    }

    /// Returns the rows of the continuation history for moves at `ply`.
    #[inline]
    fn continuation_rows(&self, ply: usize) -> ContinuationRows {
        CONTINUATION_PLIES.map(|plies| self.stack.before(ply, plies).row)
    }

    /// Returns the rows of the correction history for the position at `ply`.
    #[inline]
    fn last_rows(&self, ply: usize) -> LastRows {
        [1, 2, 4].map(|plies| self.stack.before(ply, plies).row)
    }
}
