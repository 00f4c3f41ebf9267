//! Tunes the search parameters on this machine by simultaneous perturbation (SPSA).
//!
//! In each step every parameter changes up or down at random. The engine plays a pair of games with
//! these values against the opposite ones, and all parameters move a little towards the winner.
//!
//!     cargo run --release --features tune --example spsa -- STEPS NODES FILE NAME …
//!
//! plays STEPS steps with NODES nodes for each move. It tunes the parameters whose names begin with
//! one of the given ones, at most 20. `FILE` stores the values; the same command resumes from it.
//!
//! Steps shrink during the run: choose the number of steps before it. Chance moves each parameter
//! by about a step in 12 000 pairs, so a step has to be worth a few Elo (see `params.rs`).
//!
//! Source: J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation" (1992). The schedule is that of fishtest and OpenBench.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program of its own")]

mod pairs;

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;
use std::{env, fs, io};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use tabia::files;
use tabia::search::{TUNABLES, Tunable};

use pairs::{Players, on_all_cores, sign};

/// With more parameters, chance moves most of them further than their worth.
const MAX_NUMBERS: usize = 20;

/// Part of its change by which a parameter moves for a game won, at the end of a run.
const R_END: f64 = 0.006;
/// Exponents by which rates and changes shrink, named as by Spall. Rates shrink as if `A_RATIO` of
/// the run had been done before it.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const A_RATIO: f64 = 0.1;

const MAX_MIB: u64 = 1;
const WRITTEN_EVERY: u64 = 200;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let [steps, nodes, file, names @ ..] = &words[..] else {
        eprintln!("spsa STEPS NODES FILE NAME …");
        return ExitCode::FAILURE;
    };
    match run(steps, nodes, file, names) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("spsa: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(steps: &str, nodes: &str, file: &str, names: &[String]) -> Result<(), Box<dyn Error>> {
    let numbers = chosen(names)?;
    let tuning = Tuning {
        steps: steps.parse()?,
        state: Mutex::new(State::read(file, &numbers)?),
        numbers,
        start: Instant::now(),
    };
    on_all_cores(nodes.parse()?, |players| tuning.work(players, file))?;
    Ok(tuning.write(file)?)
}

fn chosen(names: &[String]) -> Result<Vec<&'static Tunable>, String> {
    let belongs = |name: &str, number: &Tunable| number.name.starts_with(name);
    if let Some(name) = names.iter().find(|name| !TUNABLES.iter().any(|t| belongs(name, t))) {
        return Err(format!("no parameter's name begins with {name}"));
    }
    let is_chosen = |t: &&Tunable| names.iter().any(|name| belongs(name, t));
    let numbers: Vec<_> = TUNABLES.iter().copied().filter(is_chosen).collect();
    match numbers.len() {
        1..=MAX_NUMBERS => Ok(numbers),
        count => Err(format!("{count} parameters are named; 1 to {MAX_NUMBERS} can be tuned")),
    }
}

/// State of a run, shared by all threads.
struct Tuning {
    steps: u64,
    numbers: Vec<&'static Tunable>,
    state: Mutex<State>,
    start: Instant,
}

struct State {
    step: u64,
    values: Vec<f64>,
    /// Pairs of games that the changed values lost, drew and won.
    pairs: [u64; 3],
}

impl State {
    fn read(file: &str, numbers: &[&Tunable]) -> Result<Self, Box<dyn Error>> {
        let values = numbers.iter().map(|number| f64::from(number.default)).collect();
        let mut state = Self { step: 0, values, pairs: [0; 3] };
        let text = match files::read_text(Path::new(file), MAX_MIB) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(state),
            text => text?,
        };
        let value_of = |name: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            let found = lines.find(|(first, _)| *first == name);
            let value = found.and_then(|(_, rest)| rest.split_whitespace().next());
            value.ok_or_else(|| format!("{file}: no value of {name}"))
        };
        state.step = value_of("step")?.parse()?;
        for (value, number) in state.values.iter_mut().zip(numbers) {
            *value = value_of(number.name)?.parse()?;
        }
        Ok(state)
    }
}

impl Tuning {
    fn work(&self, mut players: Players, file: &str) {
        while let Some((step, values)) = self.begin() {
            let mut rng = ChaCha8Rng::seed_from_u64(step);
            let width = (self.steps as f64 / step as f64).powf(GAMMA);
            let numbers = self.numbers.iter().zip(&values);
            let changes: Vec<f64> = numbers
                .map(|(number, value)| {
                    let change = f64::from(number.step) * width * sign(&mut rng);
                    let values = [value + change, value - change];
                    let [up, down] = players.set(number, values.map(|v| round(v, &mut rng)));
                    f64::from(up - down) / 2.0
                })
                .collect();
            let gain = players.play_pair(&mut rng);
            let held_back = A_RATIO * self.steps as f64;
            let growth = (self.steps as f64 + held_back) / (step as f64 + held_back);
            let rate = R_END * growth.powf(ALPHA) / (width * width);
            self.end(&changes, rate, gain);
            if step.is_multiple_of(WRITTEN_EVERY)
                && let Err(error) = self.write(file)
            {
                eprintln!("{file}: {error}");
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    /// Begins a step. Returns its number, from 1, and the values.
    fn begin(&self) -> Option<(u64, Vec<f64>)> {
        let mut state = self.state();
        if state.step >= self.steps {
            return None;
        }
        state.step += 1;
        Some((state.step, state.values.clone()))
    }

    /// Moves the values along their changes, by the games won less those lost.
    fn end(&self, changes: &[f64], rate: f64, gain: i32) {
        let mut state = self.state();
        for ((value, change), number) in state.values.iter_mut().zip(changes).zip(&self.numbers) {
            let moved = *value + rate * f64::from(gain) * change;
            *value = moved.clamp(number.min.into(), number.max.into());
        }
        state.pairs[(gain.signum() + 1) as usize] += 1;
    }

    fn write(&self, file: &str) -> io::Result<()> {
        let state = self.state();
        let mut text = format!("step {}\n", state.step);
        for (number, value) in self.numbers.iter().zip(&state.values) {
            let moved = (value - f64::from(number.default)) / f64::from(number.step);
            writeln!(text, "{} {value:.3} {moved:+.2} steps from {}", number.name, number.default)
                .expect("strings take any text");
        }
        let [lost, halved, won] = state.pairs;
        let (step, seconds) = (state.step, self.start.elapsed().as_secs());
        println!("{step} steps  {seconds} s  pairs +{won} ={halved} -{lost}");
        // Written beside it first: an interruption must not leave half of the state.
        let part = format!("{file}.part");
        fs::write(&part, text)?;
        fs::rename(part, file)
    }
}

/// Rounds up or down at random with the value as the mean, so that changes below one count.
fn round(value: f64, rng: &mut ChaCha8Rng) -> i64 {
    (value + f64::from(rng.next_u32()) / 4_294_967_296.0).floor() as i64
}
