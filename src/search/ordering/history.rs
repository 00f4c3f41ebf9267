//! History tables: statistics of moves, for move ordering, pruning and reductions.
//!
//! Entries follow the gravity of `statistics.rs`. They are kept from search to search, because
//! consecutive positions of a game are similar.
//!
//! Source: <https://www.chessprogramming.org/History_Heuristic>

use std::io;

use crate::board::Board;
use crate::search::params;
use crate::types::{Bitboard, Color, Depth, Indexed, Move, PieceType, Square};

use super::corrections::Corrections;
use super::statistics::{LowBits, MAX_ENTRY, PieceTo, StatisticsRow, StatisticsTable, gravity};

/// Plies between a move and its predecessors in the continuation history: after one ply it is also
/// called countermove history, after two follow-up history.
pub(crate) const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

pub(crate) type ContinuationRows = [PieceTo; CONTINUATION_PLIES.len()];

#[inline]
pub(crate) fn bonus(depth: Depth) -> i32 {
    (params::hist_bonus_depth() * depth).min(params::hist_bonus_max())
}

/// Returns the bonus of the best quiet move of a node that searched `others` more of them. It grows
/// with them, because the move was ordered too low.
#[inline]
pub(crate) fn grown_bonus(bonus: i32, others: usize) -> i32 {
    let growth = params::hist_bonus_growth() * others.min(20) as i32;
    (bonus + bonus * growth / 100).min(MAX_ENTRY)
}

/// Returns the malus, a negative bonus.
#[inline]
pub(crate) fn malus(depth: Depth) -> i32 {
    -i32::min(params::hist_malus_depth() * depth, params::hist_malus_max())
}

/// Returns the malus of a quiet move after `index` others. It is smaller for later moves, whose
/// failure was expected.
#[inline]
pub(crate) fn decayed_malus(depth: Depth, index: usize) -> i32 {
    let percent = 100 - params::hist_malus_decay() * index.min(100) as i32;
    malus(depth) * percent.max(params::hist_malus_min()) / 100
}

/// Returns the bonus or malus of a quiet move by its gain: how much it raised the static evaluation
/// of its mover, in hundredths of a pawn.
#[inline]
pub(crate) fn gain_bonus(gain: i32) -> i32 {
    let limit = params::hist_gain_limit();
    (gain.clamp(-limit, limit) + params::hist_gain_tempo()) * params::hist_gain()
}

type PieceToTable<R, const ROWS: usize> = StatisticsTable<R, PieceTo, ROWS, { PieceTo::COUNT }>;

pub(crate) struct Histories {
    /// Butterfly history of quiet moves: `[side][from attacked, to attacked, from, to]`. Moving out
    /// of or into an attacked square is a different decision.
    butterfly: StatisticsTable<Color, ThreatFromTo, { Color::COUNT }, { ThreatFromTo::COUNT }>,
    /// Capture history, with queen promotions: `[victim, defended][piece and to]`.
    noisy: PieceToTable<VictimRow, { VictimRow::COUNT }>,
    /// Continuation history of quiet moves: `[earlier piece and to][piece and to]`.
    continuation: PieceToTable<PieceTo, { PieceTo::COUNT }>,
    /// Pawn history of quiet moves: `[pawn key][piece and to]`.
    pawn: PieceToTable<PawnRow, PAWN_ROWS>,
    pub(crate) corrections: Corrections,
}

/// Few rows, for speed: lab/performance.md.
const PAWN_ROWS: usize = 128;

type PawnRow = LowBits<PAWN_ROWS>;

/// Column of the butterfly history.
#[derive(Copy, Clone)]
struct ThreatFromTo {
    is_from_attacked: bool,
    is_to_attacked: bool,
    mv: Move,
}

impl ThreatFromTo {
    const COUNT: usize = 4 * Square::COUNT * Square::COUNT;

    #[inline]
    fn new(threats: Bitboard, mv: Move) -> Self {
        Self {
            is_from_attacked: threats.contains(mv.from()),
            is_to_attacked: threats.contains(mv.to()),
            mv,
        }
    }
}

impl Indexed for ThreatFromTo {
    #[inline]
    fn index(self) -> usize {
        let threats = usize::from(self.is_from_attacked) * 2 + usize::from(self.is_to_attacked);
        (threats * Square::COUNT + self.mv.from().index()) * Square::COUNT + self.mv.to().index()
    }
}

/// Row of the capture history.
#[derive(Copy, Clone)]
struct VictimRow {
    /// `None` for a promotion without capture.
    victim: Option<PieceType>,
    is_defended: bool,
}

impl VictimRow {
    const COUNT: usize = 2 * (PieceType::COUNT + 1);
}

impl Indexed for VictimRow {
    #[inline]
    fn index(self) -> usize {
        let victim = self.victim.map_or(PieceType::COUNT, PieceType::index);
        2 * victim + usize::from(self.is_defended)
    }
}

impl Histories {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            butterfly: StatisticsTable::new()?,
            noisy: StatisticsTable::new()?,
            continuation: StatisticsTable::new()?,
            pawn: StatisticsTable::new()?,
            corrections: Corrections::new()?,
        })
    }

    pub(crate) fn clear(&mut self) {
        self.butterfly.clear();
        self.noisy.clear();
        self.continuation.clear();
        self.pawn.clear();
        self.corrections.clear();
    }

    #[inline]
    pub(crate) fn quiet<'a>(&'a self, board: &'a Board, rows: ContinuationRows) -> QuietScores<'a> {
        QuietScores {
            board,
            threats: board.threats(),
            butterfly: self.butterfly.row(board.side_to_move()),
            continuation: rows.map(|row| self.continuation.row(row)),
            pawn: self.pawn.row(PawnRow::new(board.pawn_key())),
        }
    }

    /// Returns the history terms of a capture or queen promotion. Their sum is within ±`MAX_ENTRY`.
    #[inline]
    pub(crate) fn noisy(&self, board: &Board, mv: Move) -> HistoryTerms {
        HistoryTerms { plain: self.noisy[noisy_index(board, mv)].into(), hundredths: 0 }
    }

    pub(crate) fn update_quiet(
        &mut self,
        board: &Board,
        rows: ContinuationRows,
        mv: Move,
        bonus: i32,
    ) {
        self.update_butterfly(board.side_to_move(), board.threats(), mv, bonus);
        let piece_to = PieceTo::new(board.moved_piece(mv), mv.to());
        self.update_pawn(board, piece_to, bonus);
        self.update_continuation(rows, piece_to, bonus * params::hist_continuation() / 100);
    }

    /// Adds `bonus` for a move of `side`, made where the opponent attacked `threats`.
    pub(crate) fn update_butterfly(
        &mut self,
        side: Color,
        threats: Bitboard,
        mv: Move,
        bonus: i32,
    ) {
        gravity(&mut self.butterfly[(side, ThreatFromTo::new(threats, mv))], bonus);
    }

    /// Adds `bonus` for a move with the pawns on the board.
    pub(crate) fn update_pawn(&mut self, board: &Board, mv: PieceTo, bonus: i32) {
        gravity(&mut self.pawn[(PawnRow::new(board.pawn_key()), mv)], bonus);
    }

    /// Adds `bonus` in the row of each predecessor. Missing ones share [`PieceTo::NONE`].
    pub(crate) fn update_continuation(&mut self, rows: ContinuationRows, mv: PieceTo, bonus: i32) {
        for row in rows {
            gravity(&mut self.continuation[(row, mv)], bonus);
        }
    }

    pub(crate) fn update_noisy(&mut self, board: &Board, mv: Move, bonus: i32) {
        gravity(&mut self.noisy[noisy_index(board, mv)], bonus);
    }
}

#[inline]
fn noisy_index(board: &Board, mv: Move) -> (VictimRow, PieceTo) {
    let row =
        VictimRow { victim: board.victim(mv), is_defended: board.threats().contains(mv.to()) };
    (row, PieceTo::new(board.moved_piece(mv), mv.to()))
}

/// Quiet histories of one position. The rows that all moves share are looked up once.
pub(crate) struct QuietScores<'a> {
    board: &'a Board,
    threats: Bitboard,
    butterfly: StatisticsRow<'a, ThreatFromTo, { ThreatFromTo::COUNT }>,
    continuation: [StatisticsRow<'a, PieceTo, { PieceTo::COUNT }>; CONTINUATION_PLIES.len()],
    pawn: StatisticsRow<'a, PieceTo, { PieceTo::COUNT }>,
}

impl QuietScores<'_> {
    /// Returns the terms of a move's histories, of which those of earlier moves count `hist_last`,
    /// `hist_second` and `hist_far` percent, as far as they exceed the usual `hist_usual`.
    #[inline]
    pub(crate) fn of(&self, mv: Move) -> HistoryTerms {
        let butterfly = self.butterfly.get(ThreatFromTo::new(self.threats, mv));
        let piece_to = PieceTo::new(self.board.moved_piece(mv), mv.to());
        let [last, second, fourth, sixth] =
            self.continuation.each_ref().map(|row| row.get(piece_to));
        HistoryTerms {
            plain: butterfly + self.pawn.get(piece_to) - params::hist_usual(),
            hundredths: last * params::hist_last()
                + second * params::hist_second()
                + (fourth + sixth) * params::hist_far(),
        }
    }
}

/// Terms of a history score, kept apart so that the sums of many moves are computed at once.
#[derive(Copy, Clone)]
pub(crate) struct HistoryTerms {
    pub(crate) plain: i32,
    pub(crate) hundredths: i32,
}

impl HistoryTerms {
    /// Returns the sum of the move's histories.
    #[inline]
    pub(crate) fn sum(self) -> i32 {
        self.plain + self.hundredths / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MAX_PLY, Piece};

    #[test]
    fn bonuses_are_in_bounds() {
        for depth in 0..MAX_PLY as Depth {
            let grown = grown_bonus(bonus(depth), 99);
            assert!((0..=MAX_ENTRY).contains(&bonus(depth)));
            assert!((-MAX_ENTRY..=0).contains(&malus(depth)));
            assert!((bonus(depth)..=MAX_ENTRY).contains(&grown));
        }
    }

    #[test]
    fn bonuses_grow_with_the_gain_up_to_a_limit() {
        let bonuses: Vec<i32> = (-200..=200).map(gain_bonus).collect();
        assert!(bonuses.is_sorted() && bonuses.iter().all(|bonus| bonus.abs() <= MAX_ENTRY));
        assert_eq!(gain_bonus(-params::hist_gain_tempo()), 0);
        assert_eq!(gain_bonus(200), gain_bonus(params::hist_gain_limit()));
        assert!(gain_bonus(200) > gain_bonus(params::hist_gain_limit() - 1));
    }

    #[test]
    fn updates_add_up_and_clear_resets() {
        let board = Board::startpos();
        let row = PieceTo::new(Piece::BlackKing, Square::H8);
        let rows = [row, PieceTo::NONE, row, PieceTo::NONE];
        let mv = board.parse_move("e2e4").expect("a legal move");
        let mut histories = Histories::new().expect("two megabytes");
        histories.update_quiet(&board, rows, mv, 100);
        let score = histories.quiet(&board, rows).of(mv).sum() + params::hist_usual();
        // Two tables of nearly 100, and four rows of which each was updated twice.
        let weights = params::hist_last() + params::hist_second() + 2 * params::hist_far();
        let sum = 200 + 2 * weights * params::hist_continuation() / 100;
        assert!((sum * 8 / 10..=sum).contains(&score), "{score}");
        // Both rows were updated twice, so they hold the same scores.
        let other = histories.quiet(&board, [PieceTo::NONE; 4]).of(mv).sum();
        assert_eq!(other + params::hist_usual(), score);
        histories.clear();
        assert_eq!(histories.quiet(&board, rows).of(mv).sum(), -params::hist_usual());
    }
}
