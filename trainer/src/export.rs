//! A network as the engine reads it: whole numbers in a file. docs/network.md describes it.

use tabia::eval::network::{self, FEATURES, FormatError, QA, QB};

use crate::model::Parameters;

/// The network in whole numbers: each is the nearest to the parameter times its unit.
///
/// # Errors
/// If the format knows no such shape.
pub fn quantise(model: &Parameters) -> Result<network::Parameters, FormatError> {
    let (hidden, buckets) = (model.shape.hidden, model.shape.buckets);
    let mut network = network::Parameters::zeroed(network::Shape { hidden, buckets })?;
    let nearest = |value: f32, unit: i32| (f64::from(value) * f64::from(unit)).round();
    for feature in 0..FEATURES {
        for unit in 0..hidden {
            network.feature_weights[feature * hidden + unit] =
                nearest(model.weight(feature, unit), QA) as i16;
        }
    }
    let biases = (0..model.shape.tiles()).flat_map(|tile| model.biases(tile));
    for (whole, bias) in network.feature_biases.iter_mut().zip(biases) {
        *whole = nearest(*bias, QA) as i16;
    }
    let outputs = (0..buckets)
        .flat_map(|bucket| [(bucket, 0), (bucket, 1)])
        .flat_map(|(bucket, view)| (0..model.shape.tiles()).map(move |tile| (bucket, view, tile)))
        .flat_map(|(bucket, view, tile)| model.outputs(bucket, view, tile));
    for (whole, weight) in network.output_weights.iter_mut().zip(outputs) {
        *whole = nearest(*weight, QB) as i16;
    }
    for (bucket, whole) in network.output_biases.iter_mut().enumerate() {
        *whole = nearest(model.output_bias(bucket), QA * QB) as i32;
    }
    Ok(network)
}
