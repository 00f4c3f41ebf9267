//! The games of a recipe, made by the engines that it names.
//!
//! An engine is checked out from this repository at the recipe's commit, built and run; its games are the same on every
//! machine, so nobody has to hand them on. Games that are there already are not made again.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt, io};

use crate::data::{self, DataError};
use crate::recipe::{Games, Recipe};

/// Makes sure that all games of a recipe are in a folder. Tells `say` what it does.
///
/// # Errors
/// If the folder has games that do not fit the recipe, or if an engine cannot be built or run.
pub fn generate(
    recipe: &Recipe,
    folder: &Path,
    say: &mut dyn FnMut(&str),
) -> Result<(), GenerateError> {
    for games in &recipe.games {
        let found = data::count(games, folder).map_err(GenerateError::Data)?;
        if found < games.count {
            let (count, seed) = (games.count, games.seed);
            say(&format!(
                "seed {seed}: {found} of {count} games are there, the rest is played now"
            ));
            let engine = build_engine(&games.engine)?;
            run(Command::new(engine).args(datagen_words(games)).arg("--out").arg(folder))?;
        }
    }
    Ok(())
}

/// What an engine is told to make these games.
fn datagen_words(games: &Games) -> Vec<String> {
    let run = [("seed".to_owned(), games.seed), ("games".to_owned(), games.count)];
    let options = games.options.iter().map(|(name, value)| (name.replace('_', "-"), *value));
    let flags = run.into_iter().chain(options);
    let words = flags.flat_map(|(name, value)| [format!("--{name}"), value.to_string()]);
    std::iter::once("datagen".to_owned()).chain(words).collect()
}

/// The folder of this repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The program of a commit of this repository, in a folder of its own below `target`.
fn build_engine(commit: &str) -> Result<PathBuf, GenerateError> {
    let root = repository();
    let folder = root.join("target").join("engines").join(&commit[..12]);
    if !folder.exists() {
        let mut git = Command::new("git");
        git.arg("-C").arg(&root).args(["worktree", "add", "--force", "--detach"]);
        run(git.arg(&folder).arg(commit))?;
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--release", "--locked", "--target-dir", "target"]);
    run(build.current_dir(&folder))?;
    let program = format!("tabia{}", env::consts::EXE_SUFFIX);
    Ok(folder.join("target").join("release").join(program))
}

fn run(command: &mut Command) -> Result<(), GenerateError> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(GenerateError::Failed(name, status.to_string())),
        Err(error) => Err(GenerateError::NotRun(name, error)),
    }
}

/// Why there are no games.
#[derive(Debug)]
pub enum GenerateError {
    /// Those that are there cannot be used.
    Data(DataError),
    /// A program cannot be run.
    NotRun(String, io::Error),
    /// A program has ended like this.
    Failed(String, String),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data(error) => error.fmt(f),
            Self::NotRun(name, error) => write!(f, "{name}: {error}"),
            Self::Failed(name, status) => write!(f, "{name}: {status}"),
        }
    }
}

impl std::error::Error for GenerateError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_told_what_the_recipe_says() {
        let games = Games {
            engine: "0".repeat(40),
            net: None,
            seed: 7,
            count: 150_000,
            options: [("nodes".to_owned(), 2000), ("win_score".to_owned(), 900)].into(),
        };
        let words = datagen_words(&games).join(" ");
        assert_eq!(words, "datagen --seed 7 --games 150000 --nodes 2000 --win-score 900");
    }
}
