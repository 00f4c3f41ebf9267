//! Search of one thread: its state, its node count, and the making of moves.

use std::io;

use crate::board::Board;
use crate::eval::{Evaluator, Network};
use crate::platform::Room;
use crate::search::ordering::{
    CONTINUATION_PLIES, ContinuationRows, Histories, LAST_PLIES, LastMoves, PieceTo,
};
use crate::search::recorder::Recorder;
use crate::search::report::Reporter;
use crate::search::request::SearchRequest;
use crate::search::state::{Aborted, Clock, NodeType, PvTable, RootMoves, SharedState, Stack};
use crate::types::Move;
use crate::zobrist;

use super::sampler::LineSampler;

/// Nodes between two polls of the clock and the stop flag.
const POLL_INTERVAL: u64 = 512;
/// Nodes before the first iteration may be aborted (a few milliseconds), so that a searched move is
/// available.
const NODES_BEFORE_ABORT: u64 = 20_000;

/// Memory that a thread keeps from search to search: the histories for what they hold, the rest for
/// the speed of short searches (lab/performance.md).
pub(crate) struct ThreadMemory {
    pub(crate) histories: Histories,
    board: Board,
    evaluator: Evaluator,
    stack: Stack,
    pv: PvTable,
}

impl ThreadMemory {
    /// Upper bound on the memory in bytes, mostly the histories.
    pub(crate) const MAX_BYTES: u64 = 4 << 20;
    /// Upper bound on what a thread allocates beyond that during a search, in bytes.
    pub(crate) const MAX_GROWTH: usize = 1 << 20;

    /// Allocates the memory. In a control group its pages are used at once.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn new() -> io::Result<Self> {
        Room::check(Self::MAX_BYTES)?;
        let mut histories = Histories::new()?;
        if Room::is_in_group() {
            histories.clear();
        }
        let board = Board::startpos();
        Ok(Self {
            histories,
            evaluator: Evaluator::new(Network::embedded()),
            board,
            stack: Stack::new(),
            pv: PvTable::new(),
        })
    }

    /// Takes the memory that was kept, or new memory before the first search and after a panic.
    pub(crate) fn kept_or_new(kept: &mut Option<Self>) -> Self {
        kept.take().unwrap_or_else(|| Self::new().expect("the system has a few MiB"))
    }
}

pub(crate) struct Searcher<'a> {
    pub(crate) shared: &'a SharedState,
    pub(crate) histories: Histories,
    pub(crate) board: Board,
    pub(crate) evaluator: Evaluator,
    pub(crate) stack: Stack,
    pub(crate) pv: PvTable,
    pub(crate) root: RootMoves,
    pub(crate) clock: Clock,
    /// `None` for helpers and solo searches.
    pub(crate) reporter: Option<&'a Reporter>,
    pub(crate) id: usize,
    pub(crate) nodes: u64,
    /// Upper bound on `nodes` until the next claim; `u64::MAX` if nothing is to be claimed.
    claimed_nodes: u64,
    /// Node count of the next poll.
    pub(crate) next_poll: u64,
    /// Greatest ply of a PV node since the search of the current line began.
    pub(crate) seldepth: usize,
    /// First ply at which null moves are allowed again, during a null-move verification.
    pub(crate) null_move_from: usize,
    /// True if there is a best move, or another thread returns one.
    pub(crate) may_abort: bool,
    /// Called at each poll of a search on the caller's thread.
    pub(crate) pulse: Option<&'a mut dyn FnMut()>,
    /// Used by self-play; otherwise empty.
    pub(crate) sampler: LineSampler,
    pub(crate) recorder: Recorder,
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(
        shared: &'a SharedState,
        memory: ThreadMemory,
        clock: Clock,
        reporter: Option<&'a Reporter>,
        id: usize,
    ) -> Self {
        let request = &shared.request;
        let ThreadMemory { histories, mut board, mut evaluator, mut stack, pv } = memory;
        board.clone_from(&request.board);
        evaluator.reset(&request.network);
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
            claimed_nodes: shared.first_nodes(id),
            next_poll: 0,
            seldepth: 0,
            null_move_from: 0,
            may_abort,
            pulse: None,
            sampler: LineSampler::default(),
            recorder: Recorder::default(),
        }
    }

    pub(crate) fn into_memory(self) -> ThreadMemory {
        let Self { histories, board, evaluator, stack, pv, .. } = self;
        ThreadMemory { histories, board, evaluator, stack, pv }
    }

    #[inline]
    pub(crate) fn count_node(&mut self, ply: usize) -> Result<(), Aborted> {
        self.nodes += 1;
        #[cfg(feature = "inject-panic")]
        crate::inject::panic_at(crate::inject::PanicPlace::Thread(self.id), self.nodes);
        if self.nodes >= self.next_poll { self.poll(ply) } else { Ok(()) }
    }

    #[cold]
    fn poll(&mut self, ply: usize) -> Result<(), Aborted> {
        self.claim_nodes()?;
        self.shared.publish_nodes(self.id, self.nodes);
        if let Some(pulse) = &mut self.pulse {
            pulse();
        }
        let must_stop = self.must_stop();
        let line = (0..ply).map(|ply| self.stack.frame(ply).mv);
        self.sampler.visit(self.nodes, line);
        self.next_poll = self.node_of_next_poll();
        let may_abort = self.may_abort
            || self.nodes >= NODES_BEFORE_ABORT
            || self.shared.request.limits.is_strict && self.is_node_limit_reached();
        if must_stop && may_abort { Err(Aborted) } else { Ok(()) }
    }

    /// Claims more nodes of a strict limit if the thread has none left.
    fn claim_nodes(&mut self) -> Result<(), Aborted> {
        if self.nodes > self.claimed_nodes {
            self.claimed_nodes += self.shared.claim_nodes();
            if self.nodes > self.claimed_nodes {
                self.nodes = self.claimed_nodes;
                return Err(Aborted);
            }
        }
        Ok(())
    }

    /// Returns the node count of the next poll: after an interval, or sooner where nodes must be
    /// claimed, the limit is reached or a line is to be sampled.
    fn node_of_next_poll(&self) -> u64 {
        let limit = self.shared.request.limits.nodes.filter(|&limit| limit > self.nodes);
        let claim = self.claimed_nodes.saturating_add(1);
        let sooner = [limit, self.sampler.next()].into_iter().flatten();
        sooner.fold(claim.min(self.nodes + POLL_INTERVAL), u64::min)
    }

    pub(crate) fn is_node_limit_reached(&self) -> bool {
        let limit = self.shared.request.limits.nodes;
        limit.is_some_and(|limit| self.shared.nodes() >= limit)
    }

    fn must_stop(&mut self) -> bool {
        let stop = &self.shared.stop;
        if stop.is_stopped() {
            return true;
        }
        let Clock::Managed(time) = &mut self.clock else { return false };
        time.record_poll(stop.ponder_hit());
        // Summing the node counts of many threads is slow, so it is done only if needed.
        let SearchRequest { limits, options, .. } = &self.shared.request;
        let counts = limits.nodes.is_some() || options.nodes_time > 0;
        let nodes = if counts { self.shared.nodes() } else { self.nodes };
        limits.nodes.is_some_and(|limit| nodes >= limit)
            || (!stop.is_pondering() && time.is_hard_limit_reached(nodes, stop.ponder_hit()))
    }

    /// Prefetches the TT entry after a move. The longer before the move it is called, the more of
    /// the latency is hidden. It leaves out that a pawn move resets the halfmove clock, so where
    /// the key depends on the clock another entry is prefetched for such a move.
    #[inline]
    pub(crate) fn prefetch_entry_after(&self, mv: Move) {
        let clock = if mv.is_capture() { 0 } else { self.board.halfmove_clock().saturating_add(1) };
        self.shared.tt.prefetch(self.board.key_after(mv) ^ zobrist::halfmove_clock(clock));
    }

    #[inline]
    pub(crate) fn make_move(&mut self, ply: usize, mv: Move) {
        let frame = self.stack.frame_mut(ply);
        frame.mv = Some(mv);
        frame.piece_to = PieceTo::new(self.board.moved_piece(mv), mv.to());
        frame.reduction = 0;
        if mv.is_quiet() {
            frame.threats = self.board.threats();
        }
        self.evaluator.push();
        self.board.make_move(mv);
        self.histories.corrections.prefetch(&self.board, self.last_moves(ply + 1));
    }

    /// Returns whether the request hides this reply to the move before.
    pub(crate) fn is_hidden(&self, ply: usize, reply: Move) -> bool {
        let hidden = &self.shared.request.hidden_replies;
        self.stack.before(ply, 1).mv.is_some_and(|mv| hidden.contains(&(mv, reply)))
    }

    /// Returns whether a node searches all moves to the full depth.
    #[inline]
    pub(crate) fn is_full_width<N: NodeType>(&self) -> bool {
        N::PV && self.shared.request.options.full_width_pv
    }

    #[inline]
    pub(crate) fn unmake_move(&mut self) {
        self.board.unmake_move();
        self.evaluator.pop();
    }

    #[inline]
    pub(crate) fn continuation_rows(&self, ply: usize) -> ContinuationRows {
        CONTINUATION_PLIES.map(|plies| self.stack.before(ply, plies).piece_to)
    }

    /// Returns the moves that index the correction history of the position at `ply`.
    #[inline]
    pub(crate) fn last_moves(&self, ply: usize) -> LastMoves {
        LAST_PLIES.map(|plies| self.stack.before(ply, plies).piece_to)
    }
}
