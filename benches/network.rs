//! Benchmarks of the network evaluation over the positions of `tabia bench`.
//!
//! `cargo bench --bench network`. Times are for one pass over all positions; `item/s` counts
//! single operations. The kernel is the best one for this processor.

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

/// Position whose evaluator is up to date.
struct Place {
    board: Board,
    moves: MoveList,
    evaluator: Evaluator,
}

fn places() -> Vec<Place> {
    let place = |board: Board| {
        let mut evaluator = Evaluator::new(Network::embedded());
        evaluator.evaluate(&board);
        Place { moves: board.legal_moves(), board, evaluator }
    };
    bench::positions().map(place).collect()
}

fn each_position<T>(bencher: Bencher, step: impl Fn(&mut Place) -> T + Sync) {
    let mut places = places();
    bencher.counter(ItemsCount::new(places.len())).bench_local(move || {
        for place in &mut places {
            black_box(step(black_box(place)));
        }
    });
}

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
    board.make_move(mv);
    let result = step(board, evaluator);
    board.unmake_move();
    evaluator.pop();
    result
}

/// The forward pass alone.
#[divan::bench]
fn forward(bencher: Bencher) {
    each_position(bencher, |place| place.evaluator.evaluate(&place.board));
}

/// Making and unmaking a move to a position that is not evaluated.
#[divan::bench]
fn move_only(bencher: Bencher) {
    each_move(bencher, |_, _| ());
}

/// The same with the incremental update and the forward pass.
#[divan::bench]
fn move_and_evaluation(bencher: Bencher) {
    each_move(bencher, |board, evaluator| evaluator.evaluate(board));
}

#[divan::bench]
fn from_scratch(bencher: Bencher) {
    let network = Network::embedded();
    each_position(bencher, |place| network.evaluate(&place.board));
}
