//! Progress lines of a run.

use std::time::{Duration, Instant};

use crate::datagen::game::{Ending, Game};
use crate::text::clock;

const INTERVAL: Duration = Duration::from_secs(10);

pub(super) struct Progress {
    start: Instant,
    last_line: Instant,
    /// Games before this run.
    first: u64,
    /// Games at the end of this run.
    end: u64,
    games: u64,
    plies: u64,
    /// Labels, including interior ones.
    labels: u64,
    /// Indexed by result.
    results: [u64; 3],
    /// Indexed by ending.
    endings: [u64; Ending::ALL.len()],
}

impl Progress {
    pub(super) fn new(first: u64, end: u64) -> Self {
        let start = Instant::now();
        Self {
            start,
            last_line: start,
            first,
            end,
            games: 0,
            plies: 0,
            labels: 0,
            results: [0; 3],
            endings: [0; Ending::ALL.len()],
        }
    }

    pub(super) fn count(&mut self, game: &Game) {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        let labels = game.plies.iter().filter(|ply| ply.score.is_some()).count();
        self.labels += (labels + game.interior.len()) as u64;
        self.results[game.verdict.result as usize] += 1;
        self.endings[usize::from(game.verdict.ending.number())] += 1;
    }

    /// Returns whether a line is due, and if so starts the next interval.
    pub(super) fn is_due(&mut self) -> bool {
        let is_due = self.last_line.elapsed() >= INTERVAL;
        if is_due {
            self.last_line = Instant::now();
        }
        is_due
    }

    pub(super) fn line(&self) -> String {
        let millis = self.start.elapsed().as_millis().max(1) as u64;
        let done = self.first + self.games;
        let [black, draws, white] = self.results;
        let [won, drawn] = [Ending::WinByScore, Ending::DrawByScore]
            .map(|ending| self.endings[usize::from(ending.number())]);
        let per_second = |count: u64| count.saturating_mul(1000) / millis;
        let left = (self.end - done).saturating_mul(millis) / self.games.max(1) / 1000;
        format!(
            "{done} of {} games  White +{white} ={draws} -{black}  by score {won} won \
             {drawn} drawn  {} plies at {}/s  {} labels at {}/s  {} left",
            self.end,
            self.plies,
            per_second(self.plies),
            self.labels,
            per_second(self.labels),
            clock(Duration::from_secs(left)),
        )
    }
}
