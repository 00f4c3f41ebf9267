//! Command line of the trainer.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod progress;

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, thread};

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand};
use sha2::{Digest, Sha256};

use tabia::cli;
use tabia::datagen::Shard;
use tabia::eval::network::{self, FEATURES, MAX_FILE_MIB};
use tabia::files;
use tabia::platform::survive_file_size_limit;
use tabia::text::{ShownPath, visible};
use tabia_trainer::checkpoint::RunId;
use tabia_trainer::data::DataSet;
use tabia_trainer::find::Finder;
use tabia_trainer::judge::{
    Comparison, FreshComparison, Judge, Scorer, fresh_report, report, whole_blocks,
};
use tabia_trainer::recipe::{Recipe, hex};
use tabia_trainer::{export, formats, generate, log, plot, start, train};

use progress::{Bar, Reading};

/// Trains Tabia's network from its own games.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Trains the network of a recipe on games that were played before
    ///
    /// The log as .csv and a plot as .svg are written beside the network, under its name without
    /// .net. An interrupted run leaves a .checkpoint there, from which the same command resumes.
    #[command(verbatim_doc_comment)]
    Train(Training),
    /// Plays the missing games with the engines that the recipe names, then trains like `train`
    Build(Training),
    /// Measures networks against Stockfish, on positions that no network is trained on
    Judge(Judged),
    /// Compares networks on self-play games from which none of them has learnt
    Compare(Compared),
    /// Writes a network in another version of the file format
    Convert(Conversion),
}

#[derive(Args)]
struct Training {
    /// Recipe of the network, a TOML file
    recipe: PathBuf,
    /// Folder of the games
    #[arg(long, value_name = "FOLDER")]
    data: PathBuf,
    /// File to write the network to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Network that the recipe names by SHA-256 and that no commit has; may be repeated
    #[arg(long = "net", value_name = "FILE")]
    nets: Vec<PathBuf>,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Args)]
struct Judged {
    /// Networks to measure
    #[arg(value_name = "NET", required = true)]
    nets: Vec<PathBuf>,
    /// Network to compare them with: errors at each position, and the progress over it
    #[arg(long, value_name = "NET")]
    over: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Args)]
struct Compared {
    /// Networks to measure
    #[arg(value_name = "NET", required = true)]
    nets: Vec<PathBuf>,
    /// Network to compare them with
    #[arg(long, value_name = "NET")]
    over: PathBuf,
    /// Shard of games that are in no recipe of the networks; may be repeated
    #[arg(long = "games", value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Args)]
struct Conversion {
    /// Network in any version of the format
    net: PathBuf,
    /// File to write the network to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Version to write: 3, or 2 for programs that read no other
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        value_parser = RangedU64ValueParser::<u16>::new().range(2..=3)
    )]
    format: u16,
}

#[derive(Args)]
struct Threads {
    /// Number of threads, which does not change the result [default: one for each CPU]
    #[arg(
        long = "threads",
        value_name = "N",
        default_value_t = processors(),
        hide_default_value = true,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64)
    )]
    count: usize,
}

/// Largest number of threads that the trainer and its engines accept.
const MAX_THREADS: usize = 1024;

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS)
}

fn main() -> ExitCode {
    survive_file_size_limit();
    let command = match cli::parse::<Arguments>() {
        Ok(arguments) => arguments.command,
        Err(code) => return code,
    };
    let run = match command {
        Command::Train(training) => train(&training, false),
        Command::Build(training) => train(&training, true),
        Command::Judge(judged) => judge(&judged),
        Command::Compare(compared) => compare(&compared),
        Command::Convert(conversion) => convert(&conversion),
    };
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Trains the network of a recipe. `plays` generates missing games first.
fn train(order: &Training, plays: bool) -> Result<(), Box<dyn Error>> {
    // Fail early if the arguments are wrong.
    let recipe = Recipe::read(&order.recipe)?;
    check_out(&order.out)?;
    let finder = Finder::new(&recipe, &order.nets)?;
    let initial = start::initial_parameters(&recipe, &finder)?;
    let teacher = recipe.distillation.as_ref().map(|with| finder.find(&with.teacher));
    let teacher = teacher.transpose().map_err(|error| format!("the teacher: {error}"))?;
    if plays {
        let report = &mut |line: &str| println!("{line}");
        generate::generate(&recipe, &order.data, order.threads.count, &finder, report)?;
    }
    let mut data = read(&recipe, teacher.as_ref(), order)?;
    data.judge = Some(Judge::new());
    let id = RunId::new(&recipe, data.checksum());
    println!("positions   {}", hex(&id.data));
    let checkpoint = beside(&order.out, "checkpoint");
    let (model, rows) = train::train(
        &recipe,
        &data,
        initial,
        order.threads.count,
        Some((&checkpoint, id)),
        &mut Bar::new(&recipe),
    )?;

    let network = export::quantise(&model)?;
    let bytes = if recipe.training.exceeds_8_bits() {
        formats::with_16_bits(&network)?
    } else {
        network.to_bytes()?
    };
    let hash = hex(&Sha256::digest(&bytes));
    // Nothing is written, so that no file has the name of another network. The checkpoint stays.
    recipe.check_network(&hash)?;
    write(&order.out, &bytes)?;
    write(&beside(&order.out, "csv"), log::csv(&rows).as_bytes())?;
    let picture = beside(&order.out, "svg");
    plot::draw(&rows, &title(order, &recipe), &picture)
        .map_err(|error| format!("{}: {error}", ShownPath(&picture)))?;
    fs::remove_file(&checkpoint).map_err(|error| at(&checkpoint, &error))?;
    if let Some(last) = rows.last() {
        print!(
            "loss        {:.6} training, {:.6} held out",
            last.training_loss, last.held_out_loss
        );
        if recipe.off_line.is_some() {
            print!(", {:.6} off-line", last.off_line_loss);
        }
        println!();
        println!(
            "error       {:.6} with five divisors, {:.6} with one; progress {:.3}",
            last.error, last.error_one, last.progress
        );
    }
    println!("{hash}  {}", ShownPath(&order.out));
    Ok(())
}

/// Prints the figures of networks.
fn judge(order: &Judged) -> Result<(), Box<dyn Error>> {
    // Fail early if a file is wrong.
    let over = order.over.as_ref().map(|path| read_network(path)).transpose()?;
    let nets = order.nets.iter().map(|path| read_network(path)).collect::<Result<Vec<_>, _>>()?;
    let judge = Judge::new();
    let figures = |network: &network::Parameters| judge.network(network, order.threads.count);
    let over = over.map(|(name, network)| (name, figures(&network)));
    let over = over.as_ref().map(|(name, judgement)| Comparison { name, judgement });
    for (index, (name, network)) in nets.iter().enumerate() {
        if index > 0 {
            println!();
        }
        print!("{}", report(&judge, name, &figures(network), over));
    }
    Ok(())
}

/// Prints how networks differ from another one on fresh games.
fn compare(order: &Compared) -> Result<(), Box<dyn Error>> {
    let (old_name, old) = read_network(&order.over)?;
    let nets = order.nets.iter().map(|path| read_network(path)).collect::<Result<Vec<_>, _>>()?;
    let open = |path: &PathBuf| Shard::open(path).map_err(|error| at(path, &error));
    let shards = order.shards.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let mut blocks = Vec::new();
    for (index, (shard, path)) in shards.iter().zip(&order.shards).enumerate() {
        if shards[..index].iter().any(|other| other.header == shard.header) {
            return Err(format!("{}: these games are given twice", ShownPath(path)).into());
        }
        blocks.extend(whole_blocks(shard).map_err(|error| at(path, &error))?);
    }
    let old = Scorer::new(&old);
    for (index, (name, network)) in nets.iter().enumerate() {
        let new = Scorer::new(network);
        let figures = FreshComparison::of(&blocks, &old, &new, order.threads.count)?;
        if figures.all.labels == 0 {
            return Err("there are no kept labels in the games".into());
        }
        if index > 0 {
            println!();
        }
        print!("{}", fresh_report(name, &old_name, &figures));
    }
    Ok(())
}

/// Writes a network in a version of the file format and prints its SHA-256.
fn convert(order: &Conversion) -> Result<(), Box<dyn Error>> {
    check_out(&order.out)?;
    let (_, network) = read_network(&order.net)?;
    let bytes = match order.format {
        2 => formats::with_16_bits(&network),
        _ => network.to_bytes(),
    };
    let bytes = bytes.map_err(|error| at(&order.net, &error))?;
    write(&order.out, &bytes)?;
    println!("{}  {}", hex(&Sha256::digest(&bytes)), ShownPath(&order.out));
    Ok(())
}

/// Returns the name of a network as the user gives it, and the network.
fn read_network(path: &Path) -> Result<(String, network::Parameters), String> {
    let bytes = files::read(path, MAX_FILE_MIB).map_err(|error| at(path, &error))?;
    let network = formats::read(&bytes).map_err(|error| at(path, &error))?;
    Ok((ShownPath(path).to_string(), network))
}

fn check_out(out: &Path) -> Result<(), String> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if out.is_dir() || out.file_name().is_none() {
        Err(format!("--out {}: this is a folder, not a file", ShownPath(out)))
    } else if !folder.is_none_or(Path::is_dir) {
        Err(format!("--out {}: there is no such folder", ShownPath(out)))
    } else {
        Ok(())
    }
}

/// Replaces `.net` or appends: `2.net` gives `2.csv`, `k.v1` gives `k.v1.csv`.
fn beside(out: &Path, ending: &str) -> PathBuf {
    let mut path = stem(out).into_os_string();
    path.push(".");
    path.push(ending);
    path.into()
}

fn stem(out: &Path) -> PathBuf {
    if out.extension() == Some(OsStr::new("net")) { out.with_extension("") } else { out.into() }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| at(path, &error))
}

fn at(path: &Path, error: &dyn Error) -> String {
    format!("{}: {error}", ShownPath(path))
}

fn read(
    recipe: &Recipe,
    teacher: Option<&network::Parameters>,
    order: &Training,
) -> Result<DataSet, Box<dyn Error>> {
    let mut reading = Reading::new(recipe);
    let data = DataSet::read(recipe, teacher, &order.data, order.threads.count, &mut |games| {
        reading.show(games);
    })?;
    let time = reading.end();
    let distilled = data.training.len() - data.labels;
    println!(
        "{} labels and {distilled} distilled positions to learn from, {} held out, {} off-line, \
         {} duplicates left out, {:.0} s",
        data.labels,
        data.held_out.len(),
        data.off_line.len(),
        data.duplicates,
        time.as_secs_f64()
    );
    Ok(data)
}

fn title(order: &Training, recipe: &Recipe) -> String {
    let stem = stem(&order.out);
    let name = stem.file_name().unwrap_or_default().to_string_lossy();
    let network = recipe.network;
    let buckets = if network.buckets == 1 { "" } else { &format!(" × {}", network.buckets) };
    let name = visible(&name);
    format!("{name}: ({FEATURES} → {}) × 2 → 1{buckets}", network.hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn files_beside_different_networks_are_different() {
        let name = |out: &str| beside(Path::new(out), "csv").display().to_string();
        assert_eq!((name("nets/2.net"), name("k.v1")), ("nets/2.csv".into(), "k.v1.csv".into()));
        assert_eq!((name("k.v2.net"), name("net")), ("k.v2.csv".into(), "net.csv".into()));
    }

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_output_must_be_a_file_in_a_folder() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(check_out(here).is_err_and(|error| error.ends_with("a folder, not a file")));
        let nowhere = here.join("none").join("2.net");
        assert!(check_out(&nowhere).is_err_and(|error| error.ends_with("no such folder")));
        assert_eq!(
            (check_out(&here.join("2.net")), check_out(Path::new("2.net"))),
            (Ok(()), Ok(()))
        );
    }
}
