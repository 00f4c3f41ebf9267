//! Initial parameters of a training run: random numbers, or those of the recipe's start network.
//!
//! A start network with fewer hidden units or one bucket is *grown* to the recipe's shape: its
//! outputs stay the same ([`ModelParameters::grown`]).

use thiserror::Error;

use crate::export::dequantise;
use crate::find::{FindError, Finder};
use crate::model::{ModelParameters, ModelShape};
use crate::recipe::Recipe;

/// Returns the initial parameters of a recipe.
///
/// # Errors
/// If the start network is not found, or cannot grow to the recipe's shape.
pub fn initial_parameters(recipe: &Recipe, finder: &Finder) -> Result<ModelParameters, StartError> {
    let shape = recipe.network;
    let seed = recipe.training.seed;
    let Some(hash) = &recipe.training.start else {
        return Ok(ModelParameters::random(shape, seed));
    };
    let network = finder.find(hash).map_err(StartError::Find)?;
    let model = dequantise(&network);
    model.grown(shape, seed).ok_or(StartError::Shape { found: model.shape, wanted: shape })
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
    use std::{env, fs, process, slice};

    use sha2::{Digest, Sha256};

    use super::*;
    use crate::export::quantise;
    use crate::recipe::hex;

    /// Returns a recipe of one bucket, with the SHA-256 of a start network if there is one.
    fn recipe(hash: Option<&str>, hidden: usize) -> Recipe {
        let engine = "0".repeat(40);
        let start = hash.map_or(String::new(), |hash| format!("start = '{hash}'"));
        let text = format!(
            "games = [{{ engine = '{engine}', seed = 1, count = 1 }}]
            network = {{ hidden = {hidden}, buckets = 1 }}
            [training]
            seed = 1
            {start}
            epochs = 1
            rate = 0.001
            final_rate = 0.001"
        );
        Recipe::parse(&text).expect("a recipe")
    }

    #[test]
    fn without_a_start_network_they_are_random() {
        let recipe = recipe(None, 64);
        let finder = Finder::new(&recipe, &[]).expect("there is no file to read");
        let found = initial_parameters(&recipe, &finder).expect("no network is needed");
        assert!(found == ModelParameters::random(recipe.network, 1));
    }

    #[test]
    fn a_start_network_grows_but_does_not_shrink() {
        let model = ModelParameters::random(ModelShape { hidden: 128, buckets: 1 }, 5);
        let network = quantise(&model).expect("a network");
        let bytes = network.to_bytes().expect("small weights");
        let hash = hex(&Sha256::digest(&bytes));
        let path = env::temp_dir().join(format!("tabia-trainer-start-{}.net", process::id()));
        fs::write(&path, &bytes).expect("a file");
        let [smaller, same, larger] = [64, 128, 192].map(|hidden| {
            let recipe = recipe(Some(&hash), hidden);
            let finder = Finder::new(&recipe, slice::from_ref(&path)).expect("the file is there");
            initial_parameters(&recipe, &finder)
        });
        fs::remove_file(&path).expect("the file is there");
        let error = smaller.expect_err("the recipe has fewer hidden units").to_string();
        assert_eq!(error, "start network: its shape is 128 x 1; the recipe has 64 x 1");
        let same = same.expect("the shape of the recipe");
        assert!(quantise(&same).expect("a network") == network);
        assert!(larger.expect("a larger shape").shape.hidden == 192);
    }
}
