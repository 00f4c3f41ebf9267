//! The words of `genfens`, in the order in which OpenBench writes them.

use std::fmt;

use crate::datagen::GenFens;
use crate::engine::protocol::{Command, CommandError, Quoted};
use crate::uci::words::{Words, problem, quoted};

const COMMAND: &str = "genfens";

/// `N seed S [book None|FILE] [plies P]`.
pub(super) fn parse_genfens(rest: &str) -> Result<Command, CommandError> {
    let mut words = Words(rest);
    let count = words.number(COMMAND, "N")?;
    let (mut seed, mut book, mut plies) = (None, None, None);
    while let Some(word) = words.next() {
        match word {
            "seed" => seed = Some(words.number(COMMAND, word)?),
            "plies" => plies = Some(words.number(COMMAND, word)?),
            "book" => {
                let path = words.path(COMMAND, "a file or None after book")?;
                book = Some(path).filter(|path| !path.as_os_str().eq_ignore_ascii_case("none"));
            }
            _ => return Err(problem(COMMAND, format!("no word {}", Quoted(word)))),
        }
    }
    let seed = seed.ok_or(CommandError::Missing { command: COMMAND, what: "seed and a number" })?;
    let plies = plies.unwrap_or(GenFens::default_plies(book.is_some()));
    if plies > GenFens::MAX_PLIES {
        return Err(problem(COMMAND, format!("plies takes 0 to {}", GenFens::MAX_PLIES)));
    }
    Ok(Command::GenFens(GenFens { count, seed, book, plies }))
}

/// The whole line.
pub(super) fn write_genfens(f: &mut fmt::Formatter<'_>, wishes: &GenFens) -> fmt::Result {
    let GenFens { count, seed, book, plies } = wishes;
    write!(f, "{COMMAND} {count} seed {seed}")?;
    if let Some(book) = book {
        write!(f, " book {}", quoted(&book.to_string_lossy()))?;
    }
    if *plies != GenFens::default_plies(book.is_some()) {
        write!(f, " plies {plies}")?;
    }
    Ok(())
}
