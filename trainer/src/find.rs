//! Lookup of networks by SHA-256, in files and in the history of this repository.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tabia::eval::network::{FormatError, MAX_FILE_MIB, Parameters};
use tabia::files;
use tabia::text::ShownPath;
use thiserror::Error;

use crate::formats;
use crate::git::{git, repository};
use crate::recipe::{Recipe, hex};

/// Finds networks by their hash.
pub struct Finder {
    files: Vec<Vec<u8>>,
    engines: Vec<String>,
}

impl Finder {
    /// Creates a finder for these files, then the history of `HEAD`, then the recipe's engines.
    pub fn new(recipe: &Recipe, files: &[PathBuf]) -> Result<Self, FindError> {
        let read = |path: &PathBuf| {
            files::read(path, MAX_FILE_MIB).map_err(|error| FindError::Io(path.clone(), error))
        };
        Ok(Self {
            files: files.iter().map(read).collect::<Result<_, _>>()?,
            engines: recipe.all_games().map(|games| games.engine.clone()).collect(),
        })
    }

    /// Returns the network with this SHA-256.
    pub fn find(&self, hash: &str) -> Result<Parameters, FindError> {
        let bytes = self.file(hash)?;
        formats::read(&bytes).map_err(|error| FindError::Format(hash.to_owned(), error))
    }

    /// Returns the contents of the file with this SHA-256.
    pub fn file(&self, hash: &str) -> Result<Vec<u8>, FindError> {
        let matches = |bytes: &Vec<u8>| hex(&Sha256::digest(bytes)) == hash;
        match self.files.iter().find(|bytes| matches(bytes)) {
            Some(bytes) => Ok(bytes.clone()),
            None => self.in_history(hash)?.ok_or_else(|| FindError::Missing(hash.to_owned())),
        }
    }

    fn in_history(&self, hash: &str) -> Result<Option<Vec<u8>>, FindError> {
        let root = repository();
        let commits = git(&root, &["rev-list", "HEAD", "--", "nets/*.net"])?;
        let commits = String::from_utf8_lossy(&commits);
        for commit in commits.lines().chain(self.engines.iter().map(String::as_str)) {
            if let Some(bytes) = network_of(&root, commit, hash)? {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }
}

fn network_of(root: &Path, commit: &str, hash: &str) -> Result<Option<Vec<u8>>, FindError> {
    let names = git(root, &["ls-tree", "--name-only", commit, "nets/"])?;
    for name in String::from_utf8_lossy(&names).lines().filter(|name| name.ends_with(".net")) {
        let bytes = git(root, &["show", &format!("{commit}:{name}")])?;
        if hex(&Sha256::digest(&bytes)) == hash {
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

/// Reason why a network is not found.
#[derive(Debug, Error)]
pub enum FindError {
    /// A file cannot be read.
    #[error("--net {}: {}", ShownPath(.0), .1)]
    Io(PathBuf, io::Error),
    /// No file or commit has this hash.
    #[error(
        "network {0}: not in the history of this repository nor in an engine of the recipe; \
         name its file with --net"
    )]
    Missing(String),
    /// The file with this hash is not a network.
    #[error("network {0}: {1}")]
    Format(String, FormatError),
    /// Git fails with this message.
    #[error("{0}")]
    Git(String),
}

impl From<String> for FindError {
    fn from(error: String) -> Self {
        Self::Git(error)
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process, slice};

    use super::*;
    use crate::export::quantise;
    use crate::model::{ModelParameters, ModelShape};

    /// Returns a recipe with games of this engine.
    fn recipe(engine: &str) -> Recipe {
        let text = format!(
            "games = [{{ engine = '{engine}', seed = 1, count = 1 }}]
            network = {{ hidden = 64, buckets = 1 }}
            [training]
            seed = 1
            epochs = 1
            rate = 0.001
            final_rate = 0.001"
        );
        Recipe::parse(&text).expect("a recipe")
    }

    #[test]
    #[expect(clippy::print_stderr, reason = "makes a skipped test visible")]
    fn networks_of_the_history_are_found() {
        // An unpacked archive may lie within another repository.
        if !repository().join(".git").exists() {
            eprintln!("skipped: not a Git repository");
            return;
        }
        let output = |words: &[&str]| git(&repository(), words).expect("Git has an answer");
        let text = |words: &[&str]| String::from_utf8(output(words)).expect("names or hashes");
        let names = text(&["ls-tree", "--name-only", "HEAD", "nets/"]);
        let name = names.lines().find(|name| name.ends_with(".net")).expect("a network");
        let bytes = output(&["show", &format!("HEAD:{name}")]);
        let roots = text(&["rev-list", "--max-parents=0", "HEAD"]);
        // The engine has no folder of networks. It is reached by a hash that HEAD's history lacks.
        let recipe = recipe(roots.lines().next().expect("a first commit"));
        let finder = Finder::new(&recipe, &[]).expect("there is no file to read");
        let found = finder.find(&hex(&Sha256::digest(&bytes))).expect("a network");
        assert!(found == formats::read(&bytes).expect("a network"));
        let error = finder.find(&"0".repeat(64)).expect_err("no network has this hash");
        assert!(error.to_string().ends_with("name its file with --net"), "{error}");
    }

    #[test]
    fn networks_in_files_are_found_by_their_hash() {
        let model = ModelParameters::random(ModelShape { hidden: 64, buckets: 2 }, 5);
        let network = quantise(&model).expect("a network");
        let bytes = network.to_bytes().expect("small weights");
        let path = env::temp_dir().join(format!("tabia-trainer-find-{}.net", process::id()));
        fs::write(&path, &bytes).expect("a file");
        let recipe = recipe(&"0".repeat(40));
        let finder = Finder::new(&recipe, slice::from_ref(&path)).expect("the file is there");
        let Err(error) = Finder::new(&recipe, &[path.with_extension("none")]) else {
            panic!("there is no such file");
        };
        fs::remove_file(&path).expect("the file is there");
        let found = finder.find(&hex(&Sha256::digest(&bytes))).expect("a network");
        assert!(found == network);
        assert!(error.to_string().contains(".none: "), "{error}");
    }
}
