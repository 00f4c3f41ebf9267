//! Quantisation for the engine (docs/network.md), and the reverse.

use tabia::eval::network::{self, FEATURES, FormatError, QA, QB};

use crate::model::{ModelParameters, ModelShape, TILE};

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
    let biases = (0..model.shape.tiles()).flat_map(|tile| model.biases(tile));
    for (integer, bias) in network.feature_biases.iter_mut().zip(biases) {
        *integer = nearest(*bias, QA) as i16;
    }
    let outputs = (0..buckets)
        .flat_map(|bucket| [(bucket, 0), (bucket, 1)])
        .flat_map(|(bucket, view)| (0..model.shape.tiles()).map(move |tile| (bucket, view, tile)))
        .flat_map(|(bucket, view, tile)| model.outputs(bucket, view, tile));
    for (integer, weight) in network.output_weights.iter_mut().zip(outputs) {
        *integer = nearest(*weight, QB) as i16;
    }
    for (bucket, integer) in network.output_biases.iter_mut().enumerate() {
        *integer = nearest(model.output_bias(bucket), QA * QB) as i32;
    }
    Ok(network)
}

/// Converts a quantised network to floating point.
pub fn dequantise(network: &network::Parameters) -> ModelParameters {
    let network::Shape { hidden, buckets } = network.shape;
    let mut model = ModelParameters::zeros(ModelShape { hidden, buckets });
    for tile in 0..model.shape.tiles() {
        let first = tile * TILE;
        let mut own = model.tile_mut(tile);
        for (feature, row) in own.weights.iter_mut().enumerate() {
            copy(row, &network.feature_weights[feature * hidden + first..], QA);
        }
        copy(&mut own.biases[..], &network.feature_biases[first..], QA);
        for (bucket, view) in (0..buckets).flat_map(|bucket| [(bucket, 0), (bucket, 1)]) {
            let start = (bucket * 2 + view) * hidden + first;
            copy(own.outputs(bucket, view), &network.output_weights[start..], QB);
        }
    }
    for (bucket, integer) in network.output_biases.iter().enumerate() {
        *model.output_bias_mut(bucket) = *integer as f32 / (QA * QB) as f32;
    }
    model
}

fn copy(values: &mut [f32], integers: &[i16], unit: i32) {
    for (value, integer) in values.iter_mut().zip(integers) {
        *value = f32::from(*integer) / unit as f32;
    }
}
