//! Limited strength: `UCI_LimitStrength` and `UCI_Elo`.

use std::collections::{BTreeSet, HashMap, HashSet};

use tabia::board::Board;

use crate::genfens;
use crate::session::{Session, check_search, number_after, pv_of, without_times};

/// Returns the output of a search, without what depends on the time.
fn output_of(options: &[&str], go: &str) -> Vec<String> {
    let mut session = Session::start_uci();
    for option in options {
        session.send(&format!("setoption name {option}"));
    }
    session.send(&format!("position startpos moves e2e4 c7c5\n{go}"));
    let lines = session.expect("bestmove");
    let mut root = Board::startpos();
    for text in ["e2e4", "c7c5"] {
        root.make_move(root.parse_move(text).expect("legal"));
    }
    check_search(&root, &lines);
    session.quit();
    lines.iter().map(|line| without_times(line)).collect()
}

const WEAK: &str = "UCI_LimitStrength value true";

#[test]
fn a_level_shows_only_the_pv_it_plays() {
    let lines =
        output_of(&[WEAK, "UCI_Elo value 1500", "MultiPV value 5"], "go wtime 9000 btime 9000");
    let [line, best] = &lines[..] else { panic!("{lines:?}") };
    let mv = best.split(' ').nth(1).expect("a move");
    assert!(line.contains(" multipv 1 ") && line.contains(&format!(" pv {mv}")), "{lines:?}");
}

#[test]
fn the_output_depends_only_on_level_and_seed() {
    let go = |seed: u32| {
        let seed = format!("Level Seed value {seed}");
        output_of(&[WEAK, "UCI_Elo value 1200", &seed], "go depth 60")
    };
    let outputs: Vec<_> = (1..9).map(go).collect();
    assert_eq!(go(3), outputs[2]);
    assert!(outputs.iter().any(|output| *output != outputs[0]), "{outputs:?}");
    let options =
        [WEAK, "UCI_Elo value 1200", "Level Seed value 1", "Threads value 2", "Hash value 4"];
    assert_eq!(output_of(&options, "go depth 60"), outputs[0]);
}

#[test]
fn each_game_is_another_one_without_a_seed() {
    let mut session = Session::start_uci();
    session.send(&format!("setoption name {WEAK}\nsetoption name UCI_Elo value 1000"));
    let mut moves = HashSet::new();
    for _ in 0..40 {
        session.send("ucinewgame");
        let of_game = [(); 2].map(|()| {
            session.send("go depth 60");
            session.best_move()
        });
        assert_eq!(of_game[0], of_game[1], "a seed lasts for the game");
        moves.insert(of_game);
    }
    // With one of ten moves at random, all forty are the same once in 10³⁹ runs.
    assert!(moves.len() > 1, "{moves:?}");
    session.quit();
}

#[test]
fn a_skill_is_a_level() {
    let level = |options: &[&str]| {
        let options = [&["Level Seed value 7"], options].concat();
        output_of(&options, "go depth 60")
    };
    assert_eq!(level(&["Skill Level value 0"]), level(&[WEAK, "UCI_Elo value 500"]));
    assert_eq!(level(&["Skill Level value 10"]), level(&[WEAK, "UCI_Elo value 1815"]));
    let both = level(&["Skill Level value 3", WEAK, "UCI_Elo value 1500"]);
    assert_eq!(both, level(&[WEAK, "UCI_Elo value 1500"]));
    let full = |options: &[&str]| output_of(options, "go depth 8");
    assert_eq!(full(&["Skill Level value 20"]), full(&["Hash value 16"]));
}

#[test]
fn analysis_has_full_strength() {
    let options = [WEAK, "UCI_Elo value 1000", "UCI_AnalyseMode value true"];
    let strong = output_of(&["MultiPV value 1"], "go depth 9");
    assert_eq!(output_of(&options, "go depth 9"), strong);
    assert_ne!(output_of(&options[..2], "go depth 9"), strong);
}

/// Number of seeds with which a level plays each position. With two, chance decides which of two
/// neighbouring levels loses more.
const SEEDS: usize = 8;

/// Returns the moves that a level plays in each position, one for each seed.
fn moves_of(elo: u32, fens: &[String]) -> Vec<[String; SEEDS]> {
    let mut player = Session::start_uci();
    player.send(&format!("setoption name {WEAK}\nsetoption name UCI_Elo value {elo}"));
    let mut play = |fen: &String, seed| {
        player.send(&format!("setoption name Level Seed value {}", seed + 1));
        player.send(&format!("position fen {fen}\ngo depth 100"));
        player.best_move()
    };
    fens.iter().map(|fen| std::array::from_fn(|seed| play(fen, seed))).collect()
}

/// Returns the scores of these moves and of the best move in centipawns, by searches at full
/// strength, or `None` if the position is decided.
///
/// The second search is of these moves alone, so it sees more than any level.
fn scores_of(
    engine: &mut Session,
    fen: &str,
    mut moves: BTreeSet<String>,
) -> Option<HashMap<String, i64>> {
    engine.send(&format!("setoption name MultiPV value 1\nucinewgame\nposition fen {fen}"));
    engine.send("go nodes 300000");
    moves.insert(engine.best_move());
    let list = Vec::from_iter(moves).join(" ");
    engine.send("setoption name MultiPV value 256");
    engine.send(&format!("go nodes 450000 searchmoves {list}"));
    let lines = engine.expect("bestmove");
    let score_of = |line: &String| {
        let mate = if line.contains(" mate -") { -1000 } else { 1000 };
        let score = number_after(line, "cp").unwrap_or(mate).clamp(-1000, 1000);
        Some((pv_of(line).first()?.to_string(), score))
    };
    // A later depth replaces an earlier one.
    let scores: HashMap<_, _> = lines.iter().filter_map(score_of).collect();
    (scores.values().max()?.abs() < 300).then_some(scores)
}

/// Prints the table of docs/levels.md, with `cargo test --release -- --ignored --nocapture`.
#[test]
#[ignore = "searches 3 × 10⁸ nodes"]
#[expect(clippy::print_stdout, reason = "table for docs/levels.md")]
fn the_loss_per_move_falls_with_the_rating() {
    let fens = genfens::positions("genfens 200 seed 1 book None");
    let levels: Vec<u32> = (500..=2500).step_by(250).collect();
    let played: Vec<_> = levels.iter().map(|&elo| moves_of(elo, &fens)).collect();

    let mut engine = Session::start_uci();
    let mut losses: Vec<Vec<i64>> = vec![Vec::new(); levels.len()];
    for (position, fen) in fens.iter().enumerate() {
        let moves = played.iter().flat_map(|level| level[position].clone()).collect();
        let Some(scores) = scores_of(&mut engine, fen, moves) else { continue };
        let best = scores.values().max().expect("a move");
        for (losses, level) in losses.iter_mut().zip(&played) {
            losses.extend(level[position].iter().map(|mv| best - scores[mv]));
        }
    }
    let mean = |losses: &Vec<i64>| losses.iter().sum::<i64>() as f64 / losses.len() as f64;
    let means: Vec<f64> = losses.iter().map(mean).collect();
    println!("{} moves of each level", losses[0].len());
    for (elo, mean) in levels.iter().zip(&means) {
        println!("| {elo} | {mean:.1} |");
    }
    assert!(means.is_sorted_by(|lower, higher| lower > higher), "{means:?}");
}
