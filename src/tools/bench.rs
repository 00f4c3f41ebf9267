//! Benchmark: a fixed set of positions, searched to a fixed depth.
//!
//! With one thread the node count is deterministic, so it is the checksum of the search in commits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::Board;
use crate::eval::Network;
use crate::platform::Instant;
use crate::search::{self, Limits, PoolError, SearchPool, SearchRequest};
use crate::types::Depth;

use super::per_second;

/// Default depth in plies.
pub const DEFAULT_DEPTH: Depth = 17;
/// Default TT size in MiB.
pub const DEFAULT_HASH: usize = 16;

/// Node count of the default benchmark, the same on every machine. A functional change updates it.
pub const SIGNATURE: u64 = 17_528_165;

/// Positions of every kind; [`SIGNATURE`] depends on them.
const POSITIONS: [&str; 48] = [
    // Openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    "rnbqkb1r/pp2pp1p/2p2np1/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5",
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R b KQkq - 0 5",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/1PN1PN2/PBP1BPPP/R2Q1RK1 w - - 2 9",
    "r2q1rk1/1bp1bppp/p1np1n2/1p2p3/3PP3/1BP2N1P/PP3PP1/RNBQR1K1 b - d3 0 10",
    // Middlegames, quiet and sharp.
    "2rq1rk1/pb1n1ppp/1p2pn2/8/1bBP4/2N1BN2/PP2QPPP/2R2RK1 w - - 4 14",
    "r1bqr1k1/ppp2pbp/2np1np1/3Pp3/2P1P3/2N1B3/PP1NBPPP/R2Q1RK1 b - - 0 10",
    "3r1rk1/p1q1bppp/1pb1pn2/2p5/2P5/1PN1P1P1/PBQ2PBP/3R1RK1 w - - 0 18",
    "r4rk1/1pq1bppp/p1npbn2/4p3/4PP2/1NN1B3/PPP1B1PP/R2Q1RK1 w - - 0 13",
    "r3k2r/pbpnqppp/1p2pn2/3p4/2PP4/P1PBPN2/5PPP/R1BQ1RK1 b kq - 1 10",
    "2kr3r/ppp1qpp1/2n2n1p/3pp1B1/1b2P1b1/2NP1N2/PPP1BPPP/R2QR1K1 w - - 0 11",
    "r1b2rk1/pp1nqppp/2pbpn2/8/2BPP3/2N2N2/PP3PPP/R1BQR1K1 w - - 1 11",
    "r2qk2r/pp1n1ppp/2pbpnb1/8/3P4/2NB1N2/PPP1QPPP/R1B1R1K1 w kq - 4 11",
    "r1bq2k1/ppp2r1p/3p2p1/2nPp1b1/2P1Pp2/2N2B1P/PP1B1PP1/1R1QR1K1 b - - 3 18",
    "1r3rk1/2q1bp1p/p2pp1p1/1p2n1P1/3QP2P/P1N1BP2/1PP5/1K1R3R w - - 0 20",
    "4rrk1/1bq2ppp/p2b4/1pn1p1B1/4P3/1BN2Q2/PP3PPP/3R1RK1 w - - 6 21",
    // Tactics.
    "r1b1kb1r/1p1n1ppp/p2ppn2/6BB/2qNP3/2N5/PPP2PPP/R2Q1RK1 w kq - 0 12",
    "5rk1/1p3ppp/pq1Q1b2/8/8/1P3N2/P4PPP/3R2K1 b - - 3 27",
    "r3r1k1/pp3pbp/1qp3p1/2B5/2BP2b1/Q1n2N2/P4PPP/3R1K1R b - - 0 17",
    "2r2rk1/1p1q1ppp/p3p3/3pPn2/1P1P1P2/P4N2/5QPP/R1R3K1 w - - 1 22",
    // Endgames, promotion races, blocked chains.
    "6k1/5ppp/p3p3/1p1nP3/3P4/1P3N2/P4PPP/6K1 w - - 0 30",
    "8/pp3k1p/2p1rpp1/8/3R1P2/1P4P1/P1P2K1P/8 w - - 2 33",
    "8/5pk1/R5p1/7p/7P/5KP1/r4P2/8 w - - 10 45",
    "8/8/1p1k2p1/p2p3p/P2K1P1P/1P4P1/8/8 w - - 3 44",
    "8/2k5/p1p5/P1Pp1p2/3P1P2/4K3/8/8 b - - 5 52",
    "8/1p3k2/p1b2p2/P1P2Bp1/1P4Pp/5K1P/8/8 w - - 1 41",
    "8/3k4/4b3/1p1pP3/pP1P1N2/P2K4/8/8 w - - 8 55",
    "3q2k1/5pp1/7p/8/P7/1Q4P1/5PKP/8 w - - 0 38",
    "8/8/8/8/5R2/2pk4/5K2/8 b - - 0 1",
    "8/P5kp/8/8/8/6PK/p6P/8 w - - 0 47",
    "8/1PP3k1/8/8/8/8/1pp3K1/8 w - - 0 60",
    "8/8/4kp2/1p2p1p1/pP2P1P1/P4P2/4K3/8 w - - 0 50",
    // Elementary mates and near stalemates.
    "4k3/8/8/3b4/8/8/1R6/4K2N w - - 20 80",
    "8/8/8/4k3/8/8/3BN3/4K3 w - - 12 90",
    "7k/5K2/8/6Q1/8/8/8/8 b - - 3 70",
    "8/8/8/8/8/k7/p1K5/8 b - - 1 75",
    // Castling, en passant, back ranks, a mate in one.
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    "rnbqkb1r/pp3ppp/4pn2/2ppP3/3P4/2N5/PPP2PPP/R1BQKBNR w KQkq d6 0 5",
    "6k1/pp1r1ppp/2p5/8/3P4/1P2R3/P4PPP/4q1K1 w - - 4 29",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "2r3k1/5ppp/8/8/8/8/5PPP/2RR2K1 w - - 0 30",
    // Chess960.
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
    "nrbbkqrn/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/NRBBKQR1 b GBgb - 1 2",
    "1rkr1bqn/p1ppbppp/1p2pn2/8/3PP3/2N2N2/PPP2PPP/1RKRBBQ1 w DBdb - 0 6",
    "r4rk1/pp2bppp/2n1pn2/q1pp4/3P4/P1NBPN2/1PP2PPP/R2QK2R w HA - 2 10",
];

/// Returns the positions of the benchmark.
pub fn positions() -> impl Iterator<Item = Board> {
    POSITIONS.into_iter().map(|fen| Board::from_fen(fen).expect("the FENs are valid, as tested"))
}

/// Parameters of a benchmark.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bench {
    /// Search depth in plies.
    pub depth: Depth,
    /// Number of search threads.
    pub threads: usize,
    /// TT size in MiB.
    pub hash: usize,
}

/// The benchmark of [`SIGNATURE`], which the embedded network has.
impl Default for Bench {
    fn default() -> Self {
        Self { depth: DEFAULT_DEPTH, threads: 1, hash: DEFAULT_HASH }
    }
}

impl Bench {
    /// Searches all positions with a network in a new pool and returns the node count. Writes a
    /// line for each position, then `N nodes M nps`, which OpenBench reads, or `stopped`.
    ///
    /// # Errors
    /// If the threads or the TT cannot be created.
    pub fn run(
        &self,
        network: &Arc<Network>,
        stop: &AtomicBool,
        sink: &mut dyn FnMut(&str),
    ) -> Result<u64, PoolError> {
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        let mut pool = SearchPool::with_hash(self.threads, self.hash)?;
        let start = Instant::now();
        let mut total = 0;
        for (index, (board, fen)) in positions().zip(POSITIONS).enumerate() {
            let network = Arc::clone(network);
            let request = SearchRequest { network, ..SearchRequest::new(board, limits.clone()) };
            let (outcome, _) = search::run_until(&mut pool, request, stop);
            let nodes = outcome.nodes;
            total += nodes;
            if stop.load(Ordering::Relaxed) {
                sink("stopped");
                return Ok(total);
            }
            sink(&format!("{:>2}/{} {nodes:>10} nodes  {fen}", index + 1, POSITIONS.len()));
        }
        #[cfg(feature = "tt-audit")]
        {
            let (hits, foreign) = pool.tt().audit();
            sink(&format!("{hits} TT hits, {foreign} of them from another position"));
        }
        sink(&format!("{total} nodes {} nps", per_second(total, start.elapsed())));
        Ok(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_valid_and_distinct() {
        let mut keys: Vec<_> =
            POSITIONS.iter().map(|fen| Board::from_fen(fen).map(|board| board.key())).collect();
        assert!(keys.iter().all(Result::is_ok));
        keys.sort_unstable_by_key(|key| key.as_ref().ok().copied());
        keys.dedup_by_key(|key| key.as_ref().ok().copied());
        assert_eq!(keys.len(), POSITIONS.len());
    }

    /// `.ci/run` and `tabia selftest` cover other builds and CPUs.
    #[test]
    #[ignore = "a whole bench with each kernel, half a minute"]
    fn every_kernel_has_the_same_node_count() {
        for network in Network::with_each_kernel() {
            let nodes = Bench::default()
                .run(&Arc::new(network), &AtomicBool::new(false), &mut |_| {})
                .expect("a small TT can be allocated");
            assert_eq!(nodes, SIGNATURE);
        }
    }
}
