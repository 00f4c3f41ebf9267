//! Training loop: from positions to a network.

use std::path::Path;

use crate::batches::Batches;
use crate::checkpoint::{self, RunId};
use crate::data::DataSet;
use crate::judge::{RunFigures, RunJudge};
use crate::learner::Learner;
use crate::log::LogRow;
use crate::loss::Loss;
use crate::model::ModelParameters;
use crate::recipe::Recipe;
use crate::record::Examples;
use crate::schedule::rate;
use crate::train_error::TrainError;

/// Maximum number of rows in the log.
const ROWS: u64 = 200;

/// Observer of a training run.
pub trait Watcher {
    /// Called when a run starts or resumes, with the steps taken and the total number.
    fn begin(&mut self, taken: u64, steps: u64);
    /// Called after each step with its loss and learning rate.
    fn step(&mut self, loss: f64, rate: f64);
    /// Called after each row of the log.
    fn row(&mut self, row: &LogRow);
}

/// Trains the network of a recipe from `start`, or resumes at the checkpoint. Returns the network
/// and the log.
pub fn train(
    recipe: &Recipe,
    data: &DataSet,
    start: ModelParameters,
    threads: usize,
    checkpoint: Option<(&Path, RunId)>,
    watcher: &mut dyn Watcher,
) -> Result<(ModelParameters, Vec<LogRow>), TrainError> {
    let training = &recipe.training;
    let mut batches = Batches::new(recipe, data)?;
    let per_epoch = batches.per_epoch;
    let steps = per_epoch * training.epochs;
    if data.held_out.is_empty() {
        return Err(TrainError::NoneHeldOut);
    }
    if steps <= training.warm_up {
        return Err(TrainError::TooShort { steps, warm_up: training.warm_up });
    }
    let judge = data.judge.as_ref().map(|judge| RunJudge::new(judge, &start, threads));
    let mut learner = Learner::new(start, Loss::of(training), training.weight_limit(), threads);
    let mut rows = match checkpoint {
        Some((path, id)) => checkpoint::restore(path, id, &mut learner)
            .map_err(|error| TrainError::Checkpoint(path.to_owned(), error))?,
        None => Vec::new(),
    };
    let last_stage = recipe.last_stage.map_or(steps, |stage| stage.first_step(steps));
    watcher.begin(learner.steps, steps);

    let per_row = steps.div_ceil(ROWS);
    let mut loss_sum = 0.0;
    while learner.steps < steps {
        let batch = batches.of_step(learner.steps);
        let rate = rate(training, learner.steps, steps);
        let mut examples = Examples::new(&data.training);
        if learner.steps >= last_stage {
            examples.targets = &data.last_targets;
        }
        let loss = learner.learn(examples, &batch, rate, training.decay);
        loss_sum += loss;
        watcher.step(loss, rate);
        if learner.steps.is_multiple_of(per_row) || learner.steps == steps {
            let since = learner.steps - rows.last().map_or(0, |row: &LogRow| row.step);
            let epochs = learner.steps as f64 / per_epoch as f64;
            let figures = judge.as_ref().map(|judge| judge.figures(&learner.network));
            let loss = loss_sum / since as f64;
            rows.push(log_row(&mut learner, data, figures, epochs, rate, loss));
            loss_sum = 0.0;
            watcher.row(&rows[rows.len() - 1]);
            if let Some((path, id)) = checkpoint {
                checkpoint::save(path, id, &learner, &rows)
                    .map_err(|error| TrainError::Checkpoint(path.to_owned(), error))?;
            }
        }
    }
    Ok((learner.network, rows))
}

fn log_row(
    learner: &mut Learner,
    data: &DataSet,
    figures: Option<RunFigures>,
    epochs: f64,
    rate: f64,
    training_loss: f64,
) -> LogRow {
    let RunFigures { error, error_one, progress } = figures.unwrap_or_default();
    LogRow {
        step: learner.steps,
        epochs,
        rate,
        training_loss,
        held_out_loss: learner.loss(&data.held_out),
        off_line_loss: match &data.off_line[..] {
            [] => 0.0,
            off_line => learner.loss(off_line),
        },
        error,
        error_one,
        progress,
    }
}
