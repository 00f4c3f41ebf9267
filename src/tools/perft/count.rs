//! Perft on several threads and with a hash table.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use arrayvec::ArrayVec;

use crate::board::{Board, perft};
use crate::search::TtError;
use crate::types::Move;

use super::hash_table::PerftTable;

/// Options that speed up counting.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PerftOptions {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Size of the hash table in MiB; `None` for no table.
    pub hash: Option<usize>,
}

/// Leaf nodes of a perft.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerftCount {
    /// Leaf nodes by root move, in the order of generation; empty at depth 0.
    pub by_move: Vec<(Move, u64)>,
    /// Leaf nodes in total.
    pub total: u64,
    /// Subtrees whose count was found in the table.
    pub table_hits: u64,
}

/// Counts the leaf nodes `depth` plies deep. Returns `None` if `stop` was set.
///
/// # Errors
/// If the table cannot be allocated.
pub fn divide(
    board: &Board,
    depth: u32,
    options: PerftOptions,
    stop: &AtomicBool,
) -> Result<Option<PerftCount>, TtError> {
    let table = options.hash.map(PerftTable::new).transpose()?;
    if depth == 0 {
        return Ok(Some(PerftCount { by_move: Vec::new(), total: 1, table_hits: 0 }));
    }
    let work = Work::new(board, depth, table.as_ref(), stop);
    thread::scope(|scope| {
        for _ in 1..options.threads.min(work.tasks.len()) {
            // If the system starts no more threads, those running do the work.
            if thread::Builder::new().spawn_scoped(scope, || work.run_tasks(board.clone())).is_err()
            {
                break;
            }
        }
        work.run_tasks(board.clone());
    });
    Ok(work.result(board))
}

/// Subtree that one thread counts.
struct PerftTask {
    /// Index of the root move.
    root: usize,
    /// Moves from the root to the subtree.
    moves: ArrayVec<Move, 2>,
}

struct Work<'a> {
    depth: u32,
    tasks: Vec<PerftTask>,
    next: AtomicUsize,
    nodes: Vec<AtomicU64>,
    table: Option<&'a PerftTable>,
    table_hits: AtomicU64,
    stop: &'a AtomicBool,
    is_stopped: AtomicBool,
}

impl<'a> Work<'a> {
    fn new(board: &Board, depth: u32, table: Option<&'a PerftTable>, stop: &'a AtomicBool) -> Self {
        let mut board = board.clone();
        let mut tasks = Vec::new();
        let moves = board.legal_moves();
        for (root, &mv) in moves.iter().enumerate() {
            if depth < 3 {
                tasks.push(PerftTask { root, moves: ArrayVec::from_iter([mv]) });
                continue;
            }
            board.make_move(mv);
            tasks.extend(
                board
                    .legal_moves()
                    .into_iter()
                    .map(|reply| PerftTask { root, moves: ArrayVec::from([mv, reply]) }),
            );
            board.unmake_move();
        }
        Self {
            depth,
            tasks,
            next: AtomicUsize::new(0),
            nodes: moves.iter().map(|_| AtomicU64::new(0)).collect(),
            table,
            table_hits: AtomicU64::new(0),
            stop,
            is_stopped: AtomicBool::new(false),
        }
    }

    fn run_tasks(&self, mut board: Board) {
        let mut hits = 0;
        while let Some(task) = self.tasks.get(self.next.fetch_add(1, Relaxed)) {
            for &mv in &task.moves {
                board.make_move(mv);
            }
            let depth = self.depth - task.moves.len() as u32;
            let nodes = match self.table {
                None => perft::perft(&mut board, depth, self.stop),
                Some(table) => perft_with(table, &mut board, depth, self.stop, &mut hits),
            };
            for _ in &task.moves {
                board.unmake_move();
            }
            let Some(nodes) = nodes else {
                self.is_stopped.store(true, Relaxed);
                break;
            };
            self.nodes[task.root].fetch_add(nodes, Relaxed);
        }
        self.table_hits.fetch_add(hits, Relaxed);
    }

    fn result(self, board: &Board) -> Option<PerftCount> {
        if self.is_stopped.into_inner() {
            return None;
        }
        let by_move: Vec<_> = board
            .legal_moves()
            .into_iter()
            .zip(self.nodes.into_iter().map(AtomicU64::into_inner))
            .collect();
        let total = by_move.iter().map(|(_, nodes)| nodes).sum();
        Some(PerftCount { by_move, total, table_hits: self.table_hits.into_inner() })
    }
}

/// Counts like [`perft::perft`], with the table.
fn perft_with(
    table: &PerftTable,
    board: &mut Board,
    depth: u32,
    stop: &AtomicBool,
    hits: &mut u64,
) -> Option<u64> {
    // The last ply is faster to count than to look up.
    if depth <= 1 {
        return perft::perft(board, depth, stop);
    }
    if let Some(nodes) = table.probe(board.key(), depth) {
        *hits += 1;
        return Some(nodes);
    }
    if depth >= 4 && stop.load(Relaxed) {
        return None;
    }
    let mut total = 0;
    for mv in board.legal_moves() {
        board.make_move(mv);
        let nodes = perft_with(table, board, depth - 1, stop, hits);
        board.unmake_move();
        total += nodes?;
    }
    table.store(board.key(), depth, total);
    Some(total)
}
