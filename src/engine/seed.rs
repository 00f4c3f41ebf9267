//! Random seeds.

use std::hash::{BuildHasher as _, RandomState};

/// Returns another number at each call and in each process.
pub fn random_seed() -> u64 {
    // The standard library draws the keys of a `RandomState`.
    RandomState::new().hash_one(())
}
