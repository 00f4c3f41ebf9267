//! Distillation: training on the evaluations of another network.

use std::collections::HashSet;

use sha2::{Digest, Sha256};
use tabia::datagen::{Damage, Shard};
use tabia::eval::network::{self, SCALE};
use tabia_trainer::batches::Batches;
use tabia_trainer::data::DataSet;
use tabia_trainer::export::quantise;
use tabia_trainer::maths::sigmoid;
use tabia_trainer::model::{ModelParameters, ModelShape};
use tabia_trainer::recipe::{Recipe, hex};
use tabia_trainer::record::Record;
use tabia_trainer::train::train;
use tabia_trainer::train_error::TrainError;

use crate::support::{
    KNOWN_GAMES, Nobody, drawn, known_games, material_data, sha256, small_recipe,
};

const KNOWN_HASH: &str = "06901c458d80fcecb46eff7f16f68b73bea0f8564c4ef4da094585fd02c0d935";

fn teacher() -> network::Parameters {
    quantise(&ModelParameters::random(ModelShape { hidden: 128, buckets: 2 }, 8)).unwrap()
}

fn recipe(lines: &str) -> Recipe {
    Recipe::parse(&format!(
        "{KNOWN_GAMES}
        [positions]
        held_out = 4
        [distillation]
        teacher = '{}'
        {lines}
        [network]
        hidden = 64
        buckets = 1
        [training]
        seed = 1
        epochs = 20
        batch = 256
        rate = 0.002
        final_rate = 0.00001
        warm_up = 10",
        hex(&Sha256::digest(teacher().to_bytes().unwrap()))
    ))
    .unwrap()
}

fn read(recipe: &Recipe, threads: usize) -> DataSet {
    DataSet::read(recipe, Some(&teacher()), &known_games().0, threads, &mut |_| {}).unwrap()
}

#[test]
fn distilled_positions_depend_on_the_recipe_alone() {
    let recipe_with = |moves, captures| {
        recipe(&format!("positions = 1003\nmoves = {moves}\ncaptures = {captures:?}"))
    };
    let data = read(&recipe_with(3, 0.5), 1);
    // Twelve games to train on, four held out.
    let counts = (data.labels, data.training.len(), data.held_out.len());
    assert_eq!((counts, data.duplicates), ((0, 752, 251), 0));
    assert_eq!(read(&recipe_with(3, 0.5), 3).checksum(), data.checksum());
    assert_eq!(sha256(&data), KNOWN_HASH);
    let mut other_seed = recipe_with(3, 0.5);
    other_seed.training.seed = 2;
    for other in [recipe_with(2, 0.5), recipe_with(3, 0.0), other_seed] {
        assert_ne!(read(&other, 1).checksum(), data.checksum());
    }
}

#[test]
fn without_random_moves_positions_come_from_the_games() {
    let teacher = teacher();
    let mut lines = HashSet::new();
    let collect = |_, game: tabia::datagen::Game| {
        game.replay(|board, _, _| {
            if !board.in_check() {
                let score = f64::from(teacher.evaluate(board).0);
                let record = Record::new(board, sigmoid(score / f64::from(SCALE)) as f32);
                lines.insert(bytemuck::bytes_of(&record).to_vec());
            }
        });
        Ok::<(), Damage>(())
    };
    Shard::open(&known_games().0.join("seed9-00000.tabia"))
        .unwrap()
        .for_each_game(collect)
        .unwrap();
    let is_of_line = |record: &Record| lines.contains(bytemuck::bytes_of(record));
    let on_lines = read(&recipe("positions = 2000\nmoves = 0"), 2).training;
    assert!(on_lines.len() > 1000 && on_lines.iter().all(is_of_line));
    // With 0 to 3 random moves, about a quarter stays on the lines.
    let off_lines = read(&recipe("positions = 2000\nmoves = 3"), 2).training;
    let share =
        off_lines.iter().filter(|record| is_of_line(record)).count() * 100 / off_lines.len();
    assert!((20..40).contains(&share), "{share} %");
}

#[test]
fn a_network_approximates_its_teacher() {
    let recipe = recipe("positions = 6000");
    let data = read(&recipe, 2);
    let (_, rows) = train(&recipe, &data, drawn(&recipe), 2, None, &mut Nobody).unwrap();
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    assert!(last.held_out_loss < first.held_out_loss / 2.0, "{first:?} {last:?}");
}

#[test]
fn labels_and_distilled_positions_share_each_batch() {
    let recipe = recipe("positions = 1600\nshare = 0.25");
    let data = read(&recipe, 2);
    let distilled = data.training.len() - data.labels;
    let labels = data.labels;
    assert!(labels > 600 && distilled == 1200);
    let mut batches = Batches::new(&recipe, &data).unwrap();
    assert_eq!(batches.per_epoch, labels as u64 / 192);
    let mut seen = HashSet::new();
    // 1200 / 64 = 18 steps use all distilled positions except the remainder.
    for step in 0..18 {
        let batch = batches.of_step(step);
        let (own, others) = batch.split_at(192);
        assert!(own.iter().all(|place| (*place as usize) < labels));
        assert!(
            others.iter().all(|place| (labels..labels + distilled).contains(&(*place as usize)))
        );
        seen.extend(others.iter().copied());
        assert_eq!(batch, Batches::new(&recipe, &data).unwrap().of_step(step));
    }
    assert_eq!(seen.len(), 18 * 64);
    // Only labels are used for testing.
    let mut without = recipe.clone();
    without.distillation = None;
    let without = DataSet::read(&without, None, &known_games().0, 1, &mut |_| {}).unwrap();
    assert_eq!((without.labels, &without.training[..]), (labels, &data.training[..labels]));
    assert_eq!(without.held_out, data.held_out);
}

#[test]
fn too_few_distilled_positions_are_rejected() {
    let mut recipe = small_recipe(8);
    recipe.distillation = self::recipe("positions = 300").distillation;
    let data = material_data(3500);
    let refusal = train(&recipe, &data, drawn(&recipe), 1, None, &mut Nobody).unwrap_err();
    assert!(matches!(refusal, TrainError::TooFewDistilled { positions: 0, wanted: 512 }));
}
