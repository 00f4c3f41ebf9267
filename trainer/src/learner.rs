//! Training steps on several threads.
//!
//! A batch has a fixed number of slices. One thread sums the gradient of a slice, and the slices
//! are added in order: the number of threads does not change the result.
//!
//! Forward and backward pass use parameters rounded to the engine's units. The gradients update the
//! unrounded ones (the *straight-through estimator*), so the exported network is exactly the
//! trained one. Source: Bengio et al., "Estimating or Propagating Gradients Through Stochastic
//! Neurons", <https://arxiv.org/abs/1308.3432>

use std::sync::Mutex;
use std::thread;

use tabia::eval::network::FEATURES;

use crate::loss::Loss;
use crate::model::{MAX_PARAMETER, ModelParameters, SLICES, TILE};
use crate::optimiser::Step;
use crate::record::Record;
use crate::slice::Workspace;

/// Parameters in a job of the optimiser step.
const PARAMETERS_AT_ONCE: usize = 4096;
const _: () = assert!((FEATURES * TILE).is_multiple_of(PARAMETERS_AT_ONCE), "jobs have one limit");
/// Positions in a job when only the loss is computed.
const POSITIONS_AT_ONCE: usize = 1024;

/// Network with its optimiser state.
pub struct Learner {
    /// Parameters before rounding.
    pub moving: ModelParameters,
    /// Parameters rounded to the engine's units.
    pub network: ModelParameters,
    /// First moment: mean gradients.
    pub means: ModelParameters,
    /// Second moment: mean squared gradients.
    pub squares: ModelParameters,
    /// Number of steps taken.
    pub steps: u64,
    /// Limit of the feature weights, of either sign.
    weight_limit: f32,
    /// Gradient of each slice.
    gradients: Vec<ModelParameters>,
    /// One for each thread.
    workspaces: Vec<Workspace>,
}

impl Learner {
    /// Creates a learner before its first step. Feature weights, those of the start included, never
    /// exceed `weight_limit`.
    pub fn new(mut moving: ModelParameters, loss: Loss, weight_limit: f32, threads: usize) -> Self {
        for weight in moving.feature_weights_mut() {
            *weight = weight.clamp(-weight_limit, weight_limit);
        }
        let zeros = ModelParameters::zeros(moving.shape);
        let mut network = zeros.clone();
        network.round_from(&moving);
        Self {
            moving,
            network,
            means: zeros.clone(),
            squares: zeros.clone(),
            steps: 0,
            weight_limit,
            gradients: vec![zeros; SLICES],
            workspaces: (0..threads.max(1)).map(|_| Workspace::new(loss)).collect(),
        }
    }

    /// Takes a training step on a batch of indices into `records`, a multiple of [`SLICES`].
    /// Returns the mean loss before the step.
    pub fn learn(&mut self, records: &[Record], batch: &[u32], rate: f64, decay: f64) -> f64 {
        let loss = self.find_gradients(records, batch);
        self.take_step(Step::new(self.steps, rate, decay));
        self.steps += 1;
        loss / batch.len() as f64
    }

    fn find_gradients(&mut self, records: &[Record], batch: &[u32]) -> f64 {
        let mut losses = [0.0; SLICES];
        let scale = 1.0 / batch.len() as f64;
        let slices = batch.chunks_exact(batch.len() / SLICES);
        let jobs = slices.zip(&mut self.gradients).zip(&mut losses);
        let network = &self.network;
        share(&mut self.workspaces, jobs, |workspace, ((slice, gradient), loss)| {
            gradient.values.fill(0.0);
            let records = slice.iter().map(|&at| &records[at as usize]);
            *loss = workspace.add_gradient(network, records, scale, gradient);
        });
        losses.iter().sum()
    }

    fn take_step(&mut self, step: Step) {
        let (gradients, weight_limit) = (&self.gradients, self.weight_limit);
        let weights = self.moving.shape.feature_weights();
        let chunks = |values| <[f32]>::chunks_mut(values, PARAMETERS_AT_ONCE);
        let moments = chunks(&mut self.means.values).zip(chunks(&mut self.squares.values));
        let jobs = chunks(&mut self.moving.values).zip(moments).enumerate();
        share(&mut self.workspaces, jobs, |_, (index, (parameters, (means, squares)))| {
            let is_weights = index * PARAMETERS_AT_ONCE < weights;
            let limit = if is_weights { weight_limit } else { MAX_PARAMETER };
            let mut sums = [0.0; PARAMETERS_AT_ONCE];
            let sums = &mut sums[..parameters.len()];
            for slice in gradients {
                let slice = &slice.values[index * PARAMETERS_AT_ONCE..];
                sums.iter_mut().zip(slice).for_each(|(sum, value)| *sum += value);
            }
            step.take(parameters, means, squares, sums, limit);
        });
        self.network.round_from(&self.moving);
    }

    /// Returns the mean loss of some positions.
    pub fn loss(&mut self, records: &[Record]) -> f64 {
        let mut losses = vec![0.0; records.len().div_ceil(POSITIONS_AT_ONCE)];
        let jobs = records.chunks(POSITIONS_AT_ONCE).zip(&mut losses);
        let network = &self.network;
        share(&mut self.workspaces, jobs, |workspace, (records, loss)| {
            *loss = workspace.loss(network, records.iter());
        });
        losses.iter().sum::<f64>() / records.len().max(1) as f64
    }
}

/// Distributes jobs over threads, one for each tool.
pub fn share<Tool: Send, Job: Send>(
    tools: &mut [Tool],
    jobs: impl Iterator<Item = Job> + Send,
    work: impl Fn(&mut Tool, Job) + Sync,
) {
    let queue = Mutex::new(jobs);
    let next = || queue.lock().expect("no thread panics while it takes a job").next();
    let work_all = |tool: &mut Tool| {
        while let Some(job) = next() {
            work(tool, job);
        }
    };
    let (first, others) = tools.split_first_mut().expect("there is a thread");
    thread::scope(|scope| {
        others.iter_mut().for_each(|tool| drop(scope.spawn(|| work_all(tool))));
        work_all(first);
    });
}
