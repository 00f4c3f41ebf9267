//! Numbers of the search that can be set, for a tuner. Only under the feature `tune` there are any: see `params.rs`.

use std::cell::Cell;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// How many sets of values the numbers have. Threads use set 0, that of the options, unless they ask for another one.
pub const VALUE_SETS: usize = 64;

thread_local! {
    static VALUE_SET: Cell<usize> = const { Cell::new(0) };
}

/// Has this thread use another set of values, for players with different ones.
///
/// # Panics
/// If there is none of this number.
pub fn use_value_set(set: usize) {
    assert!(set < VALUE_SETS, "there are {VALUE_SETS} sets");
    VALUE_SET.set(set);
}

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
    /// What each set adds to the default.
    changes: [AtomicI32; VALUE_SETS],
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
        Self { name, default, min, max, step, changes: [const { AtomicI32::new(0) }; VALUE_SETS] }
    }

    /// The present value in the set that this thread uses.
    #[inline]
    pub fn get(&self) -> i32 {
        self.default + self.changes[VALUE_SET.get()].load(Relaxed)
    }

    /// Sets the value in the set that this thread uses, for every search with it that begins later, and returns it: the
    /// nearest one in range.
    pub fn set(&self, value: i64) -> i32 {
        let nearest = value.clamp(self.min.into(), self.max.into()) as i32;
        self.changes[VALUE_SET.get()].store(nearest - self.default, Relaxed);
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
    fn every_thread_has_the_set_that_it_asks_for() {
        let number = Tunable::new("number", 4, -2..=8, 1);
        number.set(6);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                assert_eq!(number.get(), 6);
                use_value_set(1);
                assert_eq!(number.get(), 4);
                number.set(-1);
                assert_eq!(number.get(), -1);
            });
        });
        assert_eq!(number.get(), 6);
    }

    #[test]
    fn there_are_numbers_only_when_tuning_and_all_are_at_their_defaults() {
        assert_eq!(TUNABLES.is_empty(), !cfg!(feature = "tune"));
        assert!(TUNABLES.iter().all(|tunable| tunable.get() == tunable.default));
    }
}
