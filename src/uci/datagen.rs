//! The words of `datagen` and `data`.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::datagen::data::ExportFormat;
use crate::datagen::{KeepFilter, Options};
use crate::engine::protocol::{Command, CommandError, DataCommand, Quoted};
use crate::uci::words::{Words, problem, quoted};

/// `--OPTION NUMBER` and `--out FOLDER` in any order, or `--help`.
pub(super) fn parse_datagen(rest: &str) -> Result<Command, CommandError> {
    let mut options = Options::default();
    let mut words = Words(rest);
    while let Some(word) = words.next() {
        match word {
            "--help" | "help" => return Ok(Command::Datagen(None)),
            "--out" => options.out = Some(words.path("datagen", "a folder after --out")?),
            flag => {
                if !Options::has(flag) {
                    let unknown = format!("no option {}, see datagen --help", Quoted(flag));
                    return Err(problem("datagen", unknown));
                }
                let value = words.number("datagen", flag)?;
                options.set(flag, value).map_err(|range| problem("datagen", range))?;
            }
        }
    }
    Ok(Command::Datagen(Some(Box::new(options))))
}

/// `stats FILE …`, `verify FILE …`, `chances FILE …`, `view FILE GAME` or `export FILE … --format F --out FILE`;
/// `--help` anywhere.
pub(super) fn parse_data(rest: &str) -> Result<Command, CommandError> {
    let mut words = Words(rest);
    let tool = words.next().unwrap_or_default();
    if matches!(tool, "--help" | "help") {
        return Ok(Command::Data(DataCommand::Help));
    }
    let mut parts = DataParts::default();
    while let Some(word) = words.next() {
        if word == "--help" {
            return Ok(Command::Data(DataCommand::Help));
        }
        parts.take(tool, word, &mut words)?;
    }
    let DataParts { mut files, filter, format, out } = parts;
    let missing = |what| CommandError::Missing { command: "data", what };
    let command = match tool {
        "stats" | "verify" | "chances" | "export" if files.is_empty() => {
            return Err(missing("a file"));
        }
        "stats" => DataCommand::Stats { files, filter },
        "verify" => DataCommand::Verify { files },
        "chances" => DataCommand::Chances { files },
        "view" => {
            let [file, game] = &mut files[..] else {
                return Err(missing("a file and the number of a game"));
            };
            let found = game.display().to_string();
            let not_a_number = |_| CommandError::NotANumber {
                place: "data view".to_owned(),
                found: found.clone(),
            };
            DataCommand::View {
                file: std::mem::take(file),
                game: found.parse().map_err(not_a_number)?,
            }
        }
        "export" => DataCommand::Export {
            files,
            format: format.ok_or(missing("--format bulletformat or viriformat"))?,
            out: out.ok_or(missing("--out and a file to write"))?,
            filter,
        },
        _ => return Err(missing("stats, verify, chances, view or export")),
    };
    Ok(Command::Data(command))
}

/// What `data` works on and how.
#[derive(Default)]
struct DataParts {
    files: Vec<PathBuf>,
    filter: KeepFilter,
    format: Option<ExportFormat>,
    out: Option<PathBuf>,
}

impl DataParts {
    /// Takes a word with what belongs to it.
    fn take(&mut self, tool: &str, word: &str, words: &mut Words<'_>) -> Result<(), CommandError> {
        let filters = matches!(tool, "stats" | "export");
        match word {
            "--min-ply" if filters => self.filter.min_ply = words.number("data", word)? as usize,
            "--max-score" if filters => {
                self.filter.max_score = words.number("data", word)?.min(1 << 20) as i32;
            }
            "--with-checks" if filters => self.filter.checks = true,
            "--with-noisy" if filters => self.filter.noisy = true,
            "--format" if tool == "export" => {
                self.format = Some(format(words.next().unwrap_or_default())?)
            }
            "--out" if tool == "export" => {
                self.out = Some(words.path("data", "a file after --out")?)
            }
            flag if flag.starts_with("--") => {
                return Err(problem(
                    "data",
                    format!("no option {}, see data --help", Quoted(flag)),
                ));
            }
            file => self.files.push(PathBuf::from(file)),
        }
        Ok(())
    }
}

/// The format of this name.
fn format(name: &str) -> Result<ExportFormat, CommandError> {
    let format = ExportFormat::ALL.into_iter().find(|format| format.name() == name);
    format.ok_or_else(|| problem("data", format!("no format {}", Quoted(name))))
}

fn write_path(f: &mut fmt::Formatter<'_>, path: &Path) -> fmt::Result {
    f.write_str(&quoted(&path.to_string_lossy()))
}

/// What follows `datagen`.
pub(super) fn write_datagen(f: &mut fmt::Formatter<'_>, options: Option<&Options>) -> fmt::Result {
    let Some(options) = options else { return f.write_str("datagen --help") };
    f.write_str("datagen")?;
    for (flag, value) in options.changed() {
        write!(f, " {flag} {value}")?;
    }
    options.out.iter().try_for_each(|folder| {
        f.write_str(" --out ")?;
        write_path(f, folder)
    })
}

/// What follows `data`.
pub(super) fn write_data(f: &mut fmt::Formatter<'_>, command: &DataCommand) -> fmt::Result {
    match command {
        DataCommand::Help => f.write_str("data --help"),
        DataCommand::Stats { files, filter } => {
            f.write_str("data stats")?;
            write_files(f, files)?;
            write_filter(f, *filter)
        }
        DataCommand::Verify { files } => {
            f.write_str("data verify")?;
            write_files(f, files)
        }
        DataCommand::Chances { files } => {
            f.write_str("data chances")?;
            write_files(f, files)
        }
        DataCommand::View { file, game } => {
            f.write_str("data view")?;
            write_files(f, std::slice::from_ref(file))?;
            write!(f, " {game}")
        }
        DataCommand::Export { files, format, out, filter } => {
            f.write_str("data export")?;
            write_files(f, files)?;
            write_filter(f, *filter)?;
            write!(f, " --format {} --out ", format.name())?;
            write_path(f, out)
        }
    }
}

fn write_files(f: &mut fmt::Formatter<'_>, files: &[PathBuf]) -> fmt::Result {
    files.iter().try_for_each(|file| {
        f.write_str(" ")?;
        write_path(f, file)
    })
}

fn write_filter(f: &mut fmt::Formatter<'_>, filter: KeepFilter) -> fmt::Result {
    let usual = KeepFilter::default();
    if filter.min_ply != usual.min_ply {
        write!(f, " --min-ply {}", filter.min_ply)?;
    }
    if filter.max_score != usual.max_score {
        write!(f, " --max-score {}", filter.max_score)?;
    }
    if filter.checks {
        f.write_str(" --with-checks")?;
    }
    if filter.noisy {
        f.write_str(" --with-noisy")?;
    }
    Ok(())
}
