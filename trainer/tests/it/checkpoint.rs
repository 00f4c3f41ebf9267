//! A run that is broken off goes on and ends in the same network.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tabia_trainer::checkpoint::RunId;
use tabia_trainer::log::Row;
use tabia_trainer::start::start;
use tabia_trainer::train::{Watcher, train};

use crate::support::{Folder, Nobody, material_data, small_recipe};

const RUN: RunId = RunId { recipe: [1; 32], data: [2; 32] };

/// Breaks off once so many steps have been taken in all, and remembers where the run began.
struct Breaker {
    first: u64,
    taken: u64,
    last: u64,
}

impl Watcher for Breaker {
    fn begin(&mut self, taken: u64, _: u64) {
        (self.first, self.taken) = (taken, taken);
    }

    fn step(&mut self, _: f64, _: f64) {
        self.taken += 1;
        assert!(self.taken < self.last, "broken off on purpose");
    }

    fn row(&mut self, _: &Row) {}
}

#[test]
fn a_run_goes_on_where_it_was_broken_off() {
    // 300 steps, a row every second one.
    let (recipe, data) = (small_recipe(50), material_data(3500));
    let whole = train(&recipe, &data, start(&recipe).unwrap(), 1, None, &mut Nobody).unwrap();

    let folder = Folder::new("checkpoint");
    let path = folder.0.join("run.checkpoint");
    let run = |id, last| {
        let mut breaker = Breaker { first: 0, taken: 0, last };
        let run = AssertUnwindSafe(|| {
            train(&recipe, &data, start(&recipe).unwrap(), 2, Some((&path, id)), &mut breaker)
        });
        let end = catch_unwind(run).ok().map(Result::unwrap);
        (breaker.first, end)
    };
    assert_eq!(run(RUN, 8), (0, None));
    // The step after the last row is lost.
    assert_eq!(run(RUN, 151), (6, None));
    fs::write(path.with_extension("checkpoint-new"), "the beginning of the next one").unwrap();
    assert_eq!(run(RUN, u64::MAX), (150, Some(whole.clone())));

    // A checkpoint of another run, a damaged one: the run begins anew.
    assert_eq!(run(RunId { recipe: [3; 32], ..RUN }, u64::MAX), (0, Some(whole.clone())));
    assert_eq!(run(RunId { data: [3; 32], ..RUN }, 151).0, 0);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(run(RunId { data: [3; 32], ..RUN }, 20).0, 0);
}
