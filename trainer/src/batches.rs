//! Composition of the batches, the positions of each training step.

use crate::data::DataSet;
use crate::order::shuffled;
use crate::recipe::Recipe;
use crate::train_error::TrainError;

/// Number of the first order of distilled positions; those of labels count from 0.
const DISTILLED: u64 = 1 << 63;

/// Composes the batches of a run.
pub struct Batches {
    /// Steps in an epoch.
    pub per_epoch: u64,
    labels: Stream,
    distilled: Stream,
}

impl Batches {
    /// Creates batches whose epochs use each label once, or without labels each distilled position.
    ///
    /// # Errors
    /// If there are too few distilled positions for a batch.
    pub fn new(recipe: &Recipe, data: &DataSet) -> Result<Self, TrainError> {
        let (batch, seed) = (recipe.training.batch, recipe.training.seed);
        let distillation = recipe.distillation.as_ref();
        let from_distilled = distillation.map_or(0, |distillation| distillation.of_batch(batch));
        let positions = data.training.len() - data.labels;
        if positions < from_distilled {
            return Err(TrainError::TooFewDistilled { positions, wanted: from_distilled });
        }
        let labels = Stream::new(0, data.labels, batch - from_distilled, seed, 0);
        let distilled = Stream::new(data.labels, positions, from_distilled, seed, DISTILLED);
        let leading = if labels.batch > 0 { &labels } else { &distilled };
        Ok(Self { per_epoch: leading.per_pass(), labels, distilled })
    }

    /// Returns the indices of the positions of a step. Steps count from 0.
    pub fn of_step(&mut self, step: u64) -> Vec<u32> {
        [self.labels.of_step(step), self.distilled.of_step(step)].concat()
    }
}

/// A range of positions, used in passes of different random orders.
struct Stream {
    first: usize,
    count: usize,
    /// Positions in a step; the remainder of a pass is skipped.
    batch: usize,
    seed: u64,
    /// Number of the random order of the first pass.
    number: u64,
    pass: Option<u64>,
    order: Vec<u32>,
}

impl Stream {
    const fn new(first: usize, count: usize, batch: usize, seed: u64, number: u64) -> Self {
        Self { first, count, batch, seed, number, pass: None, order: Vec::new() }
    }

    const fn per_pass(&self) -> u64 {
        match self.count.checked_div(self.batch) {
            Some(steps) => steps as u64,
            None => 0,
        }
    }

    fn of_step(&mut self, step: u64) -> &[u32] {
        if self.batch == 0 {
            return &[];
        }
        let pass = step / self.per_pass();
        if self.pass != Some(pass) {
            self.order = shuffled(self.count, self.seed, self.number + pass);
            self.order.iter_mut().for_each(|place| *place += self.first as u32);
            self.pass = Some(pass);
        }
        let start = (step % self.per_pass()) as usize * self.batch;
        &self.order[start..start + self.batch]
    }
}
