//! What training starts from: small random numbers, or a network that games of the recipe were played with, as the
//! engine's commit has it.

use std::fmt;

use sha2::{Digest, Sha256};

use tabia::eval::network::{self, FormatError};

use crate::export::dequantise;
use crate::git::{git, repository};
use crate::model::{Parameters, Shape};
use crate::recipe::{Recipe, hex};

/// What a recipe's training starts from.
///
/// # Errors
/// If this repository does not have the network that the recipe names, or if it is of another shape.
pub fn start(recipe: &Recipe) -> Result<Parameters, StartError> {
    let Some(start) = &recipe.training.start else {
        return Ok(Parameters::random(recipe.network, recipe.training.seed));
    };
    let games = recipe.games.iter().find(|games| games.net.as_ref() == Some(start));
    let engine = &games.ok_or(StartError::Missing)?.engine;
    let bytes = network_of(engine, start)?.ok_or(StartError::Missing)?;
    let model = dequantise(&network::Parameters::from_bytes(&bytes).map_err(StartError::Format)?);
    let (found, wanted) = (model.shape, recipe.network);
    if found == wanted { Ok(model) } else { Err(StartError::Shape { found, wanted }) }
}

/// The network with this hash among those that a commit of this repository has.
fn network_of(commit: &str, hash: &str) -> Result<Option<Vec<u8>>, StartError> {
    let git = |words: &[&str]| git(&repository(), words).map_err(StartError::Git);
    let names = git(&["ls-tree", "--name-only", commit, "nets/"])?;
    for name in String::from_utf8_lossy(&names).lines().filter(|name| name.ends_with(".net")) {
        let bytes = git(&["show", &format!("{commit}:{name}")])?;
        if hex(&Sha256::digest(&bytes)) == hash {
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

/// Why there is nothing to start from.
#[derive(Debug)]
pub enum StartError {
    /// No engine of the recipe has the network.
    Missing,
    /// It is not of the recipe's shape.
    Shape {
        /// Its shape.
        found: Shape,
        /// The recipe's.
        wanted: Shape,
    },
    /// It is none that can be read.
    Format(FormatError),
    /// What Git says is wrong.
    Git(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the network to start from: ")?;
        match self {
            Self::Missing => f.write_str("no engine of the recipe has it"),
            Self::Shape { found, wanted } => {
                write!(f, "it is {found}, and the recipe wants {wanted}")
            }
            Self::Format(error) => error.fmt(f),
            Self::Git(error) => f.write_str(error),
        }
    }
}

impl std::error::Error for StartError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::quantise;
    use crate::git::head;

    #[test]
    #[expect(clippy::print_stderr, reason = "nobody should think that it was tested")]
    fn a_network_of_the_last_commit_is_found() {
        // An unpacked archive may lie in another repository.
        if !repository().join(".git").exists() {
            eprintln!("skipped: this is no Git repository");
            return;
        }
        let head = head(&repository()).expect("a commit");
        let git = |words: &[&str]| git(&repository(), words);
        let names = git(&["ls-tree", "--name-only", &head, "nets/"]).expect("a folder");
        let names = String::from_utf8(names).expect("names");
        let name = names.lines().find(|name| name.ends_with(".net")).expect("a network");
        let bytes = git(&["show", &format!("{head}:{name}")]).expect("a file");
        let network = network::Parameters::from_bytes(&bytes).expect("a network");
        let hash = hex(&Sha256::digest(&bytes));
        let recipe = |hash: &str, hidden: usize| {
            let buckets = network.shape.buckets;
            let text = format!(
                "games = [{{ engine = '{head}', net = '{hash}', seed = 1, count = 1 }}]
                network = {{ hidden = {hidden}, buckets = {buckets} }}
                [training]
                seed = 1
                start = '{hash}'
                epochs = 1
                rate = 0.001
                final_rate = 0.001"
            );
            Recipe::parse(&text).expect("a recipe")
        };
        let hidden = network.shape.hidden;
        let model = start(&recipe(&hash, hidden)).expect("a start");
        assert!(quantise(&model).expect("a network") == network);
        let error = start(&recipe(&hash, hidden + 64)).expect_err("of another shape").to_string();
        let buckets = network.shape.buckets;
        let shapes =
            format!("it is {hidden} x {buckets}, and the recipe wants {} x {buckets}", hidden + 64);
        assert!(error.ends_with(&shapes), "{error}");
        let other = hash.replace(|digit: char| digit != '0', "0");
        assert!(matches!(start(&recipe(&other, hidden)), Err(StartError::Missing)));
    }
}
