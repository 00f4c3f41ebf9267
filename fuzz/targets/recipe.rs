//! Recipes of networks: any text is refused with the reason, or is a recipe with valid options.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia_trainer::recipe::Recipe;

fuzz_target!(|data: &[u8]| {
    match Recipe::parse(&String::from_utf8_lossy(data)) {
        Ok(recipe) => recipe.all_games().for_each(|games| assert!(games.game_options().is_ok())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
