//! Generates the games of a recipe with the engines that it names.
//!
//! Games are the same on every machine, so they need not be distributed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use tabia::text::ShownPath;
use thiserror::Error;

use crate::data::{self, DataSetError};
use crate::find::{FindError, Finder};
use crate::git::{git, head, repository};
use crate::recipe::{Games, Recipe};

/// Generates the games of a recipe that a folder lacks, with the networks of `finder`. Progress
/// messages go to `report`.
pub fn generate(
    recipe: &Recipe,
    folder: &Path,
    threads: usize,
    finder: &Finder,
    report: &mut dyn FnMut(&str),
) -> Result<(), GenerateError> {
    for games in recipe.all_games() {
        let found = data::count(games, folder).map_err(GenerateError::Data)?;
        if found < games.count {
            let (count, seed) = (games.count, games.seed);
            report(&format!(
                "seed {seed}: {found} of {count} games are there, the rest is played now"
            ));
            let engine = build_engine(games, finder)?;
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

/// Builds the engine of some games in a worktree below `target` and returns its path.
fn build_engine(games: &Games, finder: &Finder) -> Result<PathBuf, GenerateError> {
    let (root, commit) = (repository(), &games.engine);
    let folder = root.join("target").join("engines").join(&commit[..12]);
    if !folder.exists() {
        let path = folder.to_string_lossy();
        git(&root, &["worktree", "add", "--force", "--detach", &path, commit])
            .map_err(GenerateError::Git)?;
    }
    if head(&folder).as_deref() != Ok(commit) {
        return Err(GenerateError::OtherCommit(folder, commit.to_owned()));
    }
    let network = match &games.net {
        Some(hash) => Some((hash.as_str(), finder.file(hash).map_err(GenerateError::Network)?)),
        None => None,
    };
    let Build { mut command, engine } = Build::new(&folder, network)?;
    run(&mut command)?;
    Ok(engine)
}

/// Build of an engine.
struct Build {
    command: Command,
    /// The program that it makes.
    engine: PathBuf,
}

impl Build {
    /// Prepares the build of the engine in a folder, with a network given by its hash and file. It
    /// need not be the one that the engine's commit embeds.
    fn new(folder: &Path, network: Option<(&str, Vec<u8>)>) -> Result<Self, GenerateError> {
        let target = folder.join("target");
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.current_dir(folder).args(["build", "--release", "--locked", "--target-dir"]);
        // Unset, so that the engine names its commit and lies where it should.
        for name in ["EVALFILE", "TABIA_RELEASE", "CARGO_BUILD_TARGET"] {
            command.env_remove(name);
        }
        let target = match network {
            None => target,
            Some((hash, bytes)) => {
                // A folder for each network, so that none is built twice.
                let target = target.join(&hash[..12]);
                let file = target.join("embedded.net");
                // Cargo builds again after a change of the file's date.
                if !fs::read(&file).is_ok_and(|found| found == bytes) {
                    let written =
                        fs::create_dir_all(&target).and_then(|()| fs::write(&file, bytes));
                    written.map_err(|error| GenerateError::NotWritten(file.clone(), error))?;
                }
                command.env("EVALFILE", file);
                target
            }
        };
        command.arg(&target);
        let program = format!("tabia{}", env::consts::EXE_SUFFIX);
        Ok(Self { command, engine: target.join("release").join(program) })
    }
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
#[derive(Debug, Error)]
pub enum GenerateError {
    /// The existing games cannot be used.
    #[error(transparent)]
    Data(DataSetError),
    /// An engine cannot be checked out: Git's message.
    #[error("{0}")]
    Git(String),
    /// The folder of an engine has another commit checked out.
    #[error("{} is not at commit {}; delete it", ShownPath(.0), .1)]
    OtherCommit(PathBuf, String),
    /// The network of an engine is not found.
    #[error("network of an engine: {0}")]
    Network(FindError),
    /// The file of an engine's network cannot be written.
    #[error("{}: {}", ShownPath(.0), .1)]
    NotWritten(PathBuf, io::Error),
    /// A program cannot be run.
    #[error("{0}: {1}")]
    NotRun(String, io::Error),
    /// A program failed with this status.
    #[error("{0}: {1}")]
    Failed(String, String),
}

#[cfg(test)]
mod tests {
    use std::process;

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
            score_ends: false,
            options: [("nodes".to_owned(), 2000), ("win_score".to_owned(), 900)].into(),
        };
        let words = datagen_words(&games, 3).join(" ");
        let expected = "datagen --seed 7 --games 150000 --threads 3 --nodes 2000 --win-score 900";
        assert_eq!(words, expected);
    }

    #[test]
    fn engines_are_built_with_the_network_of_the_recipe() {
        let folder = env::temp_dir().join(format!("tabia-trainer-build-{}", process::id()));
        let environment = |build: &Build, name: &str| {
            let value = build.command.get_envs().find(|(found, _)| *found == name);
            value.expect("set or removed").1.map(PathBuf::from)
        };
        let hash = "12".repeat(32);
        let with =
            Build::new(&folder, Some((hash.as_str(), b"a network".to_vec()))).expect("a build");
        let file = environment(&with, "EVALFILE").expect("a file");
        let bytes = fs::read(file);
        fs::remove_dir_all(&folder).expect("the folder is there");
        assert_eq!(bytes.expect("a file"), b"a network");
        let without = Build::new(&folder, None).expect("a build");
        assert_eq!(environment(&without, "EVALFILE"), None);
        for build in [&with, &without] {
            assert_eq!(environment(build, "TABIA_RELEASE"), None);
            let target = build.command.get_args().last().map(Path::new).expect("a folder");
            assert!(build.engine.starts_with(target.join("release")));
        }
        assert_ne!(with.engine, without.engine);
    }
}
