//! Generates the games of a recipe with the engines that it names.
//!
//! Games are the same on every machine, so they need not be distributed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt, io};

use crate::data::{self, DataSetError};
use crate::git::{git, head, repository};
use crate::recipe::{Games, Recipe};

/// Generates the games of a recipe that a folder lacks. Progress messages go to `report`.
pub fn generate(
    recipe: &Recipe,
    folder: &Path,
    threads: usize,
    report: &mut dyn FnMut(&str),
) -> Result<(), GenerateError> {
    for games in recipe.all_games() {
        let found = data::count(games, folder).map_err(GenerateError::Data)?;
        if found < games.count {
            let (count, seed) = (games.count, games.seed);
            report(&format!(
                "seed {seed}: {found} of {count} games are there, the rest is played now"
            ));
            let engine = build_engine(&games.engine)?;
            let mut datagen = Command::new(engine);
            datagen.args(datagen_words(games, threads)).arg("--out").arg(folder);
            run(&mut datagen)?;
        }
    }
    Ok(())
}

fn datagen_words(games: &Games, threads: usize) -> Vec<String> {
    let run = [("seed", games.seed), ("games", games.count), ("threads", threads as u64)];
    let run = run.map(|(name, value)| (name.to_owned(), value));
    let options = games.options.iter().map(|(name, value)| (name.replace('_', "-"), *value));
    let flags = run.into_iter().chain(options);
    let words = flags.flat_map(|(name, value)| [format!("--{name}"), value.to_string()]);
    std::iter::once("datagen".to_owned()).chain(words).collect()
}

/// Builds an engine in a worktree below `target` and returns its path.
fn build_engine(commit: &str) -> Result<PathBuf, GenerateError> {
    let root = repository();
    let folder = root.join("target").join("engines").join(&commit[..12]);
    if !folder.exists() {
        let path = folder.to_string_lossy();
        git(&root, &["worktree", "add", "--force", "--detach", &path, commit])
            .map_err(GenerateError::Git)?;
    }
    if head(&folder).as_deref() != Ok(commit) {
        return Err(GenerateError::OtherCommit(folder, commit.to_owned()));
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--release", "--locked", "--target-dir", "target"]);
    // Unset, so that the engine embeds its own network, names its commit and lies where it should.
    for name in ["EVALFILE", "TABIA_RELEASE", "CARGO_BUILD_TARGET"] {
        build.env_remove(name);
    }
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

/// Reason why games cannot be generated.
#[derive(Debug)]
pub enum GenerateError {
    /// The existing games cannot be used.
    Data(DataSetError),
    /// An engine cannot be checked out: Git's message.
    Git(String),
    /// The folder of an engine has another commit checked out.
    OtherCommit(PathBuf, String),
    /// A program cannot be run.
    NotRun(String, io::Error),
    /// A program failed with this status.
    Failed(String, String),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data(error) => error.fmt(f),
            Self::Git(error) => f.write_str(error),
            Self::OtherCommit(folder, commit) => {
                write!(f, "{} is not at commit {commit}; delete it", folder.display())
            }
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
    fn engines_get_the_options_of_the_recipe() {
        let games = Games {
            engine: "0".repeat(40),
            net: None,
            seed: 7,
            count: 150_000,
            every: 4,
            result_weight: Some(0.5),
            options: [("nodes".to_owned(), 2000), ("win_score".to_owned(), 900)].into(),
        };
        let words = datagen_words(&games, 3).join(" ");
        let expected = "datagen --seed 7 --games 150000 --threads 3 --nodes 2000 --win-score 900";
        assert_eq!(words, expected);
    }
}
