//! Initial parameters of a training run: random numbers or an existing network, grown to the
//! recipe's shape.

use thiserror::Error;

use crate::export::dequantise;
use crate::find::{FindError, Finder};
use crate::model::{ModelParameters, ModelShape};
use crate::recipe::Recipe;

/// Returns the initial parameters of a recipe.
pub fn start(recipe: &Recipe, finder: &Finder) -> Result<ModelParameters, StartError> {
    let (wanted, seed) = (recipe.network, recipe.training.seed);
    let Some(start) = &recipe.training.start else {
        return Ok(ModelParameters::random(wanted, seed));
    };
    let model = dequantise(&finder.find(start).map_err(StartError::Find)?);
    model.grown(wanted, seed).ok_or(StartError::Shape { found: model.shape, wanted })
}

/// Reason why there are no initial parameters.
#[derive(Debug, Error)]
pub enum StartError {
    /// The network is not found.
    #[error("start network: {0}")]
    Find(FindError),
    /// The network cannot grow to the recipe's shape.
    #[error("start network: its shape is {found}; the recipe has {wanted}")]
    Shape {
        /// Shape of the network.
        found: ModelShape,
        /// Shape in the recipe.
        wanted: ModelShape,
    },
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::{env, fs, process};

    use sha2::{Digest, Sha256};

    use tabia::board::Board;
    use tabia::eval::network;

    use super::*;
    use crate::export::quantise;
    use crate::formats;
    use crate::git::{git, head, repository};
    use crate::recipe::hex;

    fn recipe(engine: &str, hash: &str, hidden: usize, buckets: usize) -> Recipe {
        let text = format!(
            "games = [{{ engine = '{engine}', seed = 1, count = 1 }}]
            network = {{ hidden = {hidden}, buckets = {buckets} }}
            [training]
            seed = 1
            start = '{hash}'
            epochs = 1
            rate = 0.001
            final_rate = 0.001"
        );
        Recipe::parse(&text).expect("a recipe")
    }

    fn start_with(recipe: &Recipe, files: &[PathBuf]) -> Result<ModelParameters, StartError> {
        start(recipe, &Finder::new(recipe, files).map_err(StartError::Find)?)
    }

    #[test]
    #[expect(clippy::print_stderr, reason = "makes a skipped test visible")]
    fn networks_of_the_history_are_found() {
        // An unpacked archive may lie within another repository.
        if !repository().join(".git").exists() {
            eprintln!("skipped: not a Git repository");
            return;
        }
        let head = head(&repository()).expect("a commit");
        let git = |words: &[&str]| git(&repository(), words);
        let names = git(&["ls-tree", "--name-only", &head, "nets/"]).expect("a folder");
        let names = String::from_utf8(names).expect("names");
        let name = names.lines().find(|name| name.ends_with(".net")).expect("a network");
        let bytes = git(&["show", &format!("{head}:{name}")]).expect("a file");
        let network = formats::read(&bytes).expect("a network");
        let hash = hex(&Sha256::digest(&bytes));
        let network::Shape { hidden, buckets } = network.shape;
        // The root commit has no network.
        let root = git(&["rev-list", "--max-parents=0", "HEAD"]).expect("commits");
        let root = String::from_utf8(root).expect("a hash");
        for engine in [head.as_str(), root.lines().next().expect("a first commit")] {
            let model = start_with(&recipe(engine, &hash, hidden, buckets), &[]).expect("a start");
            assert!(quantise(&model).expect("a network") == network);
        }
        let smaller = hidden - 64;
        let other_shape = recipe(&head, &hash, smaller, buckets);
        let error = start_with(&other_shape, &[]).expect_err("of a smaller shape").to_string();
        let shapes =
            format!("its shape is {hidden} x {buckets}; the recipe has {smaller} x {buckets}");
        assert!(error.ends_with(&shapes), "{error}");
        let missing = recipe(&head, &"0".repeat(64), hidden, buckets);
        let error = start_with(&missing, &[]).expect_err("missing").to_string();
        assert!(error.ends_with("name its file with --net"), "{error}");
    }

    #[test]
    fn a_grown_network_has_the_same_evaluations() {
        let small = ModelParameters::random(ModelShape { hidden: 64, buckets: 1 }, 5);
        let network = quantise(&small).expect("a network");
        let shapes = [(64, 1), (64, 3), (192, 1), (192, 8)];
        for shape in shapes.map(|(hidden, buckets)| ModelShape { hidden, buckets }) {
            let grown = small.grown(shape, 6).expect("a larger shape");
            assert_eq!(grown.shape, shape);
            let grown = quantise(&grown).expect("a network");
            for fen in [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            ] {
                let board = Board::from_fen(fen).expect("legal");
                assert_eq!(grown.evaluate(&board), network.evaluate(&board), "{shape} {fen}");
            }
        }
        let buckets = ModelParameters::random(ModelShape { hidden: 128, buckets: 4 }, 5);
        for (hidden, wanted) in [(64, 4), (128, 1), (128, 8)] {
            assert_eq!(buckets.grown(ModelShape { hidden, buckets: wanted }, 6), None);
        }
    }

    #[test]
    fn networks_in_files_are_found_by_their_hash() {
        let shape = ModelShape { hidden: 64, buckets: 2 };
        let network = quantise(&ModelParameters::random(shape, 5)).expect("a network");
        let path = env::temp_dir().join(format!("tabia-trainer-find-{}.net", process::id()));
        let bytes = network.to_bytes().expect("small weights");
        fs::write(&path, &bytes).expect("a file");
        let recipe = recipe(&"0".repeat(40), &hex(&Sha256::digest(&bytes)), 64, 2);
        let found = start_with(&recipe, std::slice::from_ref(&path));
        let no_file = start_with(&recipe, &[path.with_extension("none")]);
        fs::remove_file(&path).expect("the file is there");
        assert!(quantise(&found.expect("a start")).expect("a network") == network);
        assert!(no_file.expect_err("no file").to_string().contains(".none: "));
    }
}
