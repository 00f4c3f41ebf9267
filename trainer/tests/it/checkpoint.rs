//! An interrupted run resumes and gives the same network.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tabia_trainer::checkpoint::RunId;
use tabia_trainer::log::LogRow;
use tabia_trainer::train::{Watcher, train};

use crate::support::{Folder, Nobody, drawn, material_data, small_recipe};

/// Panics at step `last`; `first` is the number of steps at the start.
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
        assert!(self.taken < self.last, "interrupted on purpose");
    }

    fn row(&mut self, _: &LogRow) {}
}

#[test]
fn an_interrupted_run_resumes_at_its_checkpoint() {
    // 300 steps, with a row of the log every second step.
    let (recipe, data) = (small_recipe(50), material_data(3500));
    let whole = train(&recipe, &data, drawn(&recipe), 1, None, &mut Nobody).unwrap();

    let folder = Folder::new("checkpoint");
    let path = folder.0.join("run.checkpoint");
    let run_id = RunId::new(&recipe, [2; 16]);
    let begin = |id, watcher: &mut dyn Watcher| {
        train(&recipe, &data, drawn(&recipe), 2, Some((&path, id)), watcher)
    };
    let run = |last| {
        let mut breaker = Breaker { first: 0, taken: 0, last };
        let end = catch_unwind(AssertUnwindSafe(|| begin(run_id, &mut breaker)));
        (breaker.first, end.ok().map(Result::unwrap))
    };
    assert_eq!(run(8), (0, None));
    // The steps after the last row are lost.
    assert_eq!(run(151), (6, None));
    fs::write(path.with_extension("checkpoint-new"), "the beginning of the next one").unwrap();
    assert_eq!(run(u64::MAX), (150, Some(whole)));

    let bytes = fs::read(&path).unwrap();
    let refusal = |id| begin(id, &mut Nobody).unwrap_err().to_string();
    let other = RunId::new(&small_recipe(51), [2; 16]);
    for other in [other, RunId { data: [3; 16], ..run_id }] {
        assert!(refusal(other).contains("run.checkpoint: checkpoint of another run"));
    }
    assert_eq!(fs::read(&path).unwrap(), bytes);
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    for damaged in [&bytes[..bytes.len() - 1], &changed] {
        fs::write(&path, damaged).unwrap();
        assert!(refusal(run_id).contains("run.checkpoint: damaged checkpoint"));
    }
}

#[test]
fn a_run_is_identified_by_the_settings_of_its_recipe() {
    let (mut recipe, data) = (small_recipe(50), [2; 16]);
    let id = RunId::new(&recipe, data);
    // The games are covered by the hash of the positions.
    recipe.games[0].count += 1;
    assert_eq!(RunId::new(&recipe, data), id);
    recipe.training.decay *= 2.0;
    assert_ne!(RunId::new(&recipe, data), id);
}
