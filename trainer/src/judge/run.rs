//! The figures of a training run, for its log.

use super::{Judge, Judgement};
use crate::export::quantise;
use crate::model::ModelParameters;

/// A judge with the network that a run starts from.
pub struct RunJudge<'a> {
    judge: &'a Judge,
    start: Judgement,
    threads: usize,
}

/// Figures of a network in training; zeros without a judge.
#[derive(Copy, Clone, Default)]
pub struct RunFigures {
    /// Error with five divisors.
    pub error: f64,
    /// Error with one divisor.
    pub error_one: f64,
    /// Progress over the start of the run.
    pub progress: f64,
}

impl<'a> RunJudge<'a> {
    /// Creates the judge of a run.
    ///
    /// # Panics
    /// If the engine's format does not allow the shape.
    pub fn new(judge: &'a Judge, start: &ModelParameters, threads: usize) -> Self {
        Self { judge, start: judge_model(judge, start, threads), threads }
    }

    /// Returns the figures of a network, as the engine evaluates it.
    ///
    /// # Panics
    /// If the engine's format does not allow the shape.
    pub fn figures(&self, model: &ModelParameters) -> RunFigures {
        let judgement = judge_model(self.judge, model, self.threads);
        RunFigures {
            error: judgement.five.value,
            error_one: judgement.one.error.value,
            progress: self.judge.progress(&judgement, &self.start).way.value,
        }
    }
}

fn judge_model(judge: &Judge, model: &ModelParameters, threads: usize) -> Judgement {
    let network = quantise(model).expect("recipes have shapes of the engine's format");
    judge.network(&network, threads)
}
