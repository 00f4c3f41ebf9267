//! Tools that the engine runs on threads of their own.

use std::sync::atomic::AtomicBool;

use crate::datagen::{self, GenFens};
use crate::tools::bench::Bench;
use crate::tools::perft::{self, PerftOptions};
use crate::tools::{Explanation, explain};

use super::actor::Engine;
use super::job::Job;
use super::protocol::Reply;

impl Engine {
    /// Counts the leaf nodes of the move tree, `depth` plies deep. Uses as many threads as the
    /// search by default; `hash` is in MiB.
    pub fn perft(&mut self, depth: u32, threads: Option<usize>, hash: Option<usize>) {
        if let Some(reason) = &self.rejected {
            return self.fail(format!("perft: no position to count: {reason}"));
        }
        let board = self.board.clone();
        let options = PerftOptions { threads: threads.unwrap_or(self.pool.threads()), hash };
        self.start_job("perft", move |stop, reply| {
            let report = perft::report(&board, depth, options, stop)
                .map_err(|error| format!("perft: {error}"))?;
            reply(match report {
                Some(report) => Reply::Perft(Box::new(report)),
                None => Reply::Text("stopped".to_owned()),
            });
            Ok(true)
        });
    }

    /// Runs the benchmark with the network in use.
    pub fn bench(&mut self, bench: Bench) {
        let bench = Bench { network: self.network.clone(), ..bench };
        self.start_job("bench", move |stop, reply| {
            let mut sink = |line: &str| reply(Reply::Text(line.to_owned()));
            bench.run(stop, &mut sink).map(|_nodes| true).map_err(|error| format!("bench: {error}"))
        });
    }

    /// Generates opening positions for OpenBench.
    pub fn genfens(&mut self, request: GenFens) {
        self.start_job("genfens", move |stop, reply| {
            let mut sink = |fen: &str| reply(Reply::GenFen(fen.to_owned()));
            datagen::genfens(&request, stop, &mut sink).map_err(|error| format!("genfens: {error}"))
        });
    }

    /// Explains a move.
    pub fn explain(&mut self, explanation: Explanation) {
        self.start_job("explain", move |stop, reply| {
            let mut sink = |line: &str| reply(Reply::Text(line.to_owned()));
            explain(&explanation, stop, &mut sink)
                .map(|()| true)
                .map_err(|error| format!("explain: {error}"))
        });
    }

    fn start_job<T>(&mut self, name: &str, task: T)
    where
        T: FnOnce(&AtomicBool, &mut dyn FnMut(Reply)) -> Result<bool, String> + Send + 'static,
    {
        match Job::start(task, self.replies.clone()) {
            Ok(job) => self.set_job(job),
            Err(error) => self.fail(format!("{name}: cannot start a thread: {error}")),
        }
    }
}
