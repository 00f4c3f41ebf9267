//! Compares outputs and gradients with a direct computation in double precision.

use tabia::board::Board;
use tabia::eval::network::{self, FEATURES, Perspective};
use tabia_trainer::model::{ModelParameters, ModelShape, TILE};
use tabia_trainer::record::Record;
use tabia_trainer::slice::Workspace;

use crate::support::{boards, material_records};

const SHAPE: ModelShape = ModelShape { hidden: 2 * TILE, buckets: 3 };

/// Parameters in double precision, ordered as in `ModelParameters`.
struct Exact(Vec<f64>);

impl Exact {
    fn of(model: &ModelParameters) -> Self {
        Self(model.values.iter().map(|value| f64::from(*value)).collect())
    }

    fn output(&self, board: &Board) -> f64 {
        let biases = FEATURES * SHAPE.hidden;
        let outputs = biases + SHAPE.hidden;
        let output_biases = outputs + SHAPE.buckets * 2 * SHAPE.hidden;
        let bucket = network::bucket(board.occupied().count(), SHAPE.buckets);
        let mut output = self.0[output_biases + bucket];
        let side = board.side_to_move();
        for (view, color) in [side, !side].into_iter().enumerate() {
            let features: Vec<usize> = Perspective::of(board, color).features(board).collect();
            for unit in 0..SHAPE.hidden {
                let (tile, column) = (unit / TILE, unit % TILE);
                let weight = |feature: &usize| self.0[(tile * FEATURES + feature) * TILE + column];
                let sum = self.0[biases + unit] + features.iter().map(weight).sum::<f64>();
                let active = sum.clamp(0.0, 1.0).powi(2);
                output += active * self.0[outputs + (bucket * 2 + view) * SHAPE.hidden + unit];
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

#[test]
fn outputs_match_the_definition() {
    let (model, boards) = (ModelParameters::random(SHAPE, 3), boards(400, 4));
    let (exact, records) = (Exact::of(&model), material_records(&boards));
    let mut workspace = Workspace::default();
    let outputs = workspace.evaluate(&model, records.iter());
    for (board, output) in boards.iter().zip(outputs) {
        let expected = exact.output(board);
        assert!((expected - f64::from(*output)).abs() < 2e-5, "{expected} is not {output}");
    }
    let loss = workspace.loss(&model, records.iter());
    assert!((loss / exact.loss(&boards, &records) - 1.0).abs() < 1e-5);
}

#[test]
fn gradients_match_finite_differences() {
    const STEP: f64 = 1e-5;
    let model = ModelParameters::random(SHAPE, 3);
    let boards = boards(40, 7);
    let records = material_records(&boards);
    let mut gradient = ModelParameters::zeros(SHAPE);
    Workspace::default().add_gradient(&model, records.iter(), 1.0, &mut gradient);

    let mut exact = Exact::of(&model);
    let largest = gradient.values.iter().fold(0.0_f32, |max, value| max.max(value.abs()));
    let outputs = (FEATURES + 1) * SHAPE.hidden;
    // A sample of the hidden layer, and all output parameters.
    let places = (0..outputs).step_by(29).chain(outputs..model.values.len());
    let mut checked = 0;
    for place in places.filter(|place| gradient.values[*place] != 0.0) {
        let value = exact.0[place];
        let mut loss_at = |change: f64| {
            exact.0[place] = value + change;
            exact.loss(&boards, &records)
        };
        let slope = (loss_at(STEP) - loss_at(-STEP)) / (2.0 * STEP);
        exact.0[place] = value;
        let found = f64::from(gradient.values[place]);
        assert!((slope - found).abs() < 1e-5 * f64::from(largest), "{place}: {slope} or {found}");
        checked += 1;
    }
    assert!(checked > 500, "only {checked} gradients are nonzero");
}

#[test]
fn gradients_are_scaled_and_added() {
    let model = ModelParameters::random(SHAPE, 3);
    let records = material_records(&boards(20, 7));
    let gradient_of = |scales: &[f64]| {
        let mut gradient = ModelParameters::zeros(SHAPE);
        for &scale in scales {
            Workspace::default().add_gradient(&model, records.iter(), scale, &mut gradient);
        }
        gradient.values
    };
    let (twice, double) = (gradient_of(&[1.0, 1.0]), gradient_of(&[2.0]));
    let difference = twice.iter().zip(&double).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(difference < 1e-5 && double.iter().any(|value| value.abs() > 0.1));
}
