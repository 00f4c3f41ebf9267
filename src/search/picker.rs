//! The move picker: legal moves, the most promising first, each stage made only when the search gets to it.
//!
//! 1. the transposition table's move, before anything is generated;
//! 2. good noisy moves (captures and queen promotions that lose no material, or little where their history is good), by
//!    victim and capture history;
//! 3. quiet moves, by butterfly, continuation and pawn history, checks rather early;
//! 4. bad noisy moves.
//!
//! Most nodes that fail high do so in stage 1 or 2 and never pay for the rest. Within a stage the best is selected one at
//! a time, since a full sort is seldom used up.
//!
//! Source: <https://www.chessprogramming.org/Move_Ordering>

use arrayvec::ArrayVec;

use crate::board::{Board, GenKind, see};
use crate::types::{Bitboard, Move, MoveList, PieceType, Score};

use super::history::{ContinuationRows, Histories};
use super::params;

/// How far the picker has come.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    TtMove,
    MakeNoisy,
    GoodNoisy,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// A score and a move's place in the list, in one number that compares as the score does and, among equals, prefers the
/// first: so the best is a maximum, which the processor finds eight at a time.
type Key = u32;

/// The key of a move that was dealt out; of no other.
const DEALT: Key = 0;
/// Makes every score a positive number. No score comes near it.
const BIAS: i32 = 1 << 20;

#[inline]
fn key(score: i32, index: usize) -> Key {
    debug_assert!(score.abs() < BIAS);
    ((score + BIAS) as Key) << 8 | Key::from(!(index as u8))
}

#[inline]
fn index(key: Key) -> usize {
    usize::from(!(key as u8))
}

#[inline]
fn score(key: Key) -> i32 {
    (key >> 8) as i32 - BIAS
}

/// Which moves a picker deals out.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Range {
    All,
    /// Good noisy moves and, after them, bad ones.
    WithoutQuiet,
    /// Only noisy moves that lose no material.
    Safe,
}

/// Deals out the moves of one node.
pub(super) struct MovePicker {
    stage: Stage,
    range: Range,
    tt_move: Option<Move>,
    /// The moves of the present stage, as generated.
    moves: MoveList,
    /// Their keys.
    keys: ArrayVec<Key, 256>,
    /// What the histories say of them.
    histories: ArrayVec<i32, 256>,
    bad_noisy: ArrayVec<Dealt, 256>,
    /// How many of these were dealt out.
    bad_dealt: usize,
}

/// A move, and what the histories say of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Dealt {
    pub(super) mv: Move,
    /// 0 for the table's move, which comes first and needs no praise.
    pub(super) history: i32,
}

impl MovePicker {
    /// All legal moves. `tt_move` must be legal.
    #[inline]
    pub(super) fn new(tt_move: Option<Move>) -> Self {
        let stage = if tt_move.is_some() { Stage::TtMove } else { Stage::MakeNoisy };
        Self {
            stage,
            range: Range::All,
            tt_move,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            histories: ArrayVec::new(),
            bad_noisy: ArrayVec::new(),
            bad_dealt: 0,
        }
    }

    /// Only the noisy moves that lose no material, and `tt_move` if it is noisy.
    #[inline]
    pub(super) fn safe_noisy(tt_move: Option<Move>) -> Self {
        Self { range: Range::Safe, ..Self::new(tt_move.filter(|mv| !mv.is_quiet())) }
    }

    /// Leaves out the quiet moves from now on.
    #[inline]
    pub(super) fn skip_quiets(&mut self) {
        if self.range == Range::All {
            self.range = Range::WithoutQuiet;
        }
    }

    /// Whether the last move is a noisy one that loses no material, or little where its history is good.
    #[inline]
    pub(super) fn is_good_noisy(&self) -> bool {
        self.stage == Stage::GoodNoisy
    }

    /// The next move.
    pub(super) fn next(
        &mut self,
        board: &Board,
        histories: &Histories,
        rows: ContinuationRows,
    ) -> Option<Dealt> {
        if self.stage == Stage::TtMove {
            self.stage = Stage::MakeNoisy;
            return self.tt_move.map(|mv| Dealt { mv, history: 0 });
        }
        if self.stage == Stage::MakeNoisy {
            self.make(GenKind::Noisy, board, |mv| (histories.noisy(board, mv), gain(board, mv)));
            self.stage = Stage::GoodNoisy;
        }
        if self.stage == Stage::GoodNoisy {
            while let Some((dealt, score)) = self.pick_best() {
                if board.see_ge(dealt.mv, self.least_gain(score)) {
                    return Some(dealt);
                }
                self.bad_noisy.push(dealt);
            }
            self.stage = match self.range {
                Range::Safe => Stage::Done,
                Range::All | Range::WithoutQuiet => Stage::MakeQuiet,
            };
        }
        if self.stage == Stage::MakeQuiet {
            if self.range == Range::All {
                let quiet = histories.quiet(board, rows);
                let checks = QuietChecks::new(board);
                self.make(GenKind::Quiet, board, |mv| (quiet.of(mv), checks.bonus(mv)));
            }
            self.stage = Stage::Quiet;
        }
        if self.stage == Stage::Quiet {
            if self.range == Range::All
                && let Some((dealt, _)) = self.pick_best()
            {
                return Some(dealt);
            }
            self.stage = Stage::BadNoisy;
        }
        if self.stage == Stage::BadNoisy {
            if let Some(&dealt) = self.bad_noisy.get(self.bad_dealt) {
                self.bad_dealt += 1;
                return Some(dealt);
            }
            self.stage = Stage::Done;
        }
        None
    }

    /// What the exchange must gain for a noisy move to be a good one: a little may be lost where its history is good.
    #[inline]
    fn least_gain(&self, score: i32) -> Score {
        match self.range {
            Range::Safe => Score::ZERO,
            Range::All | Range::WithoutQuiet => {
                Score(-score / params::good_noisy_see_divisor()).min(Score::ZERO)
            }
        }
    }

    /// Puts the moves of a kind in the place of those before, ordered by the sum of what `judge` says of each: first what
    /// the histories say, then what else there is. The table's move is dealt out already.
    #[inline]
    fn make(&mut self, kind: GenKind, board: &Board, judge: impl Fn(Move) -> (i32, i32)) {
        self.moves.clear();
        self.keys.clear();
        self.histories.clear();
        board.generate(kind, &mut self.moves);
        for (index, &mv) in self.moves.iter().enumerate() {
            let (history, rest) = judge(mv);
            let is_dealt = Some(mv) == self.tt_move;
            self.keys.push(if is_dealt { DEALT } else { key(history + rest, index) });
            self.histories.push(history);
        }
    }

    /// Takes the move with the highest score out of those to come, with this score; among equals the first generated.
    #[inline]
    fn pick_best(&mut self) -> Option<(Dealt, i32)> {
        let best = self.keys.iter().copied().fold(DEALT, Key::max);
        if best == DEALT {
            return None;
        }
        let index = index(best);
        self.keys[index] = DEALT;
        Some((Dealt { mv: self.moves[index], history: self.histories[index] }, score(best)))
    }
}

/// The quiet moves that give check by the piece that moves; castling and discovered checks are not looked for.
struct QuietChecks<'a> {
    board: &'a Board,
    squares: [Bitboard; PieceType::COUNT],
}

impl<'a> QuietChecks<'a> {
    #[inline]
    fn new(board: &'a Board) -> Self {
        Self { board, squares: board.checking_squares() }
    }

    /// What a check adds to a move's score, in units of the histories, if it loses little by exchanges: it forces an answer.
    /// Worth: see [`Histories`].
    /// Source: <https://www.chessprogramming.org/Move_Ordering>
    #[inline]
    fn bonus(&self, mv: Move) -> i32 {
        let piece_type = self.board.moved_piece(mv).piece_type();
        let gives_check = self.squares[piece_type.index()].contains(mv.to());
        let least_gain = Score(-params::order_check_see());
        if gives_check && self.board.see_ge(mv, least_gain) { params::order_check() } else { 0 }
    }
}

/// The most valuable victim comes first; among equals what has done well.
#[inline]
fn gain(board: &Board, mv: Move) -> i32 {
    let victim = board.victim(mv).map_or(0, |victim| see::value(victim).0);
    let promotion = match mv.promotion() {
        Some(PieceType::Queen) => see::value(PieceType::Queen).0,
        // Underpromotions come last: they are hardly ever better than the queen.
        Some(_) => -see::value(PieceType::Queen).0,
        None => 0,
    };
    (victim + promotion) * params::noisy_victim_factor()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::history::ContinuationRow;

    const ROWS: ContinuationRows = [ContinuationRow::NONE; 4];

    fn drain(picker: &mut MovePicker, board: &Board) -> Vec<Move> {
        let histories = Histories::new();
        std::iter::from_fn(|| picker.next(board, &histories, ROWS)).map(|dealt| dealt.mv).collect()
    }

    #[test]
    fn every_legal_move_once() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        ] {
            let board = Board::from_fen(fen).expect("a legal position");
            let mut expected: Vec<_> = board.legal_moves().iter().map(|mv| mv.bits()).collect();
            expected.sort_unstable();
            for tt_move in std::iter::once(None).chain(board.legal_moves().into_iter().map(Some)) {
                let dealt = drain(&mut MovePicker::new(tt_move), &board);
                if tt_move.is_some() {
                    assert_eq!(dealt.first().copied(), tt_move);
                }
                let mut dealt: Vec<_> = dealt.iter().map(|mv| mv.bits()).collect();
                dealt.sort_unstable();
                assert_eq!(dealt, expected);
            }
        }
    }

    #[test]
    fn equals_come_as_generated() {
        let board = Board::startpos();
        let mut moves = MoveList::new();
        board.generate(GenKind::Quiet, &mut moves);
        assert_eq!(drain(&mut MovePicker::new(None), &board), moves[..]);
    }

    #[test]
    fn keys_compare_as_scores_and_then_by_place() {
        let scores = [-300_000, -1, 0, 1, 300_000];
        for pair in scores.windows(2) {
            assert!(DEALT < key(pair[0], 0) && key(pair[0], 0) < key(pair[1], 255));
        }
        for place in 0..256 {
            assert_eq!((score(key(-7, place)), index(key(-7, place))), (-7, place));
            assert!(place == 0 || key(-7, place) < key(-7, place - 1));
        }
    }

    #[test]
    fn losing_captures_come_last() {
        let board = Board::from_fen("4k3/8/2p5/3p1p2/8/4N3/8/3QK3 w - - 0 1").expect("legal");
        let dealt = drain(&mut MovePicker::new(None), &board);
        let text = |mv: &Move| mv.display(false).to_string();
        assert_eq!(text(&dealt[0]), "e3f5");
        assert_eq!(text(dealt.last().expect("moves")), "d1d5");
        let mut picker = MovePicker::new(None);
        picker.skip_quiets();
        assert_eq!(drain(&mut picker, &board).len(), 3);
        assert_eq!(drain(&mut MovePicker::safe_noisy(None), &board).len(), 1);
    }
}
