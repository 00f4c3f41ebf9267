//! The evaluation: the same for both colours, and the same kept up as computed anew.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tabia::board::Board;
use tabia::eval::{self, Evaluator};
use tabia::types::{Color, Move, Score};

fn random_move(board: &Board, rng: &mut ChaCha8Rng) -> Option<Move> {
    let moves = board.legal_moves();
    moves.get(rng.next_u32() as usize % moves.len().max(1)).copied()
}

/// Plays random games of both variants, and hands each position over with the evaluator that followed it.
fn walk(games: u16, mut visit: impl FnMut(&Board, &Evaluator)) {
    for game in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(game));
        let number = game * 37 % 960;
        let mut board = Board::chess960_startpos(number, if game % 2 == 0 { number } else { game });
        let mut evaluator = Evaluator::new(&board);
        let mut line = Vec::new();
        while let Some(mv) = random_move(&board, &mut rng).filter(|_| line.len() < 150) {
            evaluator.push();
            board.make_move_with(mv, &mut evaluator);
            line.push(mv);
            visit(&board, &evaluator);
        }
        for _ in &line {
            board.unmake_move();
            evaluator.pop();
            visit(&board, &evaluator);
        }
    }
}

#[test]
fn kept_up_equals_computed_anew() {
    walk(60, |board, evaluator| {
        let anew = Evaluator::new(board).evaluate(board);
        assert_eq!(evaluator.evaluate(board), anew, "{}", board.pretty());
    });
}

#[test]
fn both_colours_are_treated_alike() {
    walk(60, |board, evaluator| {
        let flipped = board.flipped();
        let other = Evaluator::new(&flipped).evaluate(&flipped);
        assert_eq!(evaluator.evaluate(board), other, "{}", board.pretty());
    });
}

#[test]
fn trace_adds_up() {
    walk(5, |board, evaluator| {
        let score = evaluator.evaluate(board);
        let white = if board.side_to_move() == Color::White { score } else { -score };
        assert_eq!(eval::trace(board).total(), white);
    });
    let table = eval::trace(&Board::startpos()).to_string();
    assert!(table.contains("Material") && table.contains("Phase      | 24 of 24"), "{table}");
    assert!(table.ends_with("(White's view)"), "{table}");
}

/// Scores in hundredths of a pawn, for the side to move.
fn score(fen: &str) -> i32 {
    let board = Board::from_fen(fen).expect("a good FEN");
    let Score(score) = Evaluator::new(&board).evaluate(&board);
    score
}

#[test]
fn common_sense() {
    let start = score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((1..50).contains(&start), "the move is worth a little: {start}");
    let queen_up = score("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(queen_up > 800, "{queen_up}");
    let passer = |fen| score(fen);
    assert!(passer("8/8/4k3/8/8/1P6/4K3/8 w - - 0 1") > 80);
    assert!(
        passer("8/1P6/8/8/6k1/8/4K3/8 w - - 0 1") > passer("8/8/1P6/8/6k1/8/4K3/8 w - - 0 1") + 40
    );
    let castled = score("4k3/8/8/8/8/8/5PPP/5RK1 w - - 0 1");
    let walking = score("4k3/8/8/8/5K2/8/5PPP/5R2 w - - 0 1");
    assert!(castled > 500 && walking > 500);
}

#[test]
fn a_piece_too_few_to_win_counts_little() {
    for fen in [
        "8/8/4k3/8/8/2R1B3/4K3/3r4 w - - 0 1",
        "8/4p3/4k3/8/8/4B3/4K3/8 w - - 0 1",
        "8/8/4k3/8/8/4N3/4K3/8 w - - 0 1",
    ] {
        assert!(score(fen).abs() < 120, "{fen}: {}", score(fen));
    }
    assert!(score("8/8/4k3/8/8/2R5/4K3/8 w - - 0 1") > 400);
}
