//! Limited strength: `UCI_LimitStrength` and `UCI_Elo`.

use std::collections::HashMap;

use tabia::board::Board;

use crate::genfens;
use crate::session::{Session, check_search, number_after, pv_of};

/// Returns the output of a search, without what depends on the time.
fn output_of(options: &[&str], go: &str) -> Vec<String> {
    let mut session = Session::start_uci();
    for option in options {
        session.send(&format!("setoption name {option}"));
    }
    session.send(&format!("position startpos moves e2e4 c7c5\n{go}"));
    let mut lines = session.expect("bestmove");
    let mut root = Board::startpos();
    for text in ["e2e4", "c7c5"] {
        root.make_move(root.parse_move(text).expect("legal"));
    }
    check_search(&root, &lines);
    session.quit();
    for line in &mut lines {
        if let Some((before, after)) = line.split_once(" nps ") {
            let pv = after.find(" pv ").map_or("", |at| &after[at..]);
            *line = format!("{before}{pv}");
        }
    }
    lines
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
    let outputs: Vec<_> = (0..8).map(go).collect();
    assert_eq!(go(3), outputs[3]);
    assert!(outputs.iter().any(|output| *output != outputs[0]), "{outputs:?}");
    let of_two_threads =
        output_of(&[WEAK, "UCI_Elo value 1200", "Threads value 2", "Hash value 4"], "go depth 60");
    assert_eq!(of_two_threads, outputs[0]);
}

#[test]
fn analysis_has_full_strength() {
    let options = [WEAK, "UCI_Elo value 1000", "UCI_AnalyseMode value true"];
    let strong = output_of(&["MultiPV value 1"], "go depth 9");
    assert_eq!(output_of(&options, "go depth 9"), strong);
    assert_ne!(output_of(&options[..2], "go depth 9"), strong);
}

/// Returns the score of each move in centipawns, by a search at full strength, or `None` if the
/// position is decided.
fn move_scores(engine: &mut Session, fen: &str) -> Option<HashMap<String, i64>> {
    engine.send(&format!("ucinewgame\nposition fen {fen}\ngo nodes 600000"));
    let lines = engine.expect("bestmove");
    let score_of = |line: &String| {
        let mate = if line.contains(" mate -") { -1000 } else { 1000 };
        let score = number_after(line, "cp").unwrap_or(mate).clamp(-1000, 1000);
        Some((pv_of(line).first()?.to_string(), score))
    };
    // A later depth replaces an earlier one.
    let moves: HashMap<_, _> = lines.iter().filter_map(score_of).collect();
    (moves.len() > 1 && moves.values().max()?.abs() < 300).then_some(moves)
}

/// Returns the mean loss per move of a level, in centipawns.
fn mean_loss(elo: u32, positions: &[(String, HashMap<String, i64>)]) -> f64 {
    let mut player = Session::start_uci();
    player.send(&format!("setoption name {WEAK}\nsetoption name UCI_Elo value {elo}"));
    let mut losses = Vec::new();
    for seed in 0..2 {
        player.send(&format!("setoption name Level Seed value {seed}"));
        for (fen, scores) in positions {
            player.send(&format!("position fen {fen}\ngo depth 100"));
            let best = scores.values().max().expect("moves");
            losses.push(best - scores[&player.best_move()]);
        }
    }
    player.quit();
    losses.iter().sum::<i64>() as f64 / losses.len() as f64
}

/// Prints the table of docs/levels.md, with `cargo test --release -- --ignored --nocapture`.
#[test]
#[ignore = "searches 10⁸ nodes"]
#[expect(clippy::print_stdout, reason = "table for docs/levels.md")]
fn the_loss_per_move_falls_with_the_rating() {
    let mut engine = Session::start_uci();
    engine.send("setoption name MultiPV value 256");
    let positions: Vec<_> = genfens::positions("genfens 150 seed 1 book None")
        .into_iter()
        .filter_map(|fen| move_scores(&mut engine, &fen).map(|scores| (fen, scores)))
        .collect();
    engine.quit();
    let levels: Vec<u32> = (1000..=2500).step_by(250).collect();
    let losses: Vec<_> = levels.iter().map(|&elo| mean_loss(elo, &positions)).collect();
    for (elo, loss) in levels.iter().zip(&losses) {
        println!("| {elo} | {loss:.1} |");
    }
    // Neighbours at the top are nearer than the error of so few positions.
    assert!(losses.windows(3).all(|levels| levels[0] > levels[2]), "{losses:?}");
}
