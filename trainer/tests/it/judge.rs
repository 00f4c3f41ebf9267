//! The figures of networks on the positions of the judge, and how these are chosen and evaluated.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{env, fs, slice};

use tabia::board::FenStyle;
use tabia::datagen::{Damage, KeepFilter, Shard};
use tabia::eval::network::Parameters;
use tabia::types::Color;
use tabia_trainer::data::DataSet;
use tabia_trainer::export::quantise;
use tabia_trainer::find::Finder;
use tabia_trainer::judge::make::{Chooser, Engines};
use tabia_trainer::judge::{
    Change, Comparison, Estimate, FreshComparison, GROUPS, Judge, MenGroup, Scorer, report,
    whole_blocks,
};
use tabia_trainer::log::csv;
use tabia_trainer::model::{ModelParameters, ModelShape};
use tabia_trainer::target::{TargetRule, chance};
use tabia_trainer::train::train;

use crate::support::{Nobody, drawn, known_games, material_data, small_recipe};

/// Positions of each group in the file, and those of them with a score.
const POSITIONS: usize = 5000;
const SCORES: usize = 1000;

/// Returns a network with random weights: fast, since it is small.
fn small_network(seed: u64) -> Parameters {
    quantise(&ModelParameters::random(ModelShape { hidden: 64, buckets: 1 }, seed)).unwrap()
}

#[test]
fn the_file_has_equally_many_quiet_positions_of_each_group() {
    let judge = Judge::new();
    let mut seen = HashSet::new();
    let mut counts = [(0, 0); GROUPS.len()];
    for position in judge.positions() {
        let board = &position.board;
        assert!(seen.insert(board.key().0), "twice: {}", position.fen());
        assert!(!board.in_check() && board.halfmove_clock() == 0, "{}", position.fen());
        assert!(Color::ALL.into_iter().all(|color| board.colors(color).count() > 1));
        let (all, scored) = &mut counts[MenGroup::of(board)];
        *all += 1;
        *scored += usize::from(position.score.is_some());
    }
    assert_eq!(counts, [(POSITIONS, SCORES); GROUPS.len()]);
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("judge/positions.csv.gz");
    assert!(fs::metadata(file).unwrap().len() <= 1_000_000);
}

#[test]
fn a_network_judged_twice_has_the_same_figures() {
    let (judge, network) = (Judge::new(), small_network(5));
    let once = judge.network(&network, 1);
    let again = Judge::new().network(&network, 3);
    assert_eq!(once, again);
    assert_eq!(once.difference(&again), Estimate { value: 0.0, error: 0.0 });
    assert_eq!(once.ratio(&again), Estimate { value: 1.0, error: 0.0 });
    let progress = judge.progress(&again, &once);
    assert_eq!((progress.way.value, progress.way.error, progress.rest), (0.0, 0.0, 0.0));
    assert_eq!(progress.gap, progress.gap_before);
}

#[test]
fn the_unit_of_an_evaluation_does_not_matter() {
    let judge = Judge::new();
    let scores = |factor: i32| -> Vec<i32> {
        judge.positions().iter().map(|position| position.evaluations[0] * factor).collect()
    };
    let (one, ten) = (judge.judge(&scores(1)), judge.judge(&scores(10)));
    assert!((one.five.value / ten.five.value - 1.0).abs() < 1e-6);
    let (one, ten) = (one.groups[0].divisor, ten.groups[0].divisor);
    assert!((ten / one - 10.0).abs() < 1e-3, "{one} {ten}");
}

#[test]
fn progress_is_the_part_of_the_way_to_the_other_engines() {
    let judge = Judge::new();
    let start = judge.network(&small_network(5), 1);
    let engine = |index: usize| -> Vec<i32> {
        judge.positions().iter().map(|position| position.evaluations[index]).collect()
    };
    let (akimbo, viridithas) = (judge.judge(&engine(0)), judge.judge(&engine(1)));
    // Each engine is half of the goal, and the two agree better than a random network with them.
    let ways = [&akimbo, &viridithas].map(|engine| judge.progress(engine, &start));
    let sum = ways[0].way.value + ways[1].way.value;
    assert!((sum - 2.0).abs() < 1e-9, "{ways:?}");
    assert!(ways.iter().all(|way| way.gap < way.gap_before / 10.0), "{ways:?}");
    assert!(akimbo.ratio(&start).interval().1 < 1.0 && viridithas.difference(&start).value < 0.0);
}

#[test]
fn the_last_line_of_a_report_has_the_figures_in_short() {
    let judge = Judge::new();
    let (old, new) = (judge.network(&small_network(5), 1), judge.network(&small_network(6), 1));
    let alone = report(&judge, "5.net", &old, None);
    let start = format!("5.net: error {:.4} (five divisors), ", old.five);
    let last = alone.lines().last().unwrap();
    assert!(last.starts_with(&start) && last.ends_with(" (one)"), "{last}");
    let over = Some(Comparison { name: "5.net", judgement: &old });
    let compared = report(&judge, "6.net", &new, over);
    let way = judge.progress(&new, &old).way.value;
    let end = format!(" (one), progress {way:.2} over 5.net");
    assert!(compared.lines().last().unwrap().ends_with(&end), "{compared}");
    assert!(GROUPS.iter().all(|group| compared.contains(&format!("{group}  "))), "{compared}");
}

#[test]
fn positions_are_chosen_one_of_a_game_and_for_each_group_in_turn() {
    let shard = Shard::open(&known_games().0.join("seed9-00000.tabia")).unwrap();
    let mut chooser = Chooser::new(1);
    assert!(chooser.read(&shard).unwrap() && chooser.games() <= 16);
    let groups = chooser.into_groups();
    let fens: Vec<String> =
        groups.iter().flatten().map(|board| board.fen(FenStyle::Standard)).collect();
    let mut games = HashSet::new();
    let found = shard.for_each_game(|number, game| -> Result<(), Damage> {
        game.for_each_label(|label| {
            let placement = label.board.fen(FenStyle::Standard);
            let is_chosen = |fen: &&String| fen.split(' ').take(4).eq(placement.split(' ').take(4));
            if fens.iter().any(|fen| is_chosen(&fen)) {
                assert!(KeepFilter::default().keeps(label) && games.insert(number));
            }
        });
        Ok(())
    });
    found.unwrap();
    assert_eq!((games.len(), fens.len()), (5, 5));
    for (index, boards) in groups.iter().enumerate() {
        assert!(boards.iter().all(|board| MenGroup::of(board) == index) && boards.len() == 1);
    }
    let mut chooser = Chooser::new(16);
    assert!(!chooser.read(&shard).unwrap() && chooser.games() == 16, "too few games");
}

/// Compares two networks on some shards.
fn compare(shards: &[Shard], old: &Parameters, new: &Parameters) -> FreshComparison {
    let blocks: Vec<_> = shards.iter().flat_map(|shard| whole_blocks(shard).unwrap()).collect();
    FreshComparison::of(&blocks, &Scorer::new(old), &Scorer::new(new), 2).unwrap()
}

#[test]
fn fresh_games_compare_chances_with_targets() {
    let shard = Shard::open(&known_games().0.join("seed9-00000.tabia")).unwrap();
    let (old, new) = (small_network(5), small_network(6));
    let rule = TargetRule { result_weight: 0.0, lambda: 0.7, scale: 160, score_ends: true };
    // In which group, with which chances of the two networks and which target.
    let mut expected: Vec<(usize, f64, f64, f64)> = Vec::new();
    let found = shard.for_each_game(|_, game| -> Result<(), Damage> {
        let mut targets = rule.targets(&game).into_iter();
        game.for_each_label(|label| {
            let target = f64::from(targets.next().unwrap());
            if KeepFilter::default().keeps(label) {
                let [old, new] = [&old, &new].map(|net| chance(net.evaluate(label.board), 160));
                expected.push((MenGroup::of(label.board), old, new, target));
            }
        });
        Ok(())
    });
    found.unwrap();

    let figures = compare(slice::from_ref(&shard), &old, &new);
    assert_eq!(figures.games, 16);
    let groups = figures.groups.iter().enumerate().map(|(group, change)| (Some(group), change));
    for (group, change) in groups.chain([(None, &figures.all)]) {
        let labels = expected.iter().filter(|(at, ..)| group.is_none_or(|group| *at == group));
        let mean = |value: fn(f64, f64, f64) -> f64| -> f64 {
            let values = labels.clone().map(|&(_, old, new, target)| value(old, new, target));
            values.sum::<f64>() / labels.clone().count() as f64
        };
        let old_loss = mean(|old, _, target| (old - target).powi(2));
        let new_loss = mean(|_, new, target| (new - target).powi(2));
        let moved = mean(|old, new, _| (new - old).powi(2));
        let slope = mean(|old, new, target| (new - old) * (target - old)) / moved;
        let near = |found: f64, known: f64| (found - known).abs() < 1e-12;
        assert_eq!(change.labels, labels.clone().count(), "{group:?}");
        assert!(near(change.old_loss, old_loss) && near(change.moved, moved), "{change:?}");
        assert!(near(change.difference.value, new_loss - old_loss), "{change:?}");
        assert!(near(change.slope.value, slope), "{change:?}");
    }
}

#[test]
fn labels_of_a_game_are_not_independent() {
    let shard = || Shard::open(&known_games().0.join("seed9-00000.tabia")).unwrap();
    let (old, new) = (small_network(5), small_network(6));
    let once = compare(&[shard()], &old, &new).all;
    let twice = compare(&[shard(), shard()], &old, &new).all;
    let Change { difference, slope, .. } = twice;
    // The same sixteen games again: 31 instead of 15 degrees of freedom.
    let factor = (15.0_f64 / 31.0).sqrt();
    for (one, two) in [(once.difference, difference), (once.slope, slope)] {
        assert!((two.value - one.value).abs() < 1e-12, "{one} {two}");
        assert!((two.error / one.error - factor).abs() < 1e-9, "{one} {two}");
    }
}

#[test]
fn a_shard_that_is_being_written_has_its_whole_blocks() {
    let bytes = fs::read(known_games().0.join("seed9-00000.tabia")).unwrap();
    let blocks = |bytes: &[u8]| {
        let shard = Shard::from_bytes(bytes.to_vec()).unwrap();
        whole_blocks(&shard).map(|blocks| blocks.len())
    };
    let whole = blocks(&bytes).unwrap();
    assert_eq!(blocks(&bytes[..bytes.len() - 1]).unwrap(), whole - 1);
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(blocks(&damaged).is_err());
}

#[test]
fn a_training_has_the_figures_of_its_network_in_each_row() {
    let recipe = small_recipe(2);
    let mut data = material_data(3500);
    let trained = |data: &DataSet| train(&recipe, data, drawn(&recipe), 2, None, &mut Nobody);
    let (without, _) = trained(&data).unwrap();
    data.judge = Some(Judge::new());
    let (model, rows) = trained(&data).unwrap();
    assert!(model == without, "a judge does not change the training");

    let judge = Judge::new();
    let figures = |model| judge.network(&quantise(model).unwrap(), 1);
    let (start, end) = (figures(&drawn(&recipe)), figures(&model));
    let last = rows.last().unwrap();
    assert_eq!((last.error, last.error_one), (end.five.value, end.one.error.value));
    assert_eq!(last.progress, judge.progress(&end, &start).way.value);
    assert!(last.error < rows[0].error, "material says much of a random position");
    let text = csv(&rows);
    let [title, .., row] = &text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(title.ends_with(",error,error_one,progress"), "{title}");
    assert!(row.ends_with(&format!(",{:.8},{:.5}", last.error_one, last.progress)), "{row}");
}

/// Networks by their hash, with their names, errors with five divisors and with one, and progress
/// over the first.
const KNOWN: [(&str, &str, f64, f64, f64); 2] = [
    (
        "45c3c21126e6e89c3e19b331e17e34514692f00d2903e042b3d56620ffeaf48b",
        "network 6",
        0.01563,
        0.01617,
        0.0,
    ),
    (
        "c2008ddc21a14ac703a7c8b4478a77737ab675d07b56739675a4ea7fc786002e",
        "network 7",
        0.01494,
        0.01545,
        0.118,
    ),
];

#[test]
#[expect(clippy::print_stderr, reason = "makes a skipped test visible")]
fn known_networks_have_known_figures() {
    // An unpacked archive has no history to find them in.
    if !Path::new(env!("CARGO_MANIFEST_DIR")).join("../.git").exists() {
        eprintln!("skipped: not a Git repository");
        return;
    }
    let (judge, finder) = (Judge::new(), Finder::new(&small_recipe(1), &[]).unwrap());
    let figures = KNOWN.map(|(hash, ..)| judge.network(&finder.find(hash).unwrap(), 2));
    for ((_, name, five, one, way), found) in KNOWN.iter().zip(&figures) {
        let progress = judge.progress(found, &figures[0]).way.value;
        let near = |found: f64, known: &f64, unit: f64| (found - known).abs() <= unit / 2.0;
        assert!(near(found.five.value, five, 1e-5), "{name}: {}", found.five);
        assert!(near(found.one.error.value, one, 1e-5), "{name}: {}", found.one.error);
        assert!(near(progress, way, 1e-3), "{name}: {progress}");
    }
}

/// `TABIA_JUDGE` names a folder with the programs `akimbo`, `viridithas` and `stockfish`.
#[test]
#[expect(clippy::print_stderr, reason = "makes a skipped test visible")]
fn the_engines_give_the_numbers_of_the_file() {
    let Some(folder) = env::var_os("TABIA_JUDGE").map(PathBuf::from) else {
        eprintln!("skipped: TABIA_JUDGE is not set");
        return;
    };
    let programs = ["akimbo", "viridithas", "stockfish"].map(|name| folder.join(name));
    let mut engines = Engines::start(programs.each_ref()).unwrap();
    for position in Judge::new().positions().iter().step_by(POSITIONS / 5) {
        let again = engines.ask(position.board.clone(), position.score.is_some()).unwrap();
        assert_eq!(
            (again.evaluations, again.score),
            (position.evaluations, position.score),
            "{}",
            position.fen()
        );
    }
}
