//! History tables: statistics of moves, for move ordering, pruning and reductions.
//!
//! Each entry moves towards `MAX` when its move does well and towards `-MAX` when it does
//! badly: `entry += bonus - entry · |bonus| / MAX` (gravity). So recent results count most and
//! no entry leaves ±`MAX`. The tables are kept from search to search, because consecutive
//! positions of a game are similar.
//!
//! Source: <https://www.chessprogramming.org/History_Heuristic>

use std::ops::{Index, IndexMut};

use crate::board::Board;
use crate::types::{Bitboard, Color, Depth, Move, Piece, PieceType, Square};

use super::corrections::Corrections;
use super::params;

/// Limit of every entry.
pub(super) const MAX: i32 = 8192;

/// History score of one move, between `-MAX` and `MAX`.
pub(super) type HistoryEntry = i16;

/// `[from][to]`
type FromTo = [[HistoryEntry; Square::COUNT]; Square::COUNT];
/// `[piece][to]`
type PieceTo = [[HistoryEntry; Square::COUNT]; Piece::COUNT];

/// Adds `bonus` to `entry`, less the gravity towards zero.
#[inline]
pub(super) fn gravity(entry: &mut HistoryEntry, bonus: i32) {
    debug_assert!(bonus.abs() <= MAX);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / MAX) as HistoryEntry;
}

/// Returns the bonus of a move that did well at this depth.
#[inline]
pub(super) fn bonus(depth: Depth) -> i32 {
    (params::hist_bonus_depth() * depth).min(params::hist_bonus_max())
}

/// Returns the malus, a negative bonus, of a move that failed before the best one.
#[inline]
pub(super) fn malus(depth: Depth) -> i32 {
    -(params::hist_malus_depth() * depth).min(params::hist_malus_max())
}

/// Piece and target square of a move, as one index of the continuation history: the row of the
/// earlier move, or the column of the later one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ContinuationRow(u16);

impl ContinuationRow {
    /// Row without a move: before the root and after null moves.
    pub(super) const NONE: Self = Self((Piece::COUNT * Square::COUNT) as u16);
    /// Number of rows.
    pub(super) const COUNT: usize = Piece::COUNT * Square::COUNT + 1;

    /// Returns the row of a move of `piece` to `to`.
    #[inline]
    pub(super) fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * Square::COUNT + to.index()) as u16)
    }

    /// Returns the index of the row, below [`COUNT`](Self::COUNT).
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Distances in plies to the earlier moves of the continuation history. The first two count most,
/// see [`QuietScores::of`].
pub(super) const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// Rows of the moves [`CONTINUATION_PLIES`] ago.
pub(super) type ContinuationRows = [ContinuationRow; CONTINUATION_PLIES.len()];

/// Table of `N` rows on the heap. The operating system zeroes its pages on first use.
pub(super) struct Table<T, const N: usize>(Box<[T; N]>);

impl<T: bytemuck::Zeroable, const N: usize> Table<T, N> {
    pub(super) fn new() -> Self {
        Self(bytemuck::allocation::zeroed_box())
    }

    pub(super) fn clear(&mut self) {
        bytemuck::write_zeroes(&mut *self.0);
    }
}

impl<T, const N: usize> Index<usize> for Table<T, N> {
    type Output = T;

    #[inline]
    fn index(&self, row: usize) -> &T {
        &self.0[row]
    }
}

impl<T, const N: usize> IndexMut<usize> for Table<T, N> {
    #[inline]
    fn index_mut(&mut self, row: usize) -> &mut T {
        &mut self.0[row]
    }
}

/// History tables of one thread.
pub(super) struct Histories {
    /// Butterfly history of quiet moves: `[side]`, `[from attacked][to attacked]` in one index,
    /// then `[from][to]`. Indexed by threats because moving out of or into an attacked square is a
    /// different decision.
    quiet: Table<[FromTo; 4], { Color::COUNT }>,
    /// Capture history, with queen promotions: `[victim, or 6 for none]`, then `[piece][to]`.
    noisy: Table<PieceTo, { PieceType::COUNT + 1 }>,
    /// Continuation history, quiet moves after an earlier move: `[earlier piece and
    /// to][piece and to]`.
    continuation: Table<[HistoryEntry; ContinuationRow::COUNT], { ContinuationRow::COUNT }>,
    /// Pawn history, quiet moves with the same pawn structure: `[pawn key]`, then `[piece][to]`.
    /// Keys with equal low bits share a row.
    pawn: Table<PieceTo, PAWN_ROWS>,
    pub(super) corrections: Corrections,
}

/// Small for speed: with 512 rows a node took 5 % more time than without pawn history, with 64
/// hardly any more (docs/performance.md).
const PAWN_ROWS: usize = 128;

impl Histories {
    pub(super) fn new() -> Self {
        Self {
            quiet: Table::new(),
            noisy: Table::new(),
            continuation: Table::new(),
            pawn: Table::new(),
            corrections: Corrections::new(),
        }
    }

    /// Clears all tables.
    pub(super) fn clear(&mut self) {
        self.quiet.clear();
        self.noisy.clear();
        self.continuation.clear();
        self.pawn.clear();
        self.corrections.clear();
    }

    /// Returns the history scores of the quiet moves of a position.
    #[inline]
    pub(super) fn quiet<'a>(&'a self, board: &'a Board, rows: ContinuationRows) -> QuietScores<'a> {
        QuietScores {
            board,
            threats: board.threats(),
            butterfly: &self.quiet[board.side_to_move().index()],
            continuation: rows.map(|row| &self.continuation[row.index()]),
            pawn: &self.pawn[pawn_row(board)],
        }
    }

    /// Returns the history score of a capture or queen promotion, within ±`MAX`.
    #[inline]
    pub(super) fn noisy(&self, board: &Board, mv: Move) -> i32 {
        let (piece, to) = (board.moved_piece(mv).index(), mv.to().index());
        i32::from(self.noisy[victim_index(board, mv)][piece][to])
    }

    /// Adds `bonus` to the histories of a quiet move.
    pub(super) fn update_quiet(
        &mut self,
        board: &Board,
        rows: ContinuationRows,
        mv: Move,
        bonus: i32,
    ) {
        let butterfly = &mut self.quiet[board.side_to_move().index()];
        let threat = threat_index(board.threats(), mv);
        gravity(&mut butterfly[threat][mv.from().index()][mv.to().index()], bonus);
        let piece = board.moved_piece(mv);
        gravity(&mut self.pawn[pawn_row(board)][piece.index()][mv.to().index()], bonus);
        self.update_continuation(rows, ContinuationRow::new(piece, mv.to()), bonus);
    }

    /// Adds `bonus` to the continuation history of a quiet move.
    ///
    /// Missing predecessors share [`ContinuationRow::NONE`], which is therefore updated more than
    /// once near the root and after null moves.
    pub(super) fn update_continuation(
        &mut self,
        rows: ContinuationRows,
        mv: ContinuationRow,
        bonus: i32,
    ) {
        for row in rows {
            gravity(&mut self.continuation[row.index()][mv.index()], bonus);
        }
    }

    /// Adds `bonus` to the capture history of a capture or queen promotion.
    pub(super) fn update_noisy(&mut self, board: &Board, mv: Move, bonus: i32) {
        let (piece, to) = (board.moved_piece(mv).index(), mv.to().index());
        gravity(&mut self.noisy[victim_index(board, mv)][piece][to], bonus);
    }
}

/// History scores of the quiet moves of one position, with the rows that all moves share looked up.
pub(super) struct QuietScores<'a> {
    board: &'a Board,
    threats: Bitboard,
    butterfly: &'a [FromTo; 4],
    continuation: [&'a [HistoryEntry; ContinuationRow::COUNT]; CONTINUATION_PLIES.len()],
    pawn: &'a PieceTo,
}

impl QuietScores<'_> {
    /// Returns the sum of a move's histories, within ±5 · `MAX`: the continuation histories of four
    /// and six plies ago count `hist_far` percent.
    #[inline]
    pub(super) fn of(&self, mv: Move) -> i32 {
        let butterfly =
            self.butterfly[threat_index(self.threats, mv)][mv.from().index()][mv.to().index()];
        let piece = self.board.moved_piece(mv);
        let pawn = i32::from(self.pawn[piece.index()][mv.to().index()]);
        let column = ContinuationRow::new(piece, mv.to()).index();
        let [last, second, fourth, sixth] = self.continuation.map(|row| i32::from(row[column]));
        i32::from(butterfly) + pawn + last + second + (fourth + sixth) * params::hist_far() / 100
    }
}

#[inline]
fn threat_index(threats: Bitboard, mv: Move) -> usize {
    usize::from(threats.contains(mv.from())) * 2 + usize::from(threats.contains(mv.to()))
}

#[inline]
fn pawn_row(board: &Board) -> usize {
    board.pawn_key().0 as usize % PAWN_ROWS
}

#[inline]
fn victim_index(board: &Board, mv: Move) -> usize {
    board.victim(mv).map_or(PieceType::COUNT, PieceType::index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::MAX_PLY;

    #[test]
    fn entries_stay_in_bounds() {
        for bonus in [-MAX, -1600, -1, 1, 160, 1600, MAX] {
            let mut entry = 0;
            for _ in 0..1000 {
                gravity(&mut entry, bonus);
                assert!(i32::from(entry).abs() <= MAX);
            }
            assert!(i32::from(entry).signum() == bonus.signum());
            gravity(&mut entry, -bonus.signum() * MAX);
            assert_eq!(i32::from(entry), -bonus.signum() * MAX);
        }
    }

    #[test]
    fn bonuses_are_in_bounds() {
        for depth in 0..MAX_PLY as Depth {
            assert!((0..=MAX).contains(&bonus(depth)) && (-MAX..=0).contains(&malus(depth)));
        }
    }

    #[test]
    fn updates_add_up_and_clear_resets() {
        let board = Board::startpos();
        let row = ContinuationRow::new(Piece::BlackKing, Square::H8);
        let rows = [row, ContinuationRow::NONE, row, ContinuationRow::NONE];
        let mv = board.parse_move("e2e4").expect("a legal move");
        let mut histories = Histories::new();
        histories.update_quiet(&board, rows, mv, 100);
        let score = histories.quiet(&board, rows).of(mv);
        assert!((700..=800).contains(&score));
        // Both rows were updated twice, so they hold the same scores.
        assert_eq!(histories.quiet(&board, [ContinuationRow::NONE; 4]).of(mv), score);
        histories.clear();
        assert_eq!(histories.quiet(&board, rows).of(mv), 0);
    }
}
