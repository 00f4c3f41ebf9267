//! Search parameters that a tuner can set; only with the feature `tune`. See `params.rs`.

use std::cell::Cell;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// Number of value sets of the parameters. Threads use set 0, that of the UCI options, unless they
/// call [`use_value_set`].
pub const VALUE_SETS: usize = 64;

thread_local! {
    static VALUE_SET: Cell<usize> = const { Cell::new(0) };
}

/// Makes this thread use another value set, so that players with different values can meet.
///
/// # Panics
/// If `set` is not below [`VALUE_SETS`].
pub fn use_value_set(set: usize) {
    assert!(set < VALUE_SETS, "there are {VALUE_SETS} sets");
    VALUE_SET.set(set);
}

/// Search parameter with its range.
#[derive(Debug)]
pub struct Tunable {
    /// Name, as in `params.rs`.
    pub name: &'static str,
    /// Value in a release.
    pub default: i32,
    /// Smallest value allowed.
    pub min: i32,
    /// Largest value allowed.
    pub max: i32,
    /// Change to try first.
    pub step: i32,
    /// Difference from the default in each set.
    changes: [AtomicI32; VALUE_SETS],
}

impl Tunable {
    /// Creates a parameter at its default, which lies in its range.
    pub const fn new(
        name: &'static str,
        default: i32,
        range: RangeInclusive<i32>,
        step: i32,
    ) -> Self {
        let (min, max) = (*range.start(), *range.end());
        Self { name, default, min, max, step, changes: [const { AtomicI32::new(0) }; VALUE_SETS] }
    }

    /// Returns the current value in this thread's set.
    #[inline]
    pub fn get(&self) -> i32 {
        self.default + self.changes[VALUE_SET.get()].load(Relaxed)
    }

    /// Sets the value in this thread's set, clamped to the range, and returns it.
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
    fn values_are_clamped_to_their_range() {
        let number = Tunable::new("number", 4, -2..=8, 1);
        assert_eq!(number.get(), 4);
        for (wanted, taken) in [(5, 5), (9, 8), (i64::MIN, -2), (i64::MAX, 8)] {
            assert_eq!((number.set(wanted), number.get()), (taken, taken));
        }
    }

    #[test]
    fn threads_use_separate_value_sets() {
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
    fn parameters_exist_only_when_tuning() {
        assert_eq!(TUNABLES.is_empty(), !cfg!(feature = "tune"));
    }
}
