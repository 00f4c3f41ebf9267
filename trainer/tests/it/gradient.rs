//! Compares outputs and gradients with a direct computation in double precision.

use tabia::board::Board;
use tabia::eval::network::{self, FEATURES, Perspective};
use tabia_trainer::loss::Loss;
use tabia_trainer::model::{ModelParameters, ModelShape, SLICES, TILE, TileRow};
use tabia_trainer::record::{Examples, Record};
use tabia_trainer::slice::{Slice, Workspace};
use tabia_trainer::tile;

use crate::support::{boards, material_records};

const SHAPE: ModelShape = ModelShape { hidden: 128, buckets: 3 };

/// Parameters in double precision, in the order of [`ModelParameters::values`].
struct Exact(Vec<f64>);

/// Returns the place of a parameter of a hidden unit among all.
fn place(row: usize, unit: usize) -> usize {
    (unit / TILE * SHAPE.rows() + row) * TILE + unit % TILE
}

impl Exact {
    fn of(model: &ModelParameters) -> Self {
        Self(model.values().map(|value| f64::from(*value)).collect())
    }

    fn output(&self, board: &Board) -> f64 {
        let bucket = network::bucket(board.occupied().count(), SHAPE.buckets);
        let mut output = self.0[SHAPE.tiles() * SHAPE.rows() * TILE + bucket];
        let side = board.side_to_move();
        for (view, color) in [side, !side].into_iter().enumerate() {
            let features: Vec<usize> = Perspective::of(board, color).features(board).collect();
            for unit in 0..SHAPE.hidden {
                let weight = |row: usize| self.0[place(row, unit)];
                let sum = weight(FEATURES) + features.iter().map(|row| weight(*row)).sum::<f64>();
                let active = sum.clamp(0.0, 1.0).powi(2);
                output += active * weight(FEATURES + 1 + bucket * 2 + view);
            }
        }
        output
    }

    fn loss(&self, boards: &[Board], records: &[Record]) -> f64 {
        let error = |(board, record): (&Board, &Record)| {
            1.0 / (1.0 + (-self.output(board)).exp()) - f64::from(record.target)
        };
        boards.iter().zip(records).map(|pair| error(pair).powi(2)).sum()
    }
}

/// Returns the gradient of the summed loss, times `scale`.
fn gradient(model: &ModelParameters, records: &[Record], scale: f64) -> Vec<f32> {
    let mut slices: [Slice; SLICES] = Default::default();
    let per_slice = records.len() / SLICES;
    let mut sums = vec![[TileRow::ZERO; 2]; SHAPE.tiles() * records.len()];
    for (index, slice) in slices.iter_mut().enumerate() {
        let parts = sums.chunks_exact_mut(per_slice).skip(index).step_by(SLICES);
        let places: Vec<u32> = (0..per_slice).map(|at| (index * per_slice + at) as u32).collect();
        let parts = &mut parts.collect::<Vec<_>>();
        slice.forward(model, Examples::new(records), &places, Loss::default(), scale, parts);
    }
    let mut gradient = ModelParameters::zeros(SHAPE);
    for (tile, sums) in sums.chunks_exact_mut(records.len()).enumerate() {
        let outputs = &model.tile(tile)[SHAPE.output_row(0, 0)..];
        let rows = gradient.tile_mut(tile);
        tile::gradients(SHAPE, &slices, sums, outputs, |row, gradient| rows[row] = *gradient);
    }
    gradient.output_biases = tile::output_bias_gradients(SHAPE, &slices);
    gradient.values().copied().collect()
}

#[test]
fn outputs_match_the_definition() {
    let (model, boards) = (ModelParameters::random(SHAPE, 3), boards(400, 4));
    let (exact, records) = (Exact::of(&model), material_records(&boards));
    let mut workspace = Workspace::default();
    let outputs = workspace.evaluate(&model, &records);
    for (board, output) in boards.iter().zip(outputs) {
        let expected = exact.output(board);
        assert!((expected - f64::from(*output)).abs() < 2e-5, "{expected} is not {output}");
    }
    let loss = workspace.loss(&model, &records, Loss::default());
    assert!((loss / exact.loss(&boards, &records) - 1.0).abs() < 1e-5);
}

#[test]
fn gradients_match_finite_differences() {
    const STEP: f64 = 1e-5;
    let model = ModelParameters::random(SHAPE, 3);
    let boards = boards(40, 7);
    let records = material_records(&boards);
    let gradient = gradient(&model, &records, 1.0);

    let mut exact = Exact::of(&model);
    let largest = gradient.iter().fold(0.0_f32, |max, value| max.max(value.abs()));
    // A sample of the feature weights, and all other parameters.
    let is_sampled = |place: &usize| {
        let row = place / TILE % SHAPE.rows();
        row >= FEATURES || place.is_multiple_of(29)
    };
    let places = (0..gradient.len()).filter(is_sampled);
    let mut checked = 0;
    for place in places.filter(|place| gradient[*place] != 0.0) {
        let value = exact.0[place];
        let mut loss_at = |change: f64| {
            exact.0[place] = value + change;
            exact.loss(&boards, &records)
        };
        let slope = (loss_at(STEP) - loss_at(-STEP)) / (2.0 * STEP);
        exact.0[place] = value;
        let found = f64::from(gradient[place]);
        assert!((slope - found).abs() < 1e-5 * f64::from(largest), "{place}: {slope} or {found}");
        checked += 1;
    }
    assert!(checked > 500, "only {checked} gradients are nonzero");
}

#[test]
fn gradients_are_scaled() {
    let model = ModelParameters::random(SHAPE, 3);
    let records = material_records(&boards(20, 7));
    let (single, double) = (gradient(&model, &records, 1.0), gradient(&model, &records, 2.0));
    assert!(single.iter().zip(&double).all(|(single, double)| 2.0 * single == *double));
    assert!(double.iter().any(|value| value.abs() > 0.1));
}
