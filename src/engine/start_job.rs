//! Start of the jobs: perft, bench, openings for OpenBench, explanation of a move, review of a
//! game.

use std::fmt::Display;
use std::sync::atomic::AtomicBool;

use crate::datagen;
use crate::search::TtError;
use crate::tools::analyse::chart;
use crate::tools::explain;
use crate::tools::perft::{self, PerftOptions};

use super::actor::Engine;
use super::job::Job;
use super::protocol::{JobCommand, Reply};

impl Engine {
    pub(super) fn start_job(&mut self, job: JobCommand) {
        match job {
            JobCommand::Perft { depth, threads, hash } => self.perft(depth, threads, hash),
            JobCommand::Bench(bench) => {
                let network = self.network.clone();
                self.start("bench", move |stop, reply| {
                    bench.run(&network, stop, &mut text_to(reply)).map(|_nodes| true)
                });
            }
            JobCommand::GenFens(request) => self.start("genfens", move |stop, reply| {
                let mut sink = |fen: &str| reply(Reply::GenFen(fen.to_owned()));
                datagen::genfens(&request, stop, &mut sink)
            }),
            JobCommand::Explain(explanation) => self.start("explain", move |stop, reply| {
                explain(&explanation, stop, &mut text_to(reply)).map(|()| true)
            }),
            JobCommand::Review { game, setup } => self.start("review", move |stop, reply| {
                chart(&game, &setup, stop, &mut text_to(reply)).map(|()| true)
            }),
        }
    }

    fn perft(&mut self, depth: u32, threads: Option<usize>, hash: Option<usize>) {
        if let Some(reason) = &self.rejected {
            return self.fail(format!("perft: no position to count: {reason}"));
        }
        let board = self.board.clone();
        let options = PerftOptions { threads: threads.unwrap_or(self.pool.threads()), hash };
        self.start("perft", move |stop, reply| {
            let report = perft::report(&board, depth, options, stop)?;
            reply(match report {
                Some(report) => Reply::Perft(Box::new(report)),
                None => Reply::Text("stopped".to_owned()),
            });
            Ok::<_, TtError>(true)
        });
    }

    /// Starts a job, whose name precedes its error.
    fn start<T, E>(&mut self, name: &'static str, task: T)
    where
        T: FnOnce(&AtomicBool, &mut dyn FnMut(Reply)) -> Result<bool, E> + Send + 'static,
        E: Display,
    {
        let task = move |stop: &AtomicBool, reply: &mut dyn FnMut(Reply)| {
            task(stop, reply).map_err(|error| format!("{name}: {error}"))
        };
        match Job::start(task, self.replies.clone()) {
            Ok(job) => self.set_job(job),
            Err(error) => self.fail(format!("{name}: cannot start a thread: {error}")),
        }
    }
}

/// Returns a sink whose lines become replies.
fn text_to(reply: &mut dyn FnMut(Reply)) -> impl FnMut(&str) {
    |line| reply(Reply::Text(line.to_owned()))
}
