//! What earlier nodes say about moves: statistics that order moves and steer reductions.
//!
//! Each entry moves towards `MAX` when its move did well and towards `-MAX` when it did badly, the more slowly the nearer
//! it is: `entry += bonus - entry · |bonus| / MAX`. So recent results count most and no entry leaves ±`MAX`. The tables
//! outlive a search, since the next position of a game is much like the last.
//!
//! Source: <https://www.chessprogramming.org/History_Heuristic>

use std::ops::{Index, IndexMut};

use crate::board::Board;
use crate::types::{Bitboard, Color, Depth, Move, Piece, PieceType, Square};

use super::corrections::Corrections;
use super::params;

/// The bound of every entry.
pub(super) const MAX: i32 = 8192;

/// One statistic, between `-MAX` and `MAX`.
pub(super) type Entry = i16;

/// `[from][to]`
type FromTo = [[Entry; Square::COUNT]; Square::COUNT];
/// `[piece][to]`
type PieceTo = [[Entry; Square::COUNT]; Piece::COUNT];

/// Moves `entry` by `bonus`, less the pull back towards zero.
#[inline]
pub(super) fn gravity(entry: &mut Entry, bonus: i32) {
    debug_assert!(bonus.abs() <= MAX);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / MAX) as Entry;
}

/// What a move that did well at this depth gains.
#[inline]
pub(super) fn bonus(depth: Depth) -> i32 {
    (params::hist_bonus_depth() * depth).min(params::hist_bonus_max())
}

/// What a move that was tried in vain before it loses.
#[inline]
pub(super) fn malus(depth: Depth) -> i32 {
    -(params::hist_malus_depth() * depth).min(params::hist_malus_max())
}

/// A move as the continuation history knows it, by its piece and target: the row it opens for its successors, and its
/// place in the rows of its predecessors.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ContinuationRow(u16);

impl ContinuationRow {
    /// The row after no move: before the root and after null moves.
    pub(super) const NONE: Self = Self((Piece::COUNT * Square::COUNT) as u16);
    /// How many rows there are.
    pub(super) const COUNT: usize = Piece::COUNT * Square::COUNT + 1;

    /// The row of this piece's move to `to`.
    #[inline]
    pub(super) fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * Square::COUNT + to.index()) as u16)
    }

    /// Its number, below [`COUNT`](Self::COUNT).
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The plies back whose moves the continuation history looks at: the opponent's last move and our own before it say
/// most, and the two of our own before that a little.
///
/// Worth of the latter two at half weight, together with the lessons of second looks, the prior-move bonus and checks
/// exempt from late move pruning: 41 ± 20 Elo, 8 000 nodes a move (2026-11-21, docs/strength.md).
pub(super) const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// The rows of the moves [`CONTINUATION_PLIES`] ago.
pub(super) type ContinuationRows = [ContinuationRow; CONTINUATION_PLIES.len()];

/// A table of `N` rows on the heap, zeroed by the system when first used.
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

/// The statistics of one thread.
///
/// Worth of the pawn history, together with checks ordered early, praise for the table's move where it cuts off, and
/// evaluations that fade with the halfmove clock: 12 ± 16 Elo, 8 000 nodes a move (2026-11-21, docs/strength.md), which does
/// not decide it; moves were searched with the histories of when they were ordered from then on, too.
pub(super) struct Histories {
    /// Quiet moves: `[side]`, `[from attacked][to attacked]` in one index, then `[from][to]`. Leaving an attacked square,
    /// or entering one, is another matter than the same move in peace.
    quiet: Table<[FromTo; 4], { Color::COUNT }>,
    /// Captures and queen promotions: `[victim, or 6 for none]`, then `[piece][to]`.
    noisy: Table<PieceTo, { PieceType::COUNT + 1 }>,
    /// Quiet moves after an earlier one: `[earlier piece and to][piece and to]`.
    continuation: Table<[Entry; ContinuationRow::COUNT], { ContinuationRow::COUNT }>,
    /// Quiet moves with these pawns, on which plans depend: `[pawn key]`, then `[piece][to]`. Keys that agree in the low bits
    /// share a row.
    pawn: Table<PieceTo, PAWN_ROWS>,
    /// The errors of the evaluation.
    pub(super) corrections: Corrections,
}

/// Few: with 512 rows a node took 5 % more time than without any, with 64 hardly any more (docs/performance.md).
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

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.quiet.clear();
        self.noisy.clear();
        self.continuation.clear();
        self.pawn.clear();
        self.corrections.clear();
    }

    /// What is known of the quiet moves of a position.
    #[inline]
    pub(super) fn quiet<'a>(&'a self, board: &'a Board, rows: ContinuationRows) -> QuietScores<'a> {
        QuietScores {
            board,
            threats: board.threats(),
            own: &self.quiet[board.side_to_move().index()],
            continuation: rows.map(|row| &self.continuation[row.index()]),
            pawn: &self.pawn[pawn_row(board)],
        }
    }

    /// What is known of a capture or queen promotion: within ±`MAX`.
    #[inline]
    pub(super) fn noisy(&self, board: &Board, mv: Move) -> i32 {
        let (piece, to) = (board.moved_piece(mv).index(), mv.to().index());
        i32::from(self.noisy[victim_index(board, mv)][piece][to])
    }

    /// Learns about a quiet move.
    pub(super) fn update_quiet(
        &mut self,
        board: &Board,
        rows: ContinuationRows,
        mv: Move,
        bonus: i32,
    ) {
        let own = &mut self.quiet[board.side_to_move().index()];
        let threat = threat_index(board.threats(), mv);
        gravity(&mut own[threat][mv.from().index()][mv.to().index()], bonus);
        let piece = board.moved_piece(mv);
        gravity(&mut self.pawn[pawn_row(board)][piece.index()][mv.to().index()], bonus);
        self.update_continuation(rows, ContinuationRow::new(piece, mv.to()), bonus);
    }

    /// Learns about a quiet move, known by its piece and target, after the moves before it. Where there were none, at the
    /// root and after null moves, the row of no move learns, several times over near the root.
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

    /// Learns about a capture or queen promotion.
    pub(super) fn update_noisy(&mut self, board: &Board, mv: Move, bonus: i32) {
        let (piece, to) = (board.moved_piece(mv).index(), mv.to().index());
        gravity(&mut self.noisy[victim_index(board, mv)][piece][to], bonus);
    }
}

/// What is known of the quiet moves of one position, with all that they share looked up.
pub(super) struct QuietScores<'a> {
    board: &'a Board,
    threats: Bitboard,
    own: &'a [FromTo; 4],
    continuation: [&'a [Entry; ContinuationRow::COUNT]; CONTINUATION_PLIES.len()],
    pawn: &'a PieceTo,
}

impl QuietScores<'_> {
    /// What is known of a move: within ±5 · `MAX`, as those farther back count half.
    #[inline]
    pub(super) fn of(&self, mv: Move) -> i32 {
        let own = self.own[threat_index(self.threats, mv)][mv.from().index()][mv.to().index()];
        let piece = self.board.moved_piece(mv);
        let pawn = i32::from(self.pawn[piece.index()][mv.to().index()]);
        let place = ContinuationRow::new(piece, mv.to()).index();
        let [last, second, fourth, sixth] = self.continuation.map(|row| i32::from(row[place]));
        i32::from(own) + pawn + last + second + (fourth + sixth) * params::hist_far() / 100
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
    fn learning_and_forgetting() {
        let board = Board::startpos();
        let other = ContinuationRow::new(Piece::BlackKing, Square::H8);
        let rows = [other, ContinuationRow::NONE, other, ContinuationRow::NONE];
        let mv = board.parse_move("e2e4").expect("a legal move");
        let mut histories = Histories::new();
        histories.update_quiet(&board, rows, mv, 100);
        let with_others = histories.quiet(&board, rows).of(mv);
        assert!((700..=800).contains(&with_others));
        // Either row has learnt twice, the near ones count more.
        assert_eq!(histories.quiet(&board, [ContinuationRow::NONE; 4]).of(mv), with_others);
        histories.clear();
        assert_eq!(histories.quiet(&board, rows).of(mv), 0);
    }
}
