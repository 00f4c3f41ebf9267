//! A complete recipe: games, positions, training, the file, and a search with the new network.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tabia::board::Board;
use tabia::datagen::{self, GameOptions, KeepFilter, Label, Options, RunOptions, Shard};
use tabia::eval::network::SHAPE;
use tabia::eval::{Network, network};
use tabia::tools::bench::Bench;
use tabia_trainer::data::{self, DataSet, DataSetError};
use tabia_trainer::export::{dequantise, quantise};
use tabia_trainer::recipe::{Games, Recipe, hex};
use tabia_trainer::record::{Features, Record};
use tabia_trainer::slice::Workspace;
use tabia_trainer::train::train;
use tabia_trainer::unpacked::{self, Unpacked};

use crate::support::{Folder, KNOWN_GAMES, Nobody, drawn, known_games, sha256};

const GAMES: u64 = 48;
const NODES: u64 = 60;

fn play(folder: &Path, threads: u64) {
    let options = Options {
        game: GameOptions { nodes: NODES, ..GameOptions::default() },
        // For several shards of several blocks.
        run: RunOptions {
            games: GAMES,
            threads,
            block_games: 4,
            shard_kib: 4,
            ..RunOptions::default()
        },
        out: Some(folder.to_owned()),
    };
    assert!(datagen::run(&options, &AtomicBool::new(false), &mut |_| {}).unwrap());
}

/// Returns the commit of this engine, padded with zeros; `None` outside a Git clone, and if the
/// sources differ from the commit: no recipe accepts games of such an engine.
#[expect(clippy::print_stderr, reason = "makes a skipped test visible")]
fn commit(folder: &Path) -> Option<String> {
    let shard = Shard::open(&folder.join("seed1-00000.tabia")).unwrap();
    let commit = shard.header.engine.rsplit_once('-').map(|(_, commit)| format!("{commit:0<40}"));
    let commit = commit.filter(|commit| !commit.starts_with("dirty"));
    if commit.is_none() {
        eprintln!("skipped: not a clean Git clone");
    }
    commit
}

fn recipe(engine: &str, count: u64, nodes: u64) -> Recipe {
    let net = hex(&Network::embedded_hash());
    Recipe::parse(&format!(
        "[[games]]
        engine = '{engine}'
        net = '{net}'
        seed = 1
        count = {count}
        options = {{ nodes = {nodes} }}
        [positions]
        held_out = 6
        [network]
        hidden = {}
        buckets = {}
        [training]
        seed = 1
        epochs = 20
        batch = 256
        rate = 0.002
        final_rate = 0.00001
        warm_up = 10",
        SHAPE.hidden, SHAPE.buckets
    ))
    .unwrap()
}

#[test]
fn a_recipe_gives_the_same_network_twice() {
    let make = |threads: usize| {
        let folder = Folder::new(&format!("recipe-{threads}"));
        play(&folder.0, threads as u64);
        let recipe = recipe(&commit(&folder.0)?, GAMES, NODES);
        let data = DataSet::read(&recipe, None, &folder.0, threads, &mut |_| {}).unwrap();
        let (model, rows) =
            train(&recipe, &data, drawn(&recipe), threads, None, &mut Nobody).unwrap();
        assert!(rows[rows.len() - 1].training_loss < rows[0].training_loss / 2.0);
        Some((data, model))
    };
    let (Some((data, model)), Some((other_data, other_model))) = (make(1), make(2)) else { return };
    assert_eq!(data.checksum(), other_data.checksum());
    let bytes = quantise(&model).unwrap().to_bytes().unwrap();
    assert!(bytes == quantise(&other_model).unwrap().to_bytes().unwrap());

    let network = network::Parameters::from_bytes(&bytes).unwrap();
    assert!(quantise(&dequantise(&network)).unwrap() == network);
    let board = Board::startpos();
    let record = Record::new(&board, 0.5);
    let output = Workspace::default().evaluate(&model, &[record])[0];
    let score = network.evaluate(&board).0;
    assert!(
        (f64::from(output) * f64::from(network::SCALE) - f64::from(score)).abs() < 1.5,
        "{output} and {score}"
    );
    assert_ne!(score, 0);

    let made = || Arc::new(Network::new(&network).unwrap());
    let bench = Bench { depth: 5, ..Bench::default() };
    let nodes = |network| bench.run(&network, &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!(nodes(made()), nodes(made()));
    assert_ne!(nodes(made()), nodes(Network::embedded()));
}

#[test]
fn every_kept_position_occurs_once_and_games_are_not_split() {
    let folder = Folder::new("positions");
    play(&folder.0, 2);
    let Some(engine) = commit(&folder.0) else { return };
    let recipe = recipe(&engine, GAMES - 5, NODES);
    let mut counts = Vec::new();
    let data = DataSet::read(&recipe, None, &folder.0, 2, &mut |games| counts.push(games)).unwrap();
    assert!(counts.len() > 1 && counts.is_sorted() && counts[counts.len() - 1] == GAMES - 5);

    let (mut keys, mut expected, mut duplicates) = (HashSet::new(), [0, 0], 0);
    for number in 0..counts.len() {
        let path = folder.0.join(format!("seed1-{number:05}.tabia"));
        let shard = Shard::open(&path).unwrap();
        let count = |game_number, game: datagen::Game| {
            if game_number >= GAMES - 5 {
                return Ok(());
            }
            let mut take = |label: Label<'_>| {
                if KeepFilter::default().keeps(label) {
                    if keys.insert(label.board.key()) {
                        expected[usize::from(game_number % 6 == 5)] += 1;
                    } else {
                        duplicates += 1;
                    }
                }
            };
            game.for_each_label(&mut take);
            game.for_each_interior_label(&mut take);
            Ok::<(), datagen::Damage>(())
        };
        shard.for_each_game(count).unwrap();
    }
    assert_eq!([data.training.len(), data.held_out.len()], expected);
    assert_eq!(data.duplicates, duplicates);
    assert!(expected[1] > 0 && data.training.iter().all(|r| (0.0..=1.0).contains(&r.target)));
}

fn known_recipe(games: &str, positions: &str) -> Recipe {
    Recipe::parse(&format!(
        "{KNOWN_GAMES}
        {games}
        [positions]
        {positions}
        [network]
        hidden = 64
        buckets = 1
        [training]
        seed = 1
        epochs = 1
        rate = 0.001
        final_rate = 0.001"
    ))
    .unwrap()
}

fn read_known(games: &str, positions: &str) -> DataSet {
    let recipe = known_recipe(games, positions);
    DataSet::read(&recipe, None, &known_games().0, 2, &mut |_| {}).unwrap()
}

const POSITIONS: &str =
    "min_ply = 20\nmax_score = 600\nheld_out = 4\nresult_weight = 0.25\nlambda = 0.5";

#[test]
fn known_games_give_known_positions_and_targets() {
    let data = read_known("", POSITIONS);
    assert_eq!((data.training.len(), data.held_out.len(), data.duplicates), (603, 310, 12));
    assert_eq!(sha256(&data), "0f2ee8896e1f7b23bf9cfd01b0d668311228a128051441d2de8307388b9b57f5");
}

#[test]
fn games_are_kept_beside_their_shard() {
    let folder = known_games();
    let recipe = known_recipe("", POSITIONS);
    let read = || DataSet::read(&recipe, None, &folder.0, 2, &mut |_| {}).unwrap().checksum();
    let file = folder.0.join("seed9-00000.games");
    let all = read();
    let kept = fs::read(&file).unwrap();
    let changed = |place: usize| {
        let mut bytes = kept.clone();
        bytes[place] ^= 1;
        bytes
    };
    assert_eq!(read(), all);
    assert_eq!(fs::read(&file).unwrap(), kept);
    // A damaged file is written again.
    for damaged in [changed(3), changed(30), changed(kept.len() - 1), kept[..50].to_vec()] {
        fs::write(&file, damaged).unwrap();
        assert_eq!(read(), all);
        assert_eq!(fs::read(&file).unwrap(), kept);
    }
    let shard = Shard::open(&folder.0.join("seed9-00000.tabia")).unwrap();
    let blocks: Vec<_> = shard.blocks().map(Result::unwrap).collect();
    let mut unpacked = Unpacked::open(&folder.0.join("seed9-00000.tabia"), &blocks);
    for (block, words) in blocks.iter().zip(unpacked.words()) {
        assert!(!words.is_empty());
        assert_eq!(unpacked::games(block, words).unwrap(), block.decode().unwrap());
    }
    // A folder that cannot be written costs time only.
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(read(), all);
    assert!(!folder.0.join("seed9-00000.games-new").exists());
}

#[test]
fn every_thins_out_the_labels() {
    let all = read_known("", POSITIONS);
    assert_eq!(read_known("every = 1", POSITIONS).checksum(), all.checksum());
    let some = read_known("every = 4", POSITIONS);
    // Of equal positions in several games, another one may now be the first.
    let others = some.training.iter().filter(|record| !all.training.contains(record)).count();
    assert!(others as u64 <= all.duplicates, "{others} others");
    let (found, whole) = (some.training.len(), all.training.len());
    assert!(found > whole / 4 && found < whole / 2, "{found} of {whole}");
}

#[test]
fn positions_are_filtered_by_the_number_of_men() {
    let all = read_known("", POSITIONS);
    let with = |lines: &str| read_known("", &format!("{lines}\n{POSITIONS}"));
    let default = with("few_men = 0\nfew_men_keep = 1\nlone_kings = true");
    assert_eq!(default.checksum(), all.checksum());
    let fewer = with("few_men = 20\nfew_men_keep = 2");
    assert!(fewer.training.iter().all(|record| all.training.contains(record)));
    let few = |data: &DataSet| {
        let men = data.training.iter().map(|record| Features::of(record).piece_count());
        men.filter(|men| *men <= 20).count()
    };
    let (kept, whole) = (few(&fewer), few(&all));
    assert!(kept > whole / 3 && kept < whole * 2 / 3, "{kept} of {whole}");
    assert_eq!(fewer.training.len() - kept, all.training.len() - whole);
}

#[test]
fn games_have_a_result_weight_of_their_own() {
    let own = read_known("result_weight = 0.5", POSITIONS);
    let of_all = POSITIONS.replace("result_weight = 0.25", "result_weight = 0.5");
    assert_eq!(own.checksum(), read_known("", &of_all).checksum());
    assert_ne!(own.checksum(), read_known("", POSITIONS).checksum());
}

#[test]
fn games_that_ended_by_score_can_end_with_their_last_label() {
    let targets = |data: DataSet| data.training.into_iter().map(|record| record.target);
    let (first, cut) = (read_known("", POSITIONS), read_known("score_ends = true", POSITIONS));
    let pairs: Vec<(f32, f32)> = targets(first).zip(targets(cut)).collect();
    assert_eq!(pairs.len(), 603);
    // Some games ended by score, the others by the rules of chess.
    let changed = pairs.iter().filter(|(first, cut)| first != cut).count();
    assert!((1..pairs.len()).contains(&changed), "{changed} of {}", pairs.len());
}

#[test]
fn the_last_stage_gives_each_label_a_second_target() {
    let in_stage = |lines: &str| {
        let mut recipe = known_recipe("", POSITIONS);
        let table = format!("share = 0.5\n{lines}");
        recipe.last_stage = Some(toml::from_str(&table).unwrap());
        DataSet::read(&recipe, None, &known_games().0, 2, &mut |_| {}).unwrap()
    };
    let targets =
        |data: &DataSet| -> Vec<f32> { data.training.iter().map(|record| record.target).collect() };
    let first = read_known("", POSITIONS);
    assert!(first.last_targets.is_empty());
    for (lines, positions) in [
        ("lambda = 0.9", POSITIONS.replace("lambda = 0.5", "lambda = 0.9")),
        ("result_weight = 1.0", POSITIONS.replace("result_weight = 0.25", "result_weight = 1.0")),
    ] {
        let data = in_stage(lines);
        assert!(data.training == first.training && data.held_out == first.held_out);
        assert_eq!(data.last_targets, targets(&read_known("", &positions)));
        assert_ne!(data.last_targets, targets(&data));
        assert_ne!(data.checksum(), first.checksum());
    }
}

#[test]
fn off_line_positions_come_from_searches_and_are_no_training_positions() {
    let folder = Folder::new("off-line");
    play(&folder.0, 2);
    let off_line = Options {
        game: GameOptions {
            nodes: NODES,
            interior: 100,
            interior_nodes: 200,
            ..GameOptions::default()
        },
        run: RunOptions { games: 6, seed: 2, ..RunOptions::default() },
        out: Some(folder.0.clone()),
    };
    assert!(datagen::run(&off_line, &AtomicBool::new(false), &mut |_| {}).unwrap());
    let Some(engine) = commit(&folder.0) else { return };
    let without = recipe(&engine, GAMES, NODES);
    let mut with = without.clone();
    with.off_line = Some(Games {
        seed: 2,
        count: 5,
        options: [("nodes", NODES), ("interior", 100), ("interior_nodes", 200)]
            .map(|(name, value)| (name.to_owned(), value))
            .into(),
        ..without.games[0].clone()
    });
    let read = |recipe: &Recipe| DataSet::read(recipe, None, &folder.0, 2, &mut |_| {}).unwrap();
    let (without, with_data) = (read(&without), read(&with));
    assert!(without.off_line.is_empty() && with_data.off_line.len() > 20);
    let learnt: HashSet<[u8; 24]> = with_data.training.iter().map(placement).collect();
    assert!(with_data.off_line.iter().all(|record| !learnt.contains(&placement(record))));
    assert_ne!(without.checksum(), with_data.checksum());
    with.games = with.off_line.take().into_iter().collect();
    with.positions.interior = false;
    let labels = read(&with).training.len();
    with.positions.interior = true;
    assert!(read(&with).training.len() > labels);
}

/// Returns the pieces of a record.
fn placement(record: &Record) -> [u8; 24] {
    bytemuck::bytes_of(record)[..24].try_into().unwrap()
}

#[test]
fn games_that_do_not_match_the_recipe_are_rejected() {
    let folder = Folder::new("refused");
    play(&folder.0, 2);
    let Some(engine) = commit(&folder.0) else { return };
    let refusal = |recipe: &Recipe| {
        DataSet::read(recipe, None, &folder.0, 1, &mut |_| {}).err().map(|error| error.to_string())
    };
    assert_eq!(refusal(&recipe(&engine, GAMES, NODES)), None);
    let too_few = refusal(&recipe(&engine, GAMES + 1, NODES)).unwrap();
    assert!(too_few.starts_with("only 48 of the 49 games of seed 1 are in "), "{too_few}");
    let other_engine = refusal(&recipe(&"0123456789".repeat(4), GAMES, NODES)).unwrap();
    assert!(
        other_engine.ends_with("header field 'engine' differs from the recipe"),
        "{other_engine}"
    );
    let other_options = refusal(&recipe(&engine, GAMES, NODES + 1)).unwrap();
    assert!(
        other_options.ends_with("header field 'options' differs from the recipe"),
        "{other_options}"
    );
    let mut other_net = recipe(&engine, GAMES, NODES);
    for net in [None, Some("12".repeat(32))] {
        other_net.games[0].net = net;
        assert!(
            refusal(&other_net).unwrap().ends_with("header field 'net' differs from the recipe")
        );
    }

    let first = folder.0.join("seed1-00000.tabia");
    let read = || DataSet::read(&recipe(&engine, GAMES, NODES), None, &folder.0, 1, &mut |_| {});
    let mut bytes = fs::read(&first).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&first, bytes).unwrap();
    assert!(matches!(read().err(), Some(DataSetError::Damaged(path, _)) if path == first));
    fs::copy(folder.0.join("seed1-00001.tabia"), &first).unwrap();
    assert!(matches!(read().err(), Some(DataSetError::Gap(path, 0)) if path == first));
    // `tabia datagen` resumes after a gap, and in the header of a shard.
    let count = || data::count(&recipe(&engine, GAMES, NODES).games[0], &folder.0).unwrap();
    assert_eq!(count(), 0);
    fs::write(&first, "TABIA").unwrap();
    assert_eq!(count(), 0);
}
