//! The command line of `tabia-data`.

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use tabia::cli;
use tabia::datagen::KeepFilter;
use tabia::platform::survive_file_size_limit;
use tabia_data::{DataError, ExportFormat};

/// Inspects the shards of games that `tabia datagen` writes, and converts them.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand)]
enum Tool {
    /// Counts games, results, endings and bytes, and positions by score, pieces and ply
    Stats {
        #[command(flatten)]
        shards: Shards,
        #[command(flatten)]
        filter: Filter,
    },
    /// Replays every game and checks its moves and its end
    Verify {
        #[command(flatten)]
        shards: Shards,
    },
    /// Fits the chances of winning, drawing and losing by score and material
    Chances {
        #[command(flatten)]
        shards: Shards,
    },
    /// Prints a game as PGN
    View {
        /// Shard that holds the game
        file: PathBuf,
        /// Number of the game in its run
        game: u64,
    },
    /// Writes the games in the format of another trainer
    Export {
        #[command(flatten)]
        shards: Shards,
        /// Format to write
        #[arg(long)]
        format: ExportFormat,
        /// File to write; an existing file is replaced unless it is a shard
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        #[command(flatten)]
        filter: Filter,
    },
}

#[derive(Args)]
struct Shards {
    /// Shards to read
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Selects the positions that are kept.
#[derive(Args)]
struct Filter {
    /// First ply of a game that is kept
    #[arg(long, value_name = "N", default_value_t = KeepFilter::default().min_ply)]
    min_ply: usize,
    /// Largest score that is kept, of either sign
    #[arg(
        long,
        value_name = "N",
        default_value_t = KeepFilter::default().max_score,
        value_parser = clap::value_parser!(i32).range(0..)
    )]
    max_score: i32,
    /// Keep positions in check
    #[arg(long)]
    with_checks: bool,
    /// Keep positions whose best move is a capture or a promotion
    #[arg(long)]
    with_noisy: bool,
}

impl From<Filter> for KeepFilter {
    fn from(filter: Filter) -> Self {
        let Filter { min_ply, max_score, with_checks, with_noisy } = filter;
        Self { min_ply, max_score, with_checks, with_noisy }
    }
}

fn main() -> ExitCode {
    survive_file_size_limit();
    let tool = match cli::parse::<Arguments>() {
        Ok(arguments) => arguments.tool,
        Err(code) => return code,
    };
    match run(tool, &mut io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Not an error: the reader needs no more of the report.
        Err(DataError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Fails only if standard error is closed too.
            let _closed = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a tool. Returns whether the shards are undamaged and right.
fn run(tool: Tool, out: &mut dyn Write) -> Result<bool, DataError> {
    match tool {
        Tool::Stats { shards, filter } => tabia_data::stats(&shards.files, filter.into(), out),
        Tool::Verify { shards } => tabia_data::verify(&shards.files, out),
        Tool::Chances { shards } => tabia_data::chances(&shards.files, out),
        Tool::View { file, game } => tabia_data::view(&file, game, out).map(|()| true),
        Tool::Export { shards, format, out: path, filter } => {
            tabia_data::export(&shards.files, format, &path, filter.into(), out)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_default_filter_is_that_of_the_library() {
        for tool in ["stats a", "export a --format viriformat --out b"] {
            let words = ["tabia-data"].into_iter().chain(tool.split(' '));
            let (Tool::Stats { filter, .. } | Tool::Export { filter, .. }) =
                Arguments::try_parse_from(words).expect("a command").tool
            else {
                panic!("another tool");
            };
            assert_eq!(KeepFilter::from(filter), KeepFilter::default());
        }
    }
}
