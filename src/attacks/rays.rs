//! Tables of lines, and of the squares between two squares.

use crate::types::{Bitboard, Square, SquareMap};

type PairMap = SquareMap<SquareMap<Bitboard>>;

pub(super) static BETWEEN: PairMap = TABLES.0;
pub(super) static LINE: PairMap = TABLES.1;
pub(super) static DIAGONALS: SquareMap<Bitboard> = rays_from_each_square(1);
pub(super) static ORTHOGONALS: SquareMap<Bitboard> = rays_from_each_square(0);

const TABLES: (PairMap, PairMap) = tables();

const fn tables() -> (PairMap, PairMap) {
    const NONE: SquareMap<Bitboard> = SquareMap::filled(Bitboard::EMPTY);
    let mut between = [NONE; Square::COUNT];
    let mut line = [NONE; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let (between_row, line_row) = rows(from as i32);
        between[from] = SquareMap::new(between_row);
        line[from] = SquareMap::new(line_row);
        from += 1;
    }
    (SquareMap::new(between), SquareMap::new(line))
}

/// File and rank step of each direction, straight and diagonal alternating.
const STEPS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Returns the rays from each square in every second direction, beginning with `first`.
const fn rays_from_each_square(first: usize) -> SquareMap<Bitboard> {
    let mut rays = [Bitboard::EMPTY; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut squares = 0;
        let mut i = first;
        while i < STEPS.len() {
            squares |= ray(from as i32, STEPS[i].0, STEPS[i].1);
            i += 2;
        }
        rays[from] = Bitboard(squares);
        from += 1;
    }
    SquareMap::new(rays)
}

/// Returns the rows of a square in both tables.
const fn rows(from: i32) -> ([Bitboard; Square::COUNT], [Bitboard; Square::COUNT]) {
    let mut between = [Bitboard::EMPTY; Square::COUNT];
    let mut line = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < STEPS.len() {
        let (file_step, rank_step) = STEPS[i];
        let full_line =
            ray(from, file_step, rank_step) | ray(from, -file_step, -rank_step) | (1 << from);
        let (mut file, mut rank) = (from % 8 + file_step, from / 8 + rank_step);
        let mut passed = 0;
        while on_board(file, rank) {
            let square = (rank * 8 + file) as usize;
            between[square] = Bitboard(passed);
            line[square] = Bitboard(full_line);
            passed |= 1 << square;
            file += file_step;
            rank += rank_step;
        }
        i += 1;
    }
    (between, line)
}

const fn ray(from: i32, file_step: i32, rank_step: i32) -> u64 {
    let (mut file, mut rank) = (from % 8 + file_step, from / 8 + rank_step);
    let mut squares = 0;
    while on_board(file, rank) {
        squares |= 1 << (rank * 8 + file);
        file += file_step;
        rank += rank_step;
    }
    squares
}

const fn on_board(file: i32, rank: i32) -> bool {
    file >= 0 && file < 8 && rank >= 0 && rank < 8
}
