//! `genfens`, called as OpenBench's client calls it.

use std::collections::HashSet;
use std::fs;

use tabia::board::Board;

use crate::session::{Session, run_with, scratch};

pub(crate) fn positions(command: &str) -> Vec<String> {
    let (ok, lines) = run_with(&[command, "quit"]);
    assert!(ok, "{lines:?}");
    let fen = |line: &String| line.strip_prefix("info string genfens ").map(str::to_owned);
    lines.iter().map(|line| fen(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

#[test]
fn positions_are_playable_distinct_and_reproducible() {
    // The client sends a blank at the end if there are no further words.
    let fens = positions("genfens 20 seed 77 book None ");
    assert_eq!(fens.len(), 20);
    let mut turns = [0, 0];
    for fen in &fens {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        let board = Board::from_fen(fen).unwrap();
        assert!(board.has_legal_move() && !board.is_draw(0), "{fen}");
        turns[board.side_to_move().index()] += 1;
    }
    assert_eq!(turns, [10, 10]);
    assert_eq!(fens.iter().collect::<HashSet<_>>().len(), fens.len());
    assert_eq!(positions("genfens 20 seed 77 book none"), fens);
    assert_ne!(positions("genfens 20 seed 78 book None"), fens);
}

#[test]
fn positions_start_from_a_book() {
    let book = scratch("book.epd");
    let quiet = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - hmvc 0; fmvn 1;";
    let other = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    fs::write(&book, format!("{quiet}\n\n{other}\n")).unwrap();
    let fens = positions(&format!("genfens 12 seed 3 book \"{}\" plies 0", book.display()));
    let pawns = |fen: &str| fen.chars().filter(|c| c.eq_ignore_ascii_case(&'p')).count();
    assert!(fens.iter().any(|fen| pawns(fen) == 8) && fens.iter().any(|fen| pawns(fen) == 16));
    assert!(fens.iter().any(|fen| fen.starts_with(&other[..other.len() - 6])), "{fens:?}");

    fs::write(&book, "no position\n").unwrap();
    let (ok, lines) = run_with(&[&format!("genfens 1 seed 3 book \"{}\"", book.display()), "quit"]);
    assert!(!ok && lines[0].contains("line 1"), "{lines:?}");
    fs::write(&book, "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\n").unwrap();
    let (ok, lines) = run_with(&[&format!("genfens 1 seed 3 book \"{}\"", book.display()), "quit"]);
    assert!(!ok && lines[0].contains("one-sided"), "{lines:?}");
    fs::remove_file(book).unwrap();
    let (ok, lines) = run_with(&["genfens 1 seed 3 book /dev/zero", "quit"]);
    assert!(!ok && lines[0].starts_with("error: genfens: /dev/zero"), "{lines:?}");
}

#[test]
fn the_lines_are_the_same_after_uci() {
    let mut session = Session::start_uci();
    session.send("genfens 1 seed 5");
    let line = session.expect("info string ").remove(0);
    assert!(line.starts_with("info string genfens "), "{line}");
    session.quit();
}
