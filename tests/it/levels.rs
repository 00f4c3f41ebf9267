//! Weaker play, as chess programs ask for it.

use tabia::board::Board;

use crate::session::{Session, check_search};

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
