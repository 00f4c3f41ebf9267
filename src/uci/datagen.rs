//! Words of `datagen`.

use std::fmt;

use crate::datagen::Options;
use crate::engine::protocol::{Command, CommandError, Quoted};
use crate::uci::words::{Words, problem, quoted};

/// Parses `--OPTION NUMBER` and `--out FOLDER` in any order, or `--help`.
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

/// Writes a `datagen` command as [`parse_datagen`] reads it.
pub(super) fn write_datagen(f: &mut fmt::Formatter<'_>, options: Option<&Options>) -> fmt::Result {
    let Some(options) = options else { return f.write_str("datagen --help") };
    f.write_str("datagen")?;
    for (flag, value) in options.changed() {
        write!(f, " {flag} {value}")?;
    }
    match &options.out {
        Some(folder) => write!(f, " --out {}", quoted(&folder.to_string_lossy())),
        None => Ok(()),
    }
}
