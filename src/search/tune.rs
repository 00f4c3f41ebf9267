//! Numbers of the search that can be set, for a tuner. Only under the feature `tune` there are any: see `params.rs`.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A number with its range.
#[derive(Debug)]
pub struct Tunable {
    /// What it is called.
    pub name: &'static str,
    /// Its value in a release.
    pub default: i32,
    /// The least value.
    pub min: i32,
    /// The greatest value.
    pub max: i32,
    /// The change to try first.
    pub step: i32,
    value: AtomicI32,
}

impl Tunable {
    /// A number at its default, which lies in its range.
    pub const fn new(
        name: &'static str,
        default: i32,
        range: RangeInclusive<i32>,
        step: i32,
    ) -> Self {
        let (min, max) = (*range.start(), *range.end());
        Self { name, default, min, max, step, value: AtomicI32::new(default) }
    }

    /// The present value.
    #[inline]
    pub fn get(&self) -> i32 {
        self.value.load(Relaxed)
    }

    /// Sets the value, for every search of this process that begins later, and returns it: the nearest one in range.
    pub fn set(&self, value: i64) -> i32 {
        let nearest = value.clamp(self.min.into(), self.max.into()) as i32;
        self.value.store(nearest, Relaxed);
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::TUNABLES;

    #[test]
    fn numbers_stay_in_their_range() {
        let number = Tunable::new("number", 4, -2..=8, 1);
        assert_eq!(number.get(), 4);
        for (wanted, taken) in [(5, 5), (9, 8), (i64::MIN, -2), (i64::MAX, 8)] {
            assert_eq!((number.set(wanted), number.get()), (taken, taken));
        }
    }

    #[test]
    fn there_are_numbers_only_when_tuning_and_all_are_at_their_defaults() {
        assert_eq!(TUNABLES.is_empty(), !cfg!(feature = "tune"));
        assert!(TUNABLES.iter().all(|tunable| tunable.get() == tunable.default));
    }
}
