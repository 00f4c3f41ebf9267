//! The tool `datagen`.

use std::ffi::OsString;

use crate::datagen::{self, DatagenOption, FOLDER_VARIABLE, GameOptions, RunOptions};

use super::arguments::Arguments;
use super::spec::{Flag, Flags, Help, STOP, Sink, ToolError, ToolSpec};

pub(super) static SPEC: ToolSpec = ToolSpec {
    word: "datagen",
    arguments: "[--OPTION NUMBER …] [--out FOLDER]",
    purpose: "play games against itself as training data",
    help: Help {
        flags: Flags::Computed(flags),
        notes: &[
            "The games are the same on every machine. A run that was interrupted continues",
            "where it ended. docs/data.md explains the files and the options.",
        ],
        examples: &["tabia datagen --games 1000 --threads 2 --seed 7 --out games"],
    },
    run,
};

fn flags() -> Vec<Flag> {
    let folder = format!("folder of the shards (default: ${FOLDER_VARIABLE})");
    let folder = Flag { name: "--out".into(), value: "FOLDER", help: folder.into() };
    let mut flags = vec![folder];
    flags.extend(RunOptions::TABLE.iter().map(number_flag));
    flags.extend(GameOptions::TABLE.iter().map(number_flag));
    flags
}

fn number_flag<T: Copy>(option: &DatagenOption<T>) -> Flag {
    let help = format!("{} (default: {})", option.help, option.default);
    Flag { name: option.flag().into(), value: "N", help: help.into() }
}

fn run(arguments: &[OsString], sink: Sink<'_>) -> Result<bool, ToolError> {
    datagen::run(&parse(arguments)?, &STOP, sink)
        .map_err(|error| ToolError::Failure(format!("datagen: {error}")))
}

fn parse(arguments: &[OsString]) -> Result<datagen::Options, ToolError> {
    let arguments = Arguments::parse("datagen", 0, &[&flags()], arguments)?;
    let mut options =
        datagen::Options { out: arguments.path("--out"), ..datagen::Options::default() };
    read_numbers(&arguments, RunOptions::TABLE, &mut options.run)?;
    read_numbers(&arguments, GameOptions::TABLE, &mut options.game)?;
    Ok(options)
}

fn read_numbers<T: Copy>(
    arguments: &Arguments,
    table: &[DatagenOption<T>],
    options: &mut T,
) -> Result<(), ToolError> {
    for option in table {
        if let Some(value) = arguments.number(&option.flag(), option.min..=option.max)? {
            option.set(options, value).expect("the range was checked");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn options_are_parsed() {
        let words = ["--games=10", "--win-score", "2000", "--out", "a  b"].map(OsString::from);
        let options = parse(&words).expect("valid");
        assert_eq!((options.run.games, options.game.win_score), (10, 2000));
        assert_eq!(options.out, Some(PathBuf::from("a  b")));
        let seed = parse(&["--seed".into(), u64::MAX.to_string().into()]).expect("valid").run.seed;
        assert_eq!(seed, u64::MAX);
    }
}
