//! The search: which move is best, and what the position is worth.
//!
//! Owns everything between a position with limits and a best move. Knows the board and the evaluation, but no text: it
//! sends [`SearchEvent`]s.
//!
//! It is a principal variation search in a fail-soft frame with iterative deepening. *PV nodes* have an open window and
//! return an exact score with its line; all others have a window one unit wide and only show on which side of it the
//! score lies. What leaves a whole node out on a guess happens in the others alone, but for multi-cut (`singular.rs`), so an
//! exact score stands for a line that was searched to its end, and a mate score for a line that mates.
//!
//! Read `alphabeta.rs` first: `alpha_beta` is the table of contents. Scores are hundredths of a pawn for the side
//! to move, depths whole plies, reductions 1/1024 of a ply. Margins and factors are in `params.rs`.
//!
//! | file | what |
//! |---|---|
//! | `threads.rs`, `vote.rs` | the pool of workers, stopping; how they agree on a move |
//! | `solo.rs` | a search on the calling thread |
//! | `sampler.rs` | positions drawn from inside a search tree |
//! | `iterate.rs`, `root.rs` | iterative deepening, aspiration windows, the root's moves |
//! | `node.rs`, `stack.rs`, `pv.rs` | what is known of a node, of a ply, and the best line |
//! | `alphabeta.rs` | the main search |
//! | `pruning.rs`, `probcut.rs`, `reductions.rs` | what it leaves out, and what it searches less deeply |
//! | `singular.rs` | what it searches more deeply |
//! | `tablebases.rs` | results that the tablebases know |
//! | `quiescence.rs` | captures until the position is quiet |
//! | `picker.rs`, `history.rs` | the order of moves |
//! | `corrections.rs` | the evaluation's errors |
//! | `tt.rs`, `memory.rs` | the transposition table, and huge pages for it |
//! | `prefetch.rs` | memory loaded ahead of its use |
//! | `time.rs` | limits and the clock |
//! | `report.rs` | what a search tells |
//! | `params.rs`, `tune.rs` | margins and factors, and how a tuner sets them |

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

/// Nodes between two looks at the clock and the stop flag.
const POLL_INTERVAL: u64 = 512;
/// The first iteration is not broken off before this many nodes, a few milliseconds, so that there is a searched move.
const NODES_BEFORE_ABORT: u64 = 20_000;

/// What the user may set.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Lines to find, at least one.
    pub multi_pv: usize,
    /// Taken off every clock, for what passes between the engine and its opponent.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond; 0 for real time.
    pub nodes_time: u64,
    /// The tablebases.
    pub tablebases: TablebaseOptions,
    /// Whether we may think on the opponent's time, so that our own can be spent more freely.
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

/// What to search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position, with the game before it.
    pub board: Board,
    /// What judges positions.
    pub network: Arc<Network>,
    /// What ends the search.
    pub limits: Limits,
    /// What the tablebases know of the root's moves: those of a higher rank come first, whatever the search thinks of
    /// them. Empty where they do not know them all.
    pub known_moves: Vec<KnownMove>,
    /// What the user set.
    pub options: SearchOptions,
    /// When the search was asked for; time runs from here.
    pub start: Instant,
}

impl SearchRequest {
    /// A search of this position with the network in the program and default options, from now on.
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

/// Memory that one thread keeps from search to search. Only the histories carry information over. To allocate the rest for
/// each search made a search of 40 nodes a third slower.
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

/// One thread's search.
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
    /// This thread's number.
    id: usize,
    nodes: u64,
    /// The node count at which to look at the clock again.
    next_poll: u64,
    /// The longest line of the present iteration in PV nodes, in plies.
    seldepth: usize,
    /// The first ply at which null moves are allowed again, while one is being verified.
    null_move_from: usize,
    /// Whether the search may be broken off: there is a move to answer with, or another thread has to answer.
    may_abort: bool,
    /// Collects lines for self-play; usually empty.
    sampler: LineSampler,
}

impl<'a> Searcher<'a> {
    /// Prepares a search with the memory that the thread's last search returned; `None` before the first.
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

    /// Counts a node, and now and then looks whether to stop.
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
        time.look();
        // Asking a thousand threads for their nodes takes a while.
        let SearchRequest { limits, options, .. } = &self.shared.request;
        let counts = limits.nodes.is_some() || options.nodes_time > 0;
        let nodes = if counts { self.shared.nodes() } else { self.nodes };
        limits.nodes.is_some_and(|limit| nodes >= limit)
            || (!stop.is_pondering() && time.is_hard_limit_reached(nodes, stop.ponder_hit()))
    }

    /// The static evaluation; only out of check.
    #[inline]
    fn evaluate(&mut self) -> Score {
        endings::evaluate(&self.board).unwrap_or_else(|| self.evaluator.evaluate(&self.board))
    }

    /// Plays a move from `ply` on.
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

    /// The rows of the continuation history that speak about moves at `ply`.
    #[inline]
    fn continuation_rows(&self, ply: usize) -> ContinuationRows {
        CONTINUATION_PLIES.map(|plies| self.stack.before(ply, plies).row)
    }

    /// The rows of the correction history that speak about the position at `ply`.
    #[inline]
    fn last_rows(&self, ply: usize) -> LastRows {
        [1, 2, 4].map(|plies| self.stack.before(ply, plies).row)
    }
}
