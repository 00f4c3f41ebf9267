//! Steps of training, on several threads.
//!
//! A batch is cut into a fixed number of slices. Each slice's gradient is summed up by one thread, position after
//! position, and the slices' gradients are added in their order: the threads decide who does the work, not what comes
//! out.
//!
//! The network that looks at positions is always the rounded one, which has only whole numbers of the units that the
//! engine calculates in; its gradients move parameters that are not rounded (the *straight-through estimator*). So the
//! engine's network is the one that was trained, and nothing is lost by rounding in the end. Source: Bengio et al.,
//! "Estimating or Propagating Gradients Through Stochastic Neurons", <https://arxiv.org/abs/1308.3432>

use std::sync::Mutex;
use std::thread;

use crate::loss::Loss;
use crate::model::Parameters;
use crate::optimiser::Step;
use crate::record::Record;
use crate::slice::Workspace;

/// The slices of a batch.
pub const SLICES: usize = 16;
/// Parameters that a thread takes on at a time in an optimiser's step.
const PARAMETERS_AT_ONCE: usize = 4096;
/// Positions that a thread takes on at a time when there is nothing to learn.
const POSITIONS_AT_ONCE: usize = 1024;

/// A network that learns.
pub struct Learner {
    /// The parameters as they move.
    pub moving: Parameters,
    /// The network: the same rounded.
    pub network: Parameters,
    /// The mean of the gradients of each parameter.
    pub means: Parameters,
    /// The mean of their squares.
    pub squares: Parameters,
    /// Steps taken.
    pub steps: u64,
    /// The gradient of each slice.
    gradients: Vec<Parameters>,
    /// One for each thread.
    workspaces: Vec<Workspace>,
}

impl Learner {
    /// A network that has learnt nothing yet.
    pub fn new(moving: Parameters, loss: Loss, threads: usize) -> Self {
        let zeros = Parameters::zeros(moving.shape);
        let mut network = zeros.clone();
        network.round_from(&moving);
        Self {
            moving,
            network,
            means: zeros.clone(),
            squares: zeros.clone(),
            steps: 0,
            gradients: vec![zeros; SLICES],
            workspaces: (0..threads.max(1)).map(|_| Workspace::new(loss)).collect(),
        }
    }

    /// Learns from a batch, given as places in `records`; their number is a multiple of [`SLICES`]. Returns the mean
    /// loss before the step.
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
        let gradients = &self.gradients;
        let chunks = |values| <[f32]>::chunks_mut(values, PARAMETERS_AT_ONCE);
        let moments = chunks(&mut self.means.values).zip(chunks(&mut self.squares.values));
        let jobs = chunks(&mut self.moving.values).zip(moments).enumerate();
        share(&mut self.workspaces, jobs, |_, (index, (parameters, (means, squares)))| {
            let mut sums = [0.0; PARAMETERS_AT_ONCE];
            let sums = &mut sums[..parameters.len()];
            for slice in gradients {
                let slice = &slice.values[index * PARAMETERS_AT_ONCE..];
                sums.iter_mut().zip(slice).for_each(|(sum, value)| *sum += value);
            }
            step.take(parameters, means, squares, sums);
        });
        self.network.round_from(&self.moving);
    }

    /// The mean loss over some positions.
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

/// Has threads, each with a tool of its own, take one job after the other until none is left.
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
