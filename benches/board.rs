//! Benchmarks of single board operations.
//!
//! `cargo bench --bench board`. Times are for one pass over all positions; `item/s` counts single
//! operations.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use tabia::attacks;
use tabia::board::{Board, GenKind};
use tabia::types::{Bitboard, Move, MoveList, Score, Square};

/// Openings, middlegames, endgames, checks, a promotion race and a Chess960 position.
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pq1bppp/p1npbn2/4p3/4PP2/1NN1B3/PPP1B1PP/R2Q1RK1 w - - 0 13",
    "8/5pk1/R5p1/7p/7P/5KP1/r4P2/8 w - - 10 45",
    "nrbbkqrn/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/NRBBKQR1 b GBgb - 1 2",
];

fn main() {
    divan::main();
}

fn positions() -> Vec<(Board, MoveList)> {
    let with_moves = |fen| {
        let board = Board::from_fen(fen).expect("a valid FEN");
        let moves = board.legal_moves();
        (board, moves)
    };
    POSITIONS.iter().copied().map(with_moves).collect()
}

fn each_move<T>(bencher: Bencher, step: impl Fn(&mut Board, Move) -> T + Sync) {
    let mut positions = positions();
    let count = positions.iter().map(|(_, moves)| moves.len()).sum::<usize>();
    bencher.counter(ItemsCount::new(count)).bench_local(move || {
        for (board, moves) in &mut positions {
            for &mv in &*moves {
                black_box(step(board, black_box(mv)));
            }
        }
    });
}

fn each_position<T>(bencher: Bencher, step: impl Fn(&Board) -> T + Sync) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(move || {
        for (board, _) in &positions {
            black_box(step(black_box(board)));
        }
    });
}

#[divan::bench]
fn key_from_scratch(bencher: Bencher) {
    each_position(bencher, Board::key_from_scratch);
}

#[divan::bench]
fn key_after_a_move(bencher: Bencher) {
    each_move(bencher, |board, mv| board.key_after(mv));
}

#[divan::bench]
fn make_and_unmake(bencher: Bencher) {
    each_move(bencher, |board, mv| {
        board.make_move(mv);
        board.unmake_move();
    });
}

#[divan::bench(args = [GenKind::All, GenKind::Noisy, GenKind::Quiet])]
fn generate(bencher: Bencher, kind: GenKind) {
    each_position(bencher, |board| {
        let mut moves = MoveList::new();
        board.generate(kind, &mut moves);
        moves.len()
    });
}

#[divan::bench]
fn count_legal_moves(bencher: Bencher) {
    each_position(bencher, Board::count_legal_moves);
}

#[divan::bench]
fn is_legal(bencher: Bencher) {
    each_move(bencher, |board, mv| board.is_legal(mv));
}

#[divan::bench]
fn gives_check(bencher: Bencher) {
    each_move(bencher, |board, mv| board.gives_check(mv));
}

#[divan::bench]
fn see_at_least_zero(bencher: Bencher) {
    each_move(bencher, |board, mv| board.see_ge(mv, Score::ZERO));
}

fn each_square(bencher: Bencher, lookup: fn(Square, Bitboard) -> Bitboard) {
    let occupancies: Vec<Bitboard> =
        positions().iter().map(|(board, _)| board.occupied()).collect();
    let count = occupancies.len() * Square::COUNT;
    bencher.counter(ItemsCount::new(count)).bench_local(move || {
        for &occupied in &occupancies {
            for square in Square::ALL {
                black_box(lookup(black_box(square), occupied));
            }
        }
    });
}

#[divan::bench]
fn bishop_attacks(bencher: Bencher) {
    each_square(bencher, attacks::bishop);
}

#[divan::bench]
fn rook_attacks(bencher: Bencher) {
    each_square(bencher, attacks::rook);
}
