//! Training converges, gives the same result everywhere, and survives quantisation.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use tabia::board::Board;
use tabia::eval::network::SCALE;
use tabia_trainer::data::DataSet;
use tabia_trainer::export::quantise;
use tabia_trainer::formats;
use tabia_trainer::learner::Learner;
use tabia_trainer::loss::Loss;
use tabia_trainer::maths::sigmoid;
use tabia_trainer::model::{BIAS_ROW, MAX_PARAMETER, ModelParameters, ModelShape};
use tabia_trainer::order::shuffled;
use tabia_trainer::recipe::{LastStage, Recipe, hex};
use tabia_trainer::record::{Examples, Record};
use tabia_trainer::slice::Workspace;
use tabia_trainer::train::train;
use tabia_trainer::train_error::TrainError;

use crate::support::{
    Nobody, boards, drawn, material, material_data, material_records, small_recipe,
};

const KNOWN_HASH: &str = "d9e5f3fd77b9dd30a5e2fb0ca6e7e2c8a0f1b71bf725d181e3389ad33e9f42d7";

const KNOWN_HASH_OF_POWER: &str =
    "a8bf3f6f0c5730a10cd576014daa77a2ff40af4b4a259ef13be23f3e46fb59a4";

/// Returns the SHA-256 of the file in version 2: the known hashes are older than version 3.
fn hash(model: &ModelParameters) -> String {
    hex(&Sha256::digest(formats::with_16_bits(&quantise(model).unwrap()).unwrap()))
}

#[test]
fn threads_and_cpu_do_not_change_the_network() {
    let (recipe, data) = (small_recipe(8), material_data(3500));
    let trained =
        |threads| train(&recipe, &data, drawn(&recipe), threads, None, &mut Nobody).unwrap();
    let (model, rows) = trained(1);
    for threads in [2, 3, 20] {
        let (other, other_rows) = trained(threads);
        assert!(model == other && rows == other_rows, "{threads} threads");
    }
    assert_eq!(hash(&model), KNOWN_HASH);
}

#[test]
fn scale_and_exponent_change_the_network() {
    let data = material_data(3500);
    let trained = |scale, exponent| {
        let mut recipe = small_recipe(8);
        (recipe.training.scale, recipe.training.exponent) = (scale, exponent);
        hash(&train(&recipe, &data, drawn(&recipe), 2, None, &mut Nobody).unwrap().0)
    };
    assert_eq!(trained(160, 2.0), KNOWN_HASH);
    assert_eq!(trained(200, 2.5), KNOWN_HASH_OF_POWER);
    assert_ne!(trained(200, 2.0), KNOWN_HASH);
    assert_ne!(trained(160, 2.5), KNOWN_HASH);
}

/// Returns the largest feature weight of either sign, in the engine's units.
fn largest_weight(model: &ModelParameters) -> u16 {
    let weights = quantise(model).unwrap().feature_weights;
    weights.iter().map(|weight| weight.unsigned_abs()).max().unwrap()
}

#[test]
fn input_weights_stay_within_the_limit_of_the_recipe() {
    let (mut recipe, data) = (small_recipe(8), material_data(3500));
    let trained =
        |recipe: &Recipe| train(recipe, &data, drawn(recipe), 2, None, &mut Nobody).unwrap().0;
    // Larger than the limit below: the random start has weights up to 25, training larger ones.
    assert!(largest_weight(&drawn(&recipe)) == 25 && largest_weight(&trained(&recipe)) > 30);
    recipe.training.max_input_weight = 20;
    let limited = trained(&recipe);
    assert_eq!(largest_weight(&limited), 20);
    // Biases and output weights are no input weights.
    let others = &limited.tile(0)[BIAS_ROW..];
    assert!(others.iter().any(|row| row.values().iter().any(|value| value.abs() > 0.15)));

    let limit = recipe.training.weight_limit();
    let mut learner = Learner::new(drawn(&recipe), Loss::default(), limit, 1);
    assert_eq!(largest_weight(&learner.network), 20);
    learner.learn(Examples::new(&data.training), &shuffled(512, 1, 0), 0.1, 0.0);
    assert_eq!(largest_weight(&learner.network), 20);
}

#[test]
fn the_last_stage_has_other_targets() {
    let mut recipe = small_recipe(8);
    let mut data = material_data(3500);
    let trained = |recipe: &Recipe, data: &DataSet| {
        train(recipe, data, drawn(recipe), 2, None, &mut Nobody).unwrap()
    };
    let (model, rows) = trained(&recipe, &data);
    recipe.last_stage = Some(LastStage { share: 0.25, lambda: Some(1.0), result_weight: None });
    data.last_targets = data.training.iter().map(|record| record.target).collect();
    assert!(trained(&recipe, &data) == (model.clone(), rows.clone()));
    data.last_targets.iter_mut().for_each(|target| *target = 1.0 - *target);
    let (other_model, other_rows) = trained(&recipe, &data);
    // 48 steps, each with a row of the log. The row of step 37 has the first loss by other targets.
    assert_eq!((rows.len(), &rows[..36]), (48, &other_rows[..36]));
    assert!(other_rows[36].training_loss > 2.0 * rows[36].training_loss);
    assert!(model != other_model);
}

#[test]
fn scores_of_a_network_do_not_depend_on_the_scale() {
    let boards = boards(20_000, 31);
    let mut data = DataSet { labels: boards.len(), ..DataSet::default() };
    let mut slope = |scale: u32| {
        let record = |board: &Board| {
            let score = f64::from(material(board)).clamp(-300.0, 300.0);
            Record::new(board, sigmoid(score / f64::from(scale)) as f32)
        };
        data.training = boards.iter().map(record).collect();
        data.held_out = data.training[..100].to_vec();
        let mut recipe = small_recipe(30);
        recipe.training.scale = scale;
        let model = train(&recipe, &data, drawn(&recipe), 2, None, &mut Nobody).unwrap().0;
        let network = quantise(&model).unwrap();
        // Slope of the best line through the origin.
        let pairs = boards.iter().map(|board| {
            let known = f64::from(material(board)).clamp(-300.0, 300.0);
            (known, f64::from(network.evaluate(board).0))
        });
        let (mut products, mut squares) = (0.0, 0.0);
        pairs.for_each(|(known, found)| {
            products += known * found;
            squares += known * known;
        });
        products / squares
    };
    for scale in [160, 320] {
        let slope = slope(scale);
        assert!((0.9..1.1).contains(&slope), "{slope} with {scale}");
    }
}

#[test]
fn the_loss_falls_on_held_out_positions_too() {
    let (recipe, data) = (small_recipe(30), material_data(20_000));
    let (_, rows) = train(&recipe, &data, drawn(&recipe), 2, None, &mut Nobody).unwrap();
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    assert!(last.held_out_loss < first.held_out_loss / 4.0, "{first:?} {last:?}");
    assert_eq!((last.step, last.epochs, last.rate), (30 * 39, 30.0, 0.00001));
    assert!(rows.iter().all(|row| row.rate > 0.0 && row.rate <= 0.003));
}

#[test]
fn runs_with_too_few_positions_are_rejected() {
    let refusal = |epochs, data: &DataSet| {
        let recipe = small_recipe(epochs);
        train(&recipe, data, drawn(&recipe), 1, None, &mut Nobody).unwrap_err()
    };
    let mut data = material_data(3500);
    assert!(matches!(refusal(1, &data), TrainError::TooShort { steps: 6, warm_up: 10 }));
    data.held_out.clear();
    assert!(matches!(refusal(8, &data), TrainError::NoneHeldOut));
}

#[test]
fn ten_thousand_positions_can_be_overfitted() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut target = || 0.1 + 0.8 * (rng.next_u32() >> 8) as f32 / (1 << 24) as f32;
    let record = |board: &Board| Record::new(board, target());
    let records: Vec<Record> = boards(10_000, 11).iter().map(record).collect();
    let shape = ModelShape { hidden: 128, buckets: 1 };
    let start = ModelParameters::random(shape, 1);
    let mut learner = Learner::new(start, Loss::default(), MAX_PARAMETER, 2);
    let before = learner.loss(&records);
    for epoch in 0..60 {
        let rate = if epoch < 40 { 0.01 } else { 0.001 };
        for batch in shuffled(records.len(), 1, epoch).chunks_exact(400) {
            learner.learn(Examples::new(&records), batch, rate, 0.0);
        }
    }
    let after = learner.loss(&records);
    assert!(after < before / 50.0, "{before} to {after}");
}

#[test]
fn quantisation_hardly_changes_the_scores() {
    let boards = boards(14_000, 21);
    let records = material_records(&boards);
    let shape = ModelShape { hidden: 64, buckets: 8 };
    let start = ModelParameters::random(shape, 1);
    let mut learner = Learner::new(start, Loss::default(), MAX_PARAMETER, 2);
    for epoch in 0..20 {
        for batch in shuffled(records.len(), 1, epoch).chunks_exact(800) {
            learner.learn(Examples::new(&records), batch, 0.003, 0.01);
        }
    }
    let network = quantise(&learner.network).unwrap();
    // Mean and largest difference from the engine's scores.
    let differences = |model: &ModelParameters| {
        let mut workspace = Workspace::default();
        let outputs = workspace.evaluate(model, &records);
        let scores = outputs.iter().map(|output| f64::from(*output) * f64::from(SCALE));
        let differences: Vec<f64> = scores
            .zip(&boards)
            .filter(|(score, _)| score.abs() < 1000.0)
            .map(|(score, board)| (score - f64::from(network.evaluate(board).0)).abs())
            .take(10_000)
            .collect();
        assert_eq!(differences.len(), 10_000);
        let largest = differences.iter().fold(0.0_f64, |max, difference| max.max(*difference));
        (differences.iter().sum::<f64>() / 10_000.0, largest)
    };
    // The engine's two divisions truncate by up to 1.01; the rest is rounding in sums.
    let (mean, largest) = differences(&learner.network);
    assert!(mean < 1.0 && largest < 1.1, "mean {mean}, largest {largest}");
    // The unrounded parameters differ more: 3.5 on average, 17 at most.
    let (mean, largest) = differences(&learner.moving);
    assert!(mean < 5.0 && largest < 25.0, "before rounding: mean {mean}, largest {largest}");
}
