//! Random seeds.

use std::hash::{BuildHasher as _, RandomState};

use crate::platform::Instant;

/// Returns another number at each call and in each process.
pub fn random_seed() -> u64 {
    // The standard library draws the keys of a `RandomState`; in a browser only the time differs.
    RandomState::new().hash_one(Instant::now())
}
