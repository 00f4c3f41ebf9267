//! The steps of the evaluation over the positions of `tabia bench`, with the loops that this processor has.
//!
//! `cargo bench --bench network`. Every figure is for one go over all positions; `item/s` counts single steps.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use tabia::board::Board;
use tabia::eval::{Evaluator, Network};
use tabia::tools::bench;
use tabia::types::{Move, MoveList};

fn main() {
    divan::main();
}

/// A position with its legal moves, and an evaluator that knows it.
struct Place {
    board: Board,
    moves: MoveList,
    evaluator: Evaluator,
}

fn places() -> Vec<Place> {
    let place = |board: Board| {
        let mut evaluator = Evaluator::new(Network::embedded(), &board);
        evaluator.evaluate(&board);
        Place { moves: board.legal_moves(), board, evaluator }
    };
    bench::positions().map(place).collect()
}

/// Times a step with every position.
fn each_position<T>(bencher: Bencher, step: impl Fn(&mut Place) -> T + Sync) {
    let mut places = places();
    bencher.counter(ItemsCount::new(places.len())).bench_local(move || {
        for place in &mut places {
            black_box(step(black_box(place)));
        }
    });
}

/// Times a step after every legal move of every position.
fn each_move<T>(bencher: Bencher, step: impl Fn(&Board, &mut Evaluator) -> T + Sync) {
    let mut places = places();
    let count = places.iter().map(|place| place.moves.len()).sum::<usize>();
    bencher.counter(ItemsCount::new(count)).bench_local(move || {
        for Place { board, moves, evaluator } in &mut places {
            for &mv in &*moves {
                black_box(after_move(board, evaluator, black_box(mv), &step));
            }
        }
    });
}

fn after_move<T>(
    board: &mut Board,
    evaluator: &mut Evaluator,
    mv: Move,
    step: impl Fn(&Board, &mut Evaluator) -> T,
) -> T {
    evaluator.push();
    board.make_move_with(mv, evaluator);
    let result = step(board, evaluator);
    board.unmake_move();
    evaluator.pop();
    result
}

/// The output alone: the sums are known.
#[divan::bench]
fn forward(bencher: Bencher) {
    each_position(bencher, |place| place.evaluator.evaluate(&place.board));
}

/// A move made, noted and taken back, without evaluation.
#[divan::bench]
fn move_only(bencher: Bencher) {
    each_move(bencher, |_, _| ());
}

/// The same with an evaluation in between: the sums of both sides follow the move, and the output.
#[divan::bench]
fn move_and_evaluation(bencher: Bencher) {
    each_move(bencher, |board, evaluator| evaluator.evaluate(board));
}

/// An evaluation from nothing: every piece is added for both sides.
#[divan::bench]
fn from_nothing(bencher: Bencher) {
    let network = Network::embedded();
    each_position(bencher, |place| network.evaluate(&place.board));
}
