//! Measures on this machine what changes of search parameters are worth, many at once.
//!
//! For each pair of games and each parameter, one of two players, chosen at random, gets the new
//! value; the other one keeps the default. Over all pairs the other changes average out. So a match
//! measures each change about as precisely as a match for it alone, if the others are small.
//!
//!     cargo run --release --features tune --example factors -- PAIRS NODES SEED NAME=VALUE …
//!
//! plays PAIRS pairs of games with NODES nodes for each move. The same command plays the same
//! games.
//!
//! Source: R. A. Fisher, "The arrangement of field experiments" (1926), on factorial designs.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program of its own")]

mod pairs;

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::process::ExitCode;
use std::sync::Mutex;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use tabia::search::{TUNABLES, Tunable};

use pairs::{Players, on_all_cores, sign};

const SHOWN_EVERY: u64 = 500;
/// Elo for each game by which wins exceed losses in a pair: the slope of the logistic curve at an
/// even score.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let [pairs, nodes, seed, changes @ ..] = &words[..] else {
        eprintln!("factors PAIRS NODES SEED NAME=VALUE …");
        return ExitCode::FAILURE;
    };
    match run(pairs, nodes, seed, changes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("factors: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(pairs: &str, nodes: &str, seed: &str, changes: &[String]) -> Result<(), Box<dyn Error>> {
    let changes = changes.iter().map(|word| parse(word)).collect::<Result<Vec<_>, _>>()?;
    let names: BTreeSet<_> = changes.iter().map(|(number, _)| number.name).collect();
    if names.len() < changes.len() {
        return Err("a parameter can have only one new value".into());
    }
    let tally = Tally { sums: vec![0.0; changes.len()], ..Tally::default() };
    let experiment = Experiment {
        pairs: pairs.parse()?,
        seed: seed.parse()?,
        changes,
        tally: Mutex::new(tally),
    };
    on_all_cores(nodes.parse()?, |players| experiment.work(players))?;
    Ok(())
}

fn parse(word: &str) -> Result<(&'static Tunable, i64), Box<dyn Error>> {
    let (name, value) = word.split_once('=').ok_or_else(|| format!("{word} is not NAME=VALUE"))?;
    let number = TUNABLES.iter().find(|number| number.name == name);
    let number = number.ok_or_else(|| format!("no parameter has the name {name}"))?;
    let value = value.parse()?;
    if !(i64::from(number.min)..=number.max.into()).contains(&value) {
        return Err(format!("{name} is from {} to {}", number.min, number.max).into());
    }
    Ok((number, value))
}

struct Experiment {
    pairs: u64,
    seed: u64,
    changes: Vec<(&'static Tunable, i64)>,
    tally: Mutex<Tally>,
}

#[derive(Default)]
struct Tally {
    begun: u64,
    ended: u64,
    /// For each change, the games won less those lost by the player with the new value.
    sums: Vec<f64>,
    /// Sum of the squared differences of games won and lost in a pair.
    squares: f64,
}

impl Experiment {
    fn work(&self, mut players: Players) {
        while let Some(pair) = self.begin() {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            rng.set_stream(pair);
            let signs: Vec<f64> = self.changes.iter().map(|_| sign(&mut rng)).collect();
            for (&(number, value), &sign) in self.changes.iter().zip(&signs) {
                let default = i64::from(number.default);
                let values = if sign > 0.0 { [value, default] } else { [default, value] };
                players.set(number, values);
            }
            let gain = f64::from(players.play_pair(&mut rng));
            self.end(&signs, gain);
        }
    }

    fn begin(&self) -> Option<u64> {
        let mut tally = self.tally.lock().expect("no thread panics while it holds the lock");
        tally.begun += 1;
        (tally.begun <= self.pairs).then_some(tally.begun)
    }

    fn end(&self, signs: &[f64], gain: f64) {
        let mut tally = self.tally.lock().expect("no thread panics while it holds the lock");
        tally.ended += 1;
        tally.squares += gain * gain;
        for (sum, sign) in tally.sums.iter_mut().zip(signs) {
            *sum += sign * gain;
        }
        if tally.ended.is_multiple_of(SHOWN_EVERY) || tally.ended == self.pairs {
            self.show(&tally);
        }
    }

    /// Prints the Elo of each change with its 95 % interval.
    fn show(&self, tally: &Tally) {
        let pairs = tally.ended as f64;
        println!("{pairs} pairs");
        let error = 1.96 * (tally.squares / pairs).sqrt() / pairs.sqrt() * ELO;
        for ((number, value), sum) in self.changes.iter().zip(&tally.sums) {
            let (name, default) = (number.name, number.default);
            println!("{name} {default} to {value}: {:+.1} ± {error:.1}", sum / pairs * ELO);
        }
    }
}
