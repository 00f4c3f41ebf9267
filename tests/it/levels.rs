//! Weaker play, as chess programs ask for it.

use std::collections::HashMap;

use tabia::board::Board;

use crate::genfens;
use crate::session::{Session, check_search, number_after, pv_of};

/// The whole answer to `go` for the start position, but for what the clock says.
fn answer(options: &[&str], go: &str) -> Vec<String> {
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
fn a_level_shows_only_the_line_it_plays() {
    let lines =
        answer(&[WEAK, "UCI_Elo value 1500", "MultiPV value 5"], "go wtime 9000 btime 9000");
    let [line, best] = &lines[..] else { panic!("{lines:?}") };
    let mv = best.split(' ').nth(1).expect("a move");
    assert!(line.contains(" multipv 1 ") && line.contains(&format!(" pv {mv}")), "{lines:?}");
}

#[test]
fn the_answer_depends_on_level_and_seed_alone() {
    let go = |seed: u32| {
        let seed = format!("Level Seed value {seed}");
        answer(&[WEAK, "UCI_Elo value 1200", &seed], "go depth 60")
    };
    let answers: Vec<_> = (0..8).map(go).collect();
    assert_eq!(go(3), answers[3]);
    assert!(answers.iter().any(|answer| *answer != answers[0]), "{answers:?}");
    let of_two_threads =
        answer(&[WEAK, "UCI_Elo value 1200", "Threads value 2", "Hash value 4"], "go depth 60");
    assert_eq!(of_two_threads, answers[0]);
}

#[test]
fn analysis_has_full_strength() {
    let options = [WEAK, "UCI_Elo value 1000", "UCI_AnalyseMode value true"];
    let strong = answer(&["MultiPV value 1"], "go depth 9");
    assert_eq!(answer(&options, "go depth 9"), strong);
    assert_ne!(answer(&options[..2], "go depth 9"), strong);
}

/// What each move of a position is worth, in hundredths of a pawn: by a search of all of them with full strength. `None`
/// where the game is as good as over.
fn worth_of_moves(judge: &mut Session, fen: &str) -> Option<HashMap<String, i64>> {
    judge.send(&format!("ucinewgame\nposition fen {fen}\ngo nodes 600000"));
    let lines = judge.expect("bestmove");
    let worth = |line: &String| {
        let mate = if line.contains(" mate -") { -1000 } else { 1000 };
        let score = number_after(line, "cp").unwrap_or(mate).clamp(-1000, 1000);
        Some((pv_of(line).first()?.to_string(), score))
    };
    // A later depth replaces an earlier one.
    let moves: HashMap<_, _> = lines.iter().filter_map(worth).collect();
    (moves.len() > 1 && moves.values().max()?.abs() < 300).then_some(moves)
}

/// What a level loses for each move, in hundredths of a pawn.
fn mean_loss(elo: u32, positions: &[(String, HashMap<String, i64>)]) -> f64 {
    let mut player = Session::start_uci();
    player.send(&format!("setoption name {WEAK}\nsetoption name UCI_Elo value {elo}"));
    let mut losses = Vec::new();
    for seed in 0..2 {
        player.send(&format!("setoption name Level Seed value {seed}"));
        for (fen, worth) in positions {
            player.send(&format!("position fen {fen}\ngo depth 100"));
            let best = worth.values().max().expect("moves");
            losses.push(best - worth[&player.best_move()]);
        }
    }
    player.quit();
    losses.iter().sum::<i64>() as f64 / losses.len() as f64
}

/// `cargo test --release -- --ignored --nocapture the_loss` prints what docs/levels.md shows.
#[test]
#[ignore = "some hundred million nodes"]
#[expect(clippy::print_stdout, reason = "docs/levels.md has this table")]
fn the_loss_for_each_move_falls_with_the_level() {
    let mut judge = Session::start_uci();
    judge.send("setoption name MultiPV value 256");
    let positions: Vec<_> = genfens::positions("genfens 150 seed 1 book None")
        .into_iter()
        .filter_map(|fen| worth_of_moves(&mut judge, &fen).map(|worth| (fen, worth)))
        .collect();
    judge.quit();
    let levels: Vec<u32> = (1000..=2500).step_by(250).collect();
    let losses: Vec<_> = levels.iter().map(|&elo| mean_loss(elo, &positions)).collect();
    for (elo, loss) in levels.iter().zip(&losses) {
        println!("| {elo} | {loss:.1} |");
    }
    assert!(losses.is_sorted_by(|lower, higher| lower > higher), "{losses:?}");
}
