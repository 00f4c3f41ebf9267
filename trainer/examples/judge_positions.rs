//! Makes the positions of `tabia-trainer judge` from games: `trainer/judge/make` runs it.

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;

use tabia::datagen::Shard;
use tabia_trainer::judge::make::{Chooser, Engines};
use tabia_trainer::judge::{GROUPS, pack};

/// Chooses quiet positions, evenly over groups of men, and has other engines evaluate them.
#[derive(Parser)]
struct Arguments {
    /// Shards of games, in order
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// The program of akimbo 0.8.0
    #[arg(long, value_name = "PROGRAM")]
    akimbo: PathBuf,
    /// The program of Viridithas 10.0.0
    #[arg(long, value_name = "PROGRAM")]
    viridithas: PathBuf,
    /// The program of Stockfish 15.1
    #[arg(long, value_name = "PROGRAM")]
    stockfish: PathBuf,
    /// Positions for each group of men
    #[arg(long, value_name = "N", default_value_t = 5000)]
    positions: usize,
    /// Positions of these that Stockfish searches
    #[arg(long, value_name = "N", default_value_t = 1000)]
    scores: usize,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { shards, akimbo, viridithas, stockfish, positions, scores, out } =
        Arguments::parse();
    let start = Instant::now();
    let mut engines = Engines::start([&akimbo, &viridithas, &stockfish])?;
    let mut chooser = Chooser::new(positions);
    let mut is_complete = false;
    for path in &shards {
        let at = |error: &dyn Error| format!("{}: {error}", path.display());
        let shard = Shard::open(path).map_err(|error| at(&error))?;
        println!("{}: seed {}, engine {}", path.display(), shard.header.seed, shard.header.engine);
        is_complete = chooser.read(&shard).map_err(|error| at(&error))?;
    }
    println!("{} games read", chooser.games());
    let groups = chooser.into_groups();
    if !is_complete {
        let found = groups.each_ref().map(Vec::len);
        return Err(format!("too few games: only {found:?} positions by group of men").into());
    }
    let mut rows = Vec::new();
    for (group, boards) in GROUPS.iter().zip(groups) {
        for (index, board) in boards.into_iter().enumerate() {
            rows.push(engines.ask(board, index < scores)?);
        }
        println!("{group} men: {positions} positions, {:.0} s", start.elapsed().as_secs_f64());
    }
    let bytes = pack(&rows);
    fs::write(&out, &bytes).map_err(|error| format!("{}: {error}", out.display()))?;
    println!("{}: {} positions, {} bytes", out.display(), rows.len(), bytes.len());
    Ok(())
}
