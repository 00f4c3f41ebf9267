//! Quantisation for the engine (docs/network.md), and the reverse.

use tabia::eval::network::{self, FEATURES, FormatError, QA, QB};

use crate::model::{BIAS_ROW, ModelParameters, ModelShape, TILE};

/// Scales each parameter and rounds it to the nearest integer.
///
/// # Errors
/// If the format does not allow the shape.
pub fn quantise(model: &ModelParameters) -> Result<network::Parameters, FormatError> {
    let (hidden, buckets) = (model.shape.hidden, model.shape.buckets);
    let mut network = network::Parameters::zeroed(network::Shape { hidden, buckets })?;
    let nearest = |value: f32, unit: i32| (f64::from(value) * f64::from(unit)).round_ties_even();
    for feature in 0..FEATURES {
        for unit in 0..hidden {
            network.feature_weights[feature * hidden + unit] =
                nearest(model.weight(feature, unit), QA) as i16;
        }
    }
    let biases = (0..model.shape.tiles()).flat_map(|tile| model.biases(tile).values());
    for (integer, bias) in network.feature_biases.iter_mut().zip(biases) {
        *integer = nearest(*bias, QA) as i16;
    }
    let outputs = (0..buckets)
        .flat_map(|bucket| [(bucket, 0), (bucket, 1)])
        .flat_map(|(bucket, view)| (0..model.shape.tiles()).map(move |tile| (bucket, view, tile)))
        .flat_map(|(bucket, view, tile)| model.outputs(bucket, view, tile).values());
    for (integer, weight) in network.output_weights.iter_mut().zip(outputs) {
        *integer = nearest(*weight, QB) as i16;
    }
    for (integer, bias) in network.output_biases.iter_mut().zip(&model.output_biases) {
        *integer = nearest(*bias, QA * QB) as i32;
    }
    Ok(network)
}

/// Converts a quantised network to floating point.
pub fn dequantise(network: &network::Parameters) -> ModelParameters {
    let network::Shape { hidden, buckets } = network.shape;
    let mut model = ModelParameters::zeros(ModelShape { hidden, buckets });
    for tile in 0..model.shape.tiles() {
        let (weights, others) = model.tile_mut(tile).split_at_mut(BIAS_ROW);
        let (biases, outputs) = others.split_at_mut(1);
        let parts = [
            (weights, &network.feature_weights, QA),
            (biases, &network.feature_biases, QA),
            (outputs, &network.output_weights, QB),
        ];
        for (rows, integers, unit) in parts {
            for (row, integers) in rows.iter_mut().zip(integers.chunks_exact(hidden)) {
                for (value, integer) in row.values_mut().iter_mut().zip(&integers[tile * TILE..]) {
                    *value = f32::from(*integer) / unit as f32;
                }
            }
        }
    }
    for (bias, integer) in model.output_biases.iter_mut().zip(&network.output_biases) {
        *bias = *integer as f32 / (QA * QB) as f32;
    }
    model
}
