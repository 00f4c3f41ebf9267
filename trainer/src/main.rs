//! Command line of the trainer.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod progress;

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs, io, thread};

use tabia::eval::network::{self, FEATURES};
use tabia_trainer::checkpoint::RunId;
use tabia_trainer::data::DataSet;
use tabia_trainer::find::Finder;
use tabia_trainer::recipe::{Recipe, hex};
use tabia_trainer::{export, generate, log, plot, start, train};

use progress::{Bar, reading_bar};

const HELP: &str = "\
tabia-trainer train RECIPE --data FOLDER --out FILE [--net FILE]... [--threads N]
    trains the network of a recipe on the games in FOLDER and writes it to FILE. Writes the log as
    .csv and a plot as .svg beside it, under the name of FILE without .net. An interrupted run
    leaves a .checkpoint there, from which the same command resumes.

tabia-trainer build RECIPE --data FOLDER --out FILE [--net FILE]... [--threads N]
    the same, but first generates missing games with the engines that the recipe names

  --net FILE     a network that the recipe names by SHA-256 and that no commit has
  --threads N    number of threads (default: one for each CPU); does not change the network";

/// Parsed command line.
struct Order {
    /// Generates missing games.
    plays: bool,
    recipe: PathBuf,
    data: PathBuf,
    out: PathBuf,
    nets: Vec<PathBuf>,
    threads: usize,
}

/// Largest number of threads that the trainer and its engines accept.
const MAX_THREADS: usize = 1024;

/// Exit code if the arguments are not understood.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let is_help = |word: &OsString| ["help", "--help", "-h"].iter().any(|help| word == help);
    if words.is_empty() || words.iter().any(is_help) {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let order = match parse(&words) {
        Ok(order) => order,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(USAGE);
        }
    };
    match run(&order) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(words: &[OsString]) -> Result<Order, String> {
    let (command, words) = words.split_first().ok_or("expected a command")?;
    let plays = match command.to_str() {
        Some("train") => false,
        Some("build") => true,
        _ => return Err(format!("unknown command {}\n\n{HELP}", command.display())),
    };
    let (mut recipe, mut data, mut out, mut threads) = (None, None, None, None);
    let mut nets = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{} needs a value", word.display()));
        match word.to_str() {
            Some("--data") => data = Some(PathBuf::from(value()?)),
            Some("--out") => out = Some(PathBuf::from(value()?)),
            Some("--net") => nets.push(PathBuf::from(value()?)),
            Some("--threads") => {
                let count = value()?.to_str().and_then(|count| count.parse().ok());
                let count = count.filter(|count| (1..=MAX_THREADS).contains(count));
                threads = Some(count.ok_or(format!("--threads takes 1 to {MAX_THREADS}"))?);
            }
            Some(flag) if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
            _ if recipe.is_none() => recipe = Some(PathBuf::from(word)),
            _ => return Err(format!("{}: only one recipe is allowed", word.display())),
        }
    }
    let missing = |what: &str| format!("{what} is missing\n\n{HELP}");
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    Ok(Order {
        plays,
        recipe: recipe.ok_or_else(|| missing("RECIPE"))?,
        data: data.ok_or_else(|| missing("--data"))?,
        out: out.ok_or_else(|| missing("--out"))?,
        nets,
        threads: threads.unwrap_or_else(processors).min(MAX_THREADS),
    })
}

fn run(order: &Order) -> Result<(), Box<dyn Error>> {
    // Fail early if the arguments are wrong.
    let recipe = Recipe::read(&order.recipe)?;
    check_out(&order.out)?;
    let finder = Finder::new(&recipe, &order.nets)?;
    let start = start::start(&recipe, &finder)?;
    let teacher = recipe.distillation.as_ref().map(|with| finder.find(&with.teacher));
    let teacher = teacher.transpose().map_err(|error| format!("the teacher: {error}"))?;
    if order.plays {
        generate::generate(&recipe, &order.data, order.threads, &mut |line| println!("{line}"))?;
    }
    let data = read(&recipe, teacher.as_ref(), order)?;
    let id = RunId::new(&recipe, data.checksum());
    println!("positions   {}", hex(&id.data));
    let checkpoint = beside(&order.out, "checkpoint");
    let (model, rows) = train::train(
        &recipe,
        &data,
        start,
        order.threads,
        Some((&checkpoint, id)),
        &mut Bar::new(&recipe),
    )?;

    let network = export::quantise(&model)?;
    write(&order.out, &network.to_bytes())?;
    write(&beside(&order.out, "csv"), log::csv(&rows).as_bytes())?;
    let picture = beside(&order.out, "svg");
    plot::draw(&rows, &title(order, &recipe), &picture)
        .map_err(|error| format!("{}: {error}", picture.display()))?;
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
    }
    let hash = hex(&network.hash());
    println!("{hash}  {}", order.out.display());
    Ok(recipe.check_network(&hash)?)
}

fn check_out(out: &Path) -> Result<(), String> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if out.is_dir() || out.file_name().is_none() {
        Err(format!("--out {}: this is a folder, not a file", out.display()))
    } else if !folder.is_none_or(Path::is_dir) {
        Err(format!("--out {}: there is no such folder", out.display()))
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

fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

fn read(
    recipe: &Recipe,
    teacher: Option<&network::Parameters>,
    order: &Order,
) -> Result<DataSet, Box<dyn Error>> {
    let bar = reading_bar(recipe);
    let before = Instant::now();
    let data = DataSet::read(recipe, teacher, &order.data, order.threads, &mut |games| {
        bar.set_position(games);
    })?;
    bar.finish_and_clear();
    let distilled = data.training.len() - data.labels;
    println!(
        "{} labels and {distilled} distilled positions to learn from, {} held out, {} off-line, \
         {} duplicates left out, {:.0} s",
        data.labels,
        data.held_out.len(),
        data.off_line.len(),
        data.duplicates,
        before.elapsed().as_secs_f64()
    );
    Ok(data)
}

fn title(order: &Order, recipe: &Recipe) -> String {
    let stem = stem(&order.out);
    let name = stem.file_name().unwrap_or_default().to_string_lossy();
    let network = recipe.network;
    let buckets = if network.buckets == 1 { "" } else { &format!(" × {}", network.buckets) };
    format!("{name}: ({FEATURES} → {}) × 2 → 1{buckets}", network.hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_different_networks_are_different() {
        let name = |out: &str| beside(Path::new(out), "csv").display().to_string();
        assert_eq!((name("nets/2.net"), name("k.v1")), ("nets/2.csv".into(), "k.v1.csv".into()));
        assert_eq!((name("k.v2.net"), name("net")), ("k.v2.csv".into(), "net.csv".into()));
    }

    #[test]
    fn arguments_are_checked_first() {
        let refusal = |words: &str| {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            parse(&words).map(drop).expect_err("an invalid command line")
        };
        assert_eq!(refusal("train a --data d --out o b"), "b: only one recipe is allowed");
        for count in ["0", "1025", "x"] {
            let message = refusal(&format!("build a --data d --threads {count}"));
            assert_eq!(message, "--threads takes 1 to 1024");
        }
        assert_eq!(refusal("train a -x"), "unknown option -x");
        assert!(refusal("joho a").starts_with("unknown command joho"));
        assert!(refusal("train a --data d").starts_with("--out is missing"));
        assert!(refusal("train a --out").starts_with("--out needs a value"));

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
