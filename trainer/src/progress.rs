//! Progress bars and lines on the terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use tabia_trainer::log::LogRow;
use tabia_trainer::recipe::Recipe;
use tabia_trainer::train::Watcher;

const REFRESH: Duration = Duration::from_millis(250);
/// Total number of lines where there is no terminal for a bar.
const LINES: u64 = 20;
/// Weight of the last batch in the displayed loss.
const NEWEST: f64 = 0.02;

pub(crate) fn reading_bar(recipe: &Recipe) -> ProgressBar {
    let games = recipe.games.iter().map(|games| games.count).sum();
    styled(games, "reading {bar:40} {pos} of {len} games, {eta} left")
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
    /// Lines written, including those before an interruption.
    lines: u64,
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
            lines: 0,
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
}

impl Watcher for Bar {
    fn begin(&mut self, taken: u64, steps: u64) {
        if taken > 0 {
            println!("resumed after step {taken} of {steps}");
        }
        self.bar = styled(steps, "{bar:30} step {pos} of {len}  {msg}  {eta} left");
        self.bar.set_position(taken);
        self.bar.reset_eta();
        self.lines = taken * LINES / steps;
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
                "loss {smooth:.5}, held out {held_out:.5}  rate {rate:.1e}  {thousands:.0} k positions/s"
            ));
        }
    }

    fn row(&mut self, row: &LogRow) {
        let LogRow { step, training_loss, held_out_loss, .. } = *row;
        self.held_out = held_out_loss;
        let steps = self.bar.length().unwrap_or(step);
        let lines = step * LINES / steps;
        if self.bar.is_hidden() && lines > self.lines {
            self.lines = lines;
            eprintln!(
                "step {step} of {steps}: loss {training_loss:.5}, held out {held_out_loss:.5}"
            );
        }
        if step == steps {
            self.bar.finish_and_clear();
            let ((positions, seconds), speed) = (self.work(), self.speed());
            let taken = step - self.start.1;
            eprintln!(
                "{taken} steps; {positions} positions in {seconds:.0} s, {speed:.0} positions/s"
            );
        }
    }
}
