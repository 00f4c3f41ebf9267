//! Progress bars and lines on the terminal.

use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use tabia_trainer::log::LogRow;
use tabia_trainer::recipe::Recipe;
use tabia_trainer::train::Watcher;

const REFRESH: Duration = Duration::from_millis(250);
/// Interval of the lines where there is no terminal for a bar.
const LINE_INTERVAL: Duration = Duration::from_secs(30);
/// Weight of the last batch in the displayed loss.
const NEWEST: f64 = 0.02;

/// Progress of reading the games.
pub(crate) struct Reading {
    bar: ProgressBar,
    games: u64,
    start: Instant,
    lines: Lines,
}

impl Reading {
    pub(crate) fn new(recipe: &Recipe) -> Self {
        let games = recipe.games.iter().map(|games| games.count).sum();
        let bar = styled(games, "reading {bar:40} {pos} of {len} games, {eta} left");
        Self { bar, games, start: Instant::now(), lines: Lines::new() }
    }

    /// Shows the number of games read.
    pub(crate) fn show(&mut self, games: u64) {
        self.bar.set_position(games);
        if self.bar.is_hidden() && self.lines.is_due() {
            let elapsed = self.start.elapsed();
            let left = time_left(elapsed, games, self.games);
            let speed = games as f64 / elapsed.as_secs_f64();
            eprintln!(
                "read {games} of {} games, {speed:.0} games/s, {} left",
                self.games,
                HumanDuration(left)
            );
        }
    }

    /// Removes the bar and returns the time.
    pub(crate) fn end(self) -> Duration {
        self.bar.finish_and_clear();
        self.start.elapsed()
    }
}

/// Lines at intervals.
struct Lines {
    next: Instant,
}

impl Lines {
    fn new() -> Self {
        Self { next: Instant::now() + LINE_INTERVAL }
    }

    /// Returns whether it is time for a line.
    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.next;
        if is_due {
            self.next = now + LINE_INTERVAL;
        }
        is_due
    }
}

/// Returns the time that the rest of some work takes at the speed so far.
fn time_left(elapsed: Duration, done: u64, all: u64) -> Duration {
    elapsed.mul_f64(all.saturating_sub(done) as f64 / done.max(1) as f64)
}

fn styled(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    ProgressBar::new(length).with_style(style)
}

pub(crate) struct Bar {
    batch: usize,
    bar: ProgressBar,
    /// Time and steps taken when the run started or resumed.
    start: (Instant, u64),
    steps: u64,
    shown: Instant,
    loss: Option<f64>,
    held_out: f64,
    lines: Lines,
}

impl Bar {
    pub(crate) fn new(recipe: &Recipe) -> Self {
        let now = Instant::now();
        Self {
            batch: recipe.training.batch,
            bar: ProgressBar::hidden(),
            start: (now, 0),
            steps: 0,
            shown: now,
            loss: None,
            held_out: f64::NAN,
            lines: Lines::new(),
        }
    }

    /// Returns positions and seconds since `start`.
    fn work(&self) -> (u64, f64) {
        let (start, before) = self.start;
        ((self.steps - before) * self.batch as u64, start.elapsed().as_secs_f64())
    }

    fn speed(&self) -> f64 {
        let (positions, seconds) = self.work();
        positions as f64 / seconds
    }

    fn write_line(&self, loss: f64) {
        let (start, before) = self.start;
        let steps = self.bar.length().unwrap_or(self.steps);
        let left = time_left(start.elapsed(), self.steps - before, steps - before);
        eprintln!(
            "step {} of {steps}: loss {loss:.5}, held out {:.5}, {:.0} positions/s, {} left",
            self.steps,
            self.held_out,
            self.speed(),
            HumanDuration(left)
        );
    }
}

impl Watcher for Bar {
    fn begin(&mut self, taken: u64, steps: u64) {
        if taken > 0 {
            println!("resumed after step {taken} of {steps}");
        }
        self.bar = styled(steps, "{bar:30} step {pos} of {len}  {msg}  {eta} left");
        self.bar.set_position(taken);
        self.bar.reset_eta();
        self.lines = Lines::new();
        self.start = (Instant::now(), taken);
        self.steps = taken;
    }

    fn step(&mut self, loss: f64, rate: f64) {
        self.steps += 1;
        let before = self.loss.unwrap_or(loss);
        let smooth = before + (loss - before) * NEWEST;
        self.loss = Some(smooth);
        if self.shown.elapsed() >= REFRESH {
            self.shown = Instant::now();
            self.bar.set_position(self.steps);
            let (held_out, thousands) = (self.held_out, self.speed() / 1000.0);
            self.bar.set_message(format!(
                "loss {smooth:.5}, held out {held_out:.5}  rate {rate:.1e}  \
                 {thousands:.0} k positions/s"
            ));
        }
        if self.bar.is_hidden() && self.lines.is_due() {
            self.write_line(smooth);
        }
    }

    fn row(&mut self, row: &LogRow) {
        let LogRow { step, held_out_loss, .. } = *row;
        self.held_out = held_out_loss;
        if self.bar.length() == Some(step) {
            self.bar.finish_and_clear();
            let ((positions, seconds), speed) = (self.work(), self.speed());
            let taken = step - self.start.1;
            eprintln!(
                "{taken} steps; {positions} positions in {seconds:.0} s, {speed:.0} positions/s"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_speed_so_far() {
        let minute = Duration::from_secs(60);
        assert_eq!(time_left(minute, 25, 100), 3 * minute);
        assert_eq!(time_left(minute, 100, 100), Duration::ZERO);
        assert_eq!(time_left(minute, 0, 2), 2 * minute);
    }

    #[test]
    fn lines_keep_their_interval() {
        let mut lines = Lines::new();
        assert!(!lines.is_due());
        lines.next = Instant::now();
        assert!(lines.is_due() && !lines.is_due());
    }
}
