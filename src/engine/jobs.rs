//! Tools on a thread of their own, so that the engine stays responsive.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender};

use crate::board::Board;
use crate::book::{self, Book};
use crate::datagen::{self, GenFens};
use crate::engine::options::{MAX_HASH, MAX_THREADS};
use crate::engine::protocol::Reply;
use crate::eval::Network;
use crate::tools;
use crate::tools::bench::Bench;
use crate::tools::perft::PerftOptions;
use crate::types::Depth;

/// What a tool does: given a stop flag and a place for its lines, whether all went well, or why not.
pub(super) trait Task:
    FnOnce(&AtomicBool, &mut dyn FnMut(&str)) -> Result<bool, String> + Send + 'static
{
}

impl<T> Task for T where
    T: FnOnce(&AtomicBool, &mut dyn FnMut(&str)) -> Result<bool, String> + Send + 'static
{
}

/// A tool at work.
pub(super) struct Job {
    stop: Arc<AtomicBool>,
    end: Receiver<bool>,
}

impl Job {
    /// Starts the tool; its lines and its error go to `replies`.
    pub(super) fn start(task: impl Task, replies: Sender<Reply>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (end_sender, end) = crossbeam_channel::bounded(1);
        let flag = Arc::clone(&stop);
        let run = move || {
            let mut sink = |line: &str| {
                let _gone = replies.send(Reply::Line(line.to_owned()));
            };
            let all_went_well = task(&flag, &mut sink).unwrap_or_else(|error| {
                let _gone = replies.send(Reply::Error(error.into()));
                false
            });
            let _gone = end_sender.send(all_went_well);
        };
        thread::Builder::new()
            .name("job".to_owned())
            .spawn(run)
            .expect("the system has a thread to give");
        Self { stop, end }
    }

    /// Asks the tool to end early.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Where the end is announced: whether all went well.
    pub(super) fn end(&self) -> Receiver<bool> {
        self.end.clone()
    }
}

pub(super) fn perft(
    board: &Board,
    depth: u32,
    chess960: bool,
    options: PerftOptions,
) -> impl Task + use<> {
    let board = board.clone();
    move |stop: &AtomicBool, sink: &mut dyn FnMut(&str)| {
        tools::perft::divide_report(&board, depth, chess960, options, stop, sink)
            .map(|()| true)
            .map_err(|error| format!("perft: {error}"))
    }
}

pub(super) fn perft_suite(path: PathBuf, max_depth: Option<u32>) -> impl Task {
    move |stop: &AtomicBool, sink: &mut dyn FnMut(&str)| {
        tools::perft::run_suite(&path, max_depth, stop, sink)
            .map_err(|error| format!("perft {}: {error}", path.display()))
    }
}

pub(super) fn bench(
    network: Arc<Network>,
    depth: Option<Depth>,
    threads: Option<usize>,
    hash: Option<usize>,
) -> impl Task {
    move |stop: &AtomicBool, sink: &mut dyn FnMut(&str)| {
        let usual = Bench::default();
        let bench = Bench {
            network,
            depth: depth.map_or(usual.depth, |depth| depth.max(1)),
            threads: threads
                .map_or(usual.threads, |threads| threads.clamp(1, MAX_THREADS as usize)),
            hash: hash.map_or(usual.hash, |hash| hash.clamp(1, MAX_HASH as usize)),
        };
        bench.run(sink, stop).map(|_nodes| true).map_err(|error| format!("bench: {error}"))
    }
}

pub(super) fn selftest() -> impl Task {
    |stop: &AtomicBool, sink: &mut dyn FnMut(&str)| Ok(tools::selftest::run(stop, sink))
}

pub(super) fn book(path: PathBuf, board: Board, chess960: bool) -> impl Task {
    move |_: &AtomicBool, sink: &mut dyn FnMut(&str)| {
        let name = path.display();
        let book = Book::open(&path).map_err(|error| format!("book {name}: {error}"))?;
        let moves = book.moves(&board);
        let (entries, key) = (book.len(), book::polyglot_key(&board));
        sink(&format!("{name}: {entries} entries, {} for key {key:016x}", moves.len()));
        let total = book::total_weight(&moves).max(1) as f64;
        for choice in moves {
            let mv = choice.mv.display(chess960).to_string();
            let percent = 100.0 * f64::from(choice.weight) / total;
            sink(&format!("{mv:<5} weight {:>5} share {percent:>5.1} %", choice.weight));
        }
        Ok(true)
    }
}

pub(super) fn keys(positions: Option<usize>) -> impl Task {
    const DEFAULT_POSITIONS: usize = 1_000_000;
    /// Larger subsets take a quarter of a minute: they are for the long tests.
    const LARGEST_SUBSET: usize = 4;
    move |stop: &AtomicBool, sink: &mut dyn FnMut(&str)| {
        let positions = positions.unwrap_or(DEFAULT_POSITIONS);
        tools::keys::report(positions, LARGEST_SUBSET, stop, sink);
        Ok(true)
    }
}

pub(super) fn datagen(options: Option<Box<datagen::Options>>) -> impl Task {
    move |stop: &AtomicBool, sink: &mut dyn FnMut(&str)| match options {
        Some(options) => {
            datagen::run(&options, stop, sink).map_err(|error| format!("datagen: {error}"))
        }
        None => {
            datagen::Options::help().iter().for_each(|line| sink(line));
            Ok(true)
        }
    }
}

pub(super) fn genfens(wishes: GenFens) -> impl Task {
    move |stop: &AtomicBool, sink: &mut dyn FnMut(&str)| {
        // OpenBench's own word for such a line.
        let mut sink = |fen: &str| sink(&format!("info string genfens {fen}"));
        datagen::genfens(&wishes, stop, &mut sink).map_err(|error| format!("genfens: {error}"))
    }
}
