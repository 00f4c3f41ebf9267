//! Request for a search: position, limits and options.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::board::Board;
use crate::eval::Network;
use crate::platform::Instant;
use crate::tablebase::{KnownMove, Tablebases};
use crate::types::{Color, ColorMap, Depth, Move, Score};

/// Limits of a search; the first one reached ends it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Root moves to search; empty for all.
    pub search_moves: Vec<Move>,
    /// Search on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Return no move before `stop`.
    pub infinite: bool,
    /// Remaining time of each side.
    pub time: ColorMap<Option<Duration>>,
    /// Increment of each side.
    pub increment: ColorMap<Duration>,
    /// Moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Depth in plies.
    pub depth: Option<Depth>,
    /// Nodes of all threads.
    pub nodes: Option<u64>,
    /// True if no node beyond `nodes` is searched, even in the first iteration or by several
    /// threads.
    pub is_strict: bool,
    /// No iteration begins after this number of nodes of all threads.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            search_moves: Vec::new(),
            ponder: false,
            infinite: false,
            time: ColorMap::filled(None),
            increment: ColorMap::filled(Duration::ZERO),
            moves_to_go: None,
            depth: None,
            nodes: None,
            is_strict: false,
            soft_nodes: None,
            mate: None,
            move_time: None,
        }
    }
}

impl Limits {
    /// Returns whether the search is for analysis: infinite or for a mate.
    pub fn is_analysis(&self) -> bool {
        self.infinite || self.mate.is_some()
    }

    /// Returns whether a side has a time or an increment.
    pub fn has_clock(&self) -> bool {
        self.clock(Color::White).is_some()
    }

    /// Returns the time and increment of `side`; `None` without a clock. The other side's clock
    /// stands in for a missing one, and an increment for a missing time.
    pub(crate) fn clock(&self, side: Color) -> Option<(Duration, Duration)> {
        let increment = self.increment[side];
        let other = self.increment[!side];
        match self.time[side].or(self.time[!side]) {
            Some(time) => Some((time, increment)),
            None if increment.is_zero() && other.is_zero() => None,
            None if increment.is_zero() => Some((other, other)),
            None => Some((increment, increment)),
        }
    }
}

/// Tablebases to probe, and when.
#[derive(Clone)]
pub struct TablebaseOptions {
    /// Tables to probe; none by default.
    pub tables: Arc<Tablebases>,
    /// Maximum number of pieces of a probed position.
    pub max_pieces: usize,
    /// Minimum depth in plies of a probe of a position with the maximum number of pieces.
    pub min_depth: Depth,
    /// Counts a win that exceeds the fifty-move rule as a draw.
    pub fifty_moves: bool,
}

impl Default for TablebaseOptions {
    fn default() -> Self {
        Self { tables: Arc::default(), max_pieces: usize::MAX, min_depth: 1, fifty_moves: true }
    }
}

impl std::fmt::Debug for TablebaseOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "tables up to {} pieces", self.tables.largest())
    }
}

/// Options of a search: those that users set, and two for labels.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Number of lines to find, at least 1.
    pub multi_pv: usize,
    /// Deducted from every clock, for delays outside the engine.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond; 0 for real time. Nodes searched while pondering count.
    pub nodes_time: u64,
    /// Tablebases, and when to probe them.
    pub tablebases: TablebaseOptions,
    /// Allows more of the engine's own time, because pondering saves some of it.
    pub ponder: bool,
    /// Shrinks static evaluations with the halfmove clock, beyond a safe advantage and in drawish
    /// endings. Off where scores are labels, which keep the network's scale, and at levels, which
    /// compare scores.
    pub scales_eval: bool,
    /// Searches every move of a PV node, and to the full depth. On where scores are labels: a
    /// search of a few hundred nodes that leaves out replies overestimates the side to move.
    pub full_width_pv: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Duration::from_millis(20),
            nodes_time: 0,
            tablebases: TablebaseOptions::default(),
            ponder: false,
            scales_eval: true,
            full_width_pv: false,
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
    /// Replies that the search leaves out, each with the root move before it; not all replies to a
    /// root move, and none to a check. Scores then hold only if the opponent plays no hidden reply,
    /// those of mates too, and so do entries of the TT.
    pub hidden_replies: HashSet<(Move, Move)>,
    /// Tablebase results of the root moves, which rank them; empty unless all are known.
    pub known_moves: Vec<KnownMove>,
    /// Score of the search before in this game, for the side to move. A search that finds less
    /// takes more of the clock.
    pub last_score: Option<Score>,
    /// Options of the search.
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
            hidden_replies: HashSet::new(),
            known_moves: Vec::new(),
            last_score: None,
            options: SearchOptions::default(),
            start: Instant::now(),
        }
    }

    /// Looks the root moves up in the tablebases of the options.
    pub fn probe_root(&mut self) {
        let Self { board, limits, options, .. } = self;
        self.known_moves = known_moves(board, limits, &options.tablebases);
        // Probing adds nothing below a root with known distances, and finds no mates.
        if limits.mate.is_some() || self.known_moves.iter().any(|known| known.dtz.is_some()) {
            options.tablebases = TablebaseOptions::default();
        }
    }
}

/// Returns the tablebase results of the root moves, or nothing if one is unknown.
fn known_moves(board: &Board, limits: &Limits, options: &TablebaseOptions) -> Vec<KnownMove> {
    if !options.tables.may_have(board, options.max_pieces) {
        return Vec::new();
    }
    let legal = board.legal_moves();
    let searched = if limits.search_moves.is_empty() { &legal[..] } else { &limits.search_moves };
    options.tables.known_moves(board, searched, options.fifty_moves).unwrap_or_default()
}
