//! The trainer's command line.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod progress;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, thread};

use sha2::{Digest, Sha256};

use tabia_trainer::checkpoint::RunId;
use tabia_trainer::data::DataSet;
use tabia_trainer::recipe::{Recipe, hex};
use tabia_trainer::{export, generate, log, plot, start, train};

use progress::{Bar, reading_bar};

const HELP: &str = "\
tabia-trainer train RECIPE --data FOLDER --out FILE [--threads N]
    trains the network of a recipe on the games in FOLDER and writes it to FILE; beside it the log as .csv, a plot
    as .svg, and while it runs a .checkpoint, from which the same command goes on after a break

tabia-trainer build RECIPE --data FOLDER --out FILE [--threads N]
    the same, but first the games that are not in FOLDER are played by the engines that the recipe names

  --threads N    threads to work on; one for each processor unless given; the network is the same with any number";

/// What is asked for.
struct Order {
    recipe: PathBuf,
    data: PathBuf,
    out: PathBuf,
    threads: usize,
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        [] | ["help" | "--help"] => {
            println!("{HELP}");
            Ok(())
        }
        ["train", ref rest @ ..] => parse(rest).and_then(|order| train(&order)),
        ["build", ref rest @ ..] => parse(rest).and_then(|order| build(&order)),
        [command, ..] => Err(format!("there is no command {command:?}\n\n{HELP}").into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(words: &[&str]) -> Result<Order, Box<dyn Error>> {
    let (mut recipe, mut data, mut out, mut threads) = (None, None, None, None);
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("something is missing after {word}"));
        match word {
            "--data" => data = Some(PathBuf::from(value()?)),
            "--out" => out = Some(PathBuf::from(value()?)),
            "--threads" => {
                let count = value()?;
                threads = Some(count.parse().map_err(|_| format!("{count:?} is no number"))?);
            }
            flag if flag.starts_with("--") => {
                return Err(format!("there is no option {flag}").into());
            }
            path => recipe = Some(PathBuf::from(path)),
        }
    }
    let missing = |what: &str| format!("{what} is missing\n\n{HELP}");
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    Ok(Order {
        recipe: recipe.ok_or_else(|| missing("RECIPE"))?,
        data: data.ok_or_else(|| missing("--data"))?,
        out: out.ok_or_else(|| missing("--out"))?,
        threads: threads.filter(|threads| *threads > 0).unwrap_or_else(processors),
    })
}

fn build(order: &Order) -> Result<(), Box<dyn Error>> {
    let recipe = Recipe::read(&order.recipe)?;
    generate::generate(&recipe, &order.data, order.threads, &mut |line| println!("{line}"))?;
    train(order)
}

fn train(order: &Order) -> Result<(), Box<dyn Error>> {
    let recipe = Recipe::read(&order.recipe)?;
    let data = read(&recipe, order)?;
    let id = RunId::new(&recipe, data.hash());
    println!("positions   {}", hex(&id.data));
    let checkpoint = order.out.with_extension("checkpoint");
    let (model, rows) = train::train(
        &recipe,
        &data,
        start::start(&recipe)?,
        order.threads,
        Some((&checkpoint, id)),
        &mut Bar::new(&recipe),
    )?;

    let bytes = export::quantise(&model)?.to_bytes();
    fs::write(&order.out, &bytes)?;
    fs::write(order.out.with_extension("csv"), log::csv(&rows))?;
    plot::draw(&rows, &title(order, &recipe), &order.out.with_extension("svg"))?;
    fs::remove_file(&checkpoint)?;
    if let Some(last) = rows.last() {
        println!(
            "loss        {:.6} training, {:.6} held out",
            last.training_loss, last.held_out_loss
        );
    }
    println!("{}  {}", hex(&Sha256::digest(&bytes)), order.out.display());
    Ok(())
}

fn read(recipe: &Recipe, order: &Order) -> Result<DataSet, Box<dyn Error>> {
    let bar = reading_bar(recipe);
    let data =
        DataSet::read(recipe, &order.data, order.threads, &mut |games| bar.set_position(games))?;
    bar.finish_and_clear();
    println!(
        "{} positions to learn from, {} held out, {} duplicates left out",
        data.training.len(),
        data.held_out.len(),
        data.duplicates
    );
    Ok(data)
}

fn title(order: &Order, recipe: &Recipe) -> String {
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let network = recipe.network;
    let buckets = if network.buckets == 1 { "" } else { &format!(" × {}", network.buckets) };
    format!("{}: (768 → {}) × 2 → 1{buckets}", name(&order.out), network.hidden)
}
