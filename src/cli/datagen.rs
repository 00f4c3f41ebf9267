//! The tool `datagen`.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

use crate::datagen::{self, DatagenOption, FOLDER_VARIABLE, GameOptions, Options, RunOptions};

use super::arguments::{STOP, Sink, ToolError};

/// Plays games against itself as training data
#[derive(Args)]
#[command(
    before_help = "The games are the same on every machine. A run that was interrupted continues \
                   where it ended. docs/data.md explains the files and the options.",
    after_help = "Example:\n  tabia datagen --games 1000 --threads 2 --seed 7 --out games"
)]
pub(super) struct Datagen {
    #[command(flatten)]
    arguments: DatagenArguments,
}

impl Datagen {
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        datagen::run(&self.arguments.0, &STOP, sink).map_err(ToolError::failure)
    }
}

/// Arguments whose names, ranges, defaults and help come from the tables of `datagen::options`.
struct DatagenArguments(Options);

impl Args for DatagenArguments {
    fn augment_args(command: Command) -> Command {
        let folder = Arg::new("out")
            .long("out")
            .value_name("FOLDER")
            .value_parser(value_parser!(PathBuf))
            .help(format!("Folder of the shards [default: ${FOLDER_VARIABLE}]"));
        let run = RunOptions::TABLE.iter().map(argument);
        let game = GameOptions::TABLE.iter().map(argument);
        command.arg(folder).args(run).args(game)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn argument<T: Copy>(option: &DatagenOption<T>) -> Arg {
    Arg::new(option.name)
        .long(option.name.replace('_', "-"))
        .value_name("N")
        .value_parser(value_parser!(u64).range(option.min..=option.max))
        .default_value(option.default.to_string())
        .help(option.help)
}

impl FromArgMatches for DatagenArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut options = Options { out: matches.get_one("out").cloned(), ..Options::default() };
        set_numbers(matches, RunOptions::TABLE, &mut options.run);
        set_numbers(matches, GameOptions::TABLE, &mut options.game);
        Ok(Self(options))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn set_numbers<T: Copy>(matches: &ArgMatches, table: &[DatagenOption<T>], options: &mut T) {
    for option in table {
        let value = *matches.get_one(option.name).expect("every option has a default");
        option.set(options, value).expect("the range was checked");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Options {
        let command = DatagenArguments::augment_args(Command::new("datagen").no_binary_name(true));
        let matches = command.try_get_matches_from(words).expect("valid");
        DatagenArguments::from_arg_matches(&matches).expect("valid").0
    }

    #[test]
    fn options_are_parsed() {
        let options = parse(&["--games=10", "--win-score", "2000", "--out", "a  b"]);
        assert_eq!((options.run.games, options.game.win_score), (10, 2000));
        assert_eq!(options.out, Some(PathBuf::from("a  b")));
        assert_eq!(parse(&["--seed", &u64::MAX.to_string()]).run.seed, u64::MAX);
        assert_eq!(parse(&[]), Options::default());
    }
}
