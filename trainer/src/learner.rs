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

use wide::f32x16;

use tabia::eval::network::{QA, QB};

use crate::loss::Loss;
use crate::model::{
    BIAS_ROW, MAX_PARAMETER, ModelParameters, ModelShape, SLICES, TileRow, rounded,
};
use crate::optimiser::Step;
use crate::record::{Examples, Record};
use crate::slice::{Slice, Views, Workspace};
use crate::tile;

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
    loss: Loss,
    /// Limit of the feature weights, of either sign.
    weight_limit: f32,
    slices: [Slice; SLICES],
    /// Sums of the hidden units: `[tile][slice][position]`.
    sums: Vec<Views>,
    /// One for each thread.
    workspaces: Vec<Workspace>,
}

impl Learner {
    /// Creates a learner before its first step. Feature weights, those of the start included, never
    /// exceed `weight_limit`.
    pub fn new(mut moving: ModelParameters, loss: Loss, weight_limit: f32, threads: usize) -> Self {
        for tile in 0..moving.shape.tiles() {
            for row in &mut moving.tile_mut(tile)[..BIAS_ROW] {
                for weight in row.values_mut() {
                    *weight = weight.clamp(-weight_limit, weight_limit);
                }
            }
        }
        let zeros = ModelParameters::zeros(moving.shape);
        let mut network = zeros.clone();
        network.round_from(&moving);
        Self {
            moving,
            network,
            means: zeros.clone(),
            squares: zeros,
            steps: 0,
            loss,
            weight_limit,
            slices: Default::default(),
            sums: Vec::new(),
            workspaces: (0..threads.max(1)).map(|_| Workspace::default()).collect(),
        }
    }

    /// Takes a training step on a batch of positions, given by their places. Its size is a multiple
    /// of [`SLICES`]. Returns the mean loss before the step.
    pub fn learn(&mut self, examples: Examples<'_>, batch: &[u32], rate: f64, decay: f64) -> f64 {
        let loss = self.forward(examples, batch);
        self.take_step(Step::new(self.steps, rate, decay));
        self.steps += 1;
        loss / batch.len() as f64
    }

    /// Evaluates a batch and returns the sum of its losses.
    fn forward(&mut self, examples: Examples<'_>, batch: &[u32]) -> f64 {
        let (network, loss, scale) = (&self.network, self.loss, 1.0 / batch.len() as f64);
        let per_slice = batch.len() / SLICES;
        self.sums.resize(network.shape.tiles() * batch.len(), [TileRow::ZERO; 2]);
        // The sums of each slice: one part of those of each tile.
        let mut sums: [Vec<&mut [Views]>; SLICES] = Default::default();
        for tile in self.sums.chunks_exact_mut(batch.len()) {
            let parts = tile.chunks_exact_mut(per_slice);
            sums.iter_mut().zip(parts).for_each(|(sums, part)| sums.push(part));
        }
        let jobs = self.slices.iter_mut().zip(sums).zip(batch.chunks_exact(per_slice));
        share(&mut self.workspaces, jobs, |_, ((slice, mut sums), places)| {
            slice.forward(network, examples, places, loss, scale, &mut sums);
        });
        self.slices.iter().map(|slice| slice.loss).sum()
    }

    fn take_step(&mut self, step: Step) {
        let (shape, weight_limit, slices) = (self.moving.shape, self.weight_limit, &self.slices);
        let rows = shape.rows();
        let moments = self.means.tiles_mut().zip(self.squares.tiles_mut());
        let parameters = self.moving.tiles_mut().zip(self.network.tiles_mut()).zip(moments);
        let per_tile = self.sums.len() / shape.tiles();
        let jobs = self.sums.chunks_exact_mut(per_tile).zip(parameters);
        share(&mut self.workspaces, jobs, |_, (sums, ((moving, network), (means, squares)))| {
            let outputs = network[shape.output_row(0, 0)..rows].to_vec();
            tile::gradients(shape, slices, sums, &outputs, |row, gradient| {
                let limit = if row < BIAS_ROW { weight_limit } else { MAX_PARAMETER };
                let moments = means[row].0.iter_mut().zip(&mut squares[row].0);
                let parameters = moving[row].0.iter_mut().zip(moments);
                for ((parameters, moments), gradient) in parameters.zip(gradient.0) {
                    step.take(parameters, moments, gradient, limit);
                }
                network[row] = ModelShape::rounded(row, &moving[row]);
            });
        });
        for (bucket, gradient) in tile::output_bias_gradients(shape, slices).iter().enumerate() {
            let parts = [&mut self.moving, &mut self.means, &mut self.squares];
            let parts = parts.map(|part| &mut part.output_biases[bucket]);
            let [mut bias, mut mean, mut square] =
                parts.each_ref().map(|part| f32x16::splat(**part));
            step.take(&mut bias, (&mut mean, &mut square), f32x16::splat(*gradient), MAX_PARAMETER);
            for (part, vector) in parts.into_iter().zip([bias, mean, square]) {
                *part = vector.to_array()[0];
            }
            self.network.output_biases[bucket] =
                rounded(self.moving.output_biases[bucket], QA * QB);
        }
    }

    /// Returns the mean loss of some positions.
    pub fn loss(&mut self, records: &[Record]) -> f64 {
        let mut losses = vec![0.0; records.len().div_ceil(POSITIONS_AT_ONCE)];
        let jobs = records.chunks(POSITIONS_AT_ONCE).zip(&mut losses);
        let (network, of_pair) = (&self.network, self.loss);
        share(&mut self.workspaces, jobs, |workspace, (records, loss)| {
            *loss = workspace.loss(network, records, of_pair);
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
