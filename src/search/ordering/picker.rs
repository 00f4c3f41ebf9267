//! Staged move picker: selects the legal moves of a node, most promising first.
//!
//! 1. TT move, before any move is generated;
//! 2. good noisy moves (captures and queen promotions that lose little or no material by SEE), by
//!    victim (MVV) and capture history;
//! 3. quiet moves, by butterfly, continuation and pawn history, with bonuses for checks and for
//!    escapes from lesser pieces;
//! 4. bad noisy moves.
//!
//! Later stages are generated only when needed, because most fail highs come from stages 1 and 2.
//! For the same reason moves are selected one at a time instead of sorted.
//!
//! Source: <https://www.chessprogramming.org/Move_Ordering>

use std::{array, mem};

use arrayvec::ArrayVec;

use crate::attacks;
use crate::board::{Board, GenKind, see};
use crate::search::params;
use crate::types::{
    Bitboard, ColorMap, Direction, File, Move, MoveList, PieceType, PieceTypeMap, Score, Square,
    SquareMap,
};

use super::history::{ContinuationRows, Histories, HistoryTerms};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Score of a move and its index in one number. The maximum belongs to the best move; among equal
/// scores, to the first. Moves already picked have the least score.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct SortKey(u32);

impl SortKey {
    /// Key of a move already picked.
    const PICKED: Self = Self(0);
    /// Score of such a move, below every other score.
    const PICKED_SCORE: i32 = -(1 << 20);

    #[inline]
    fn new(score: i32, index: usize) -> Self {
        debug_assert!((Self::PICKED_SCORE..-Self::PICKED_SCORE).contains(&score));
        Self(((score - Self::PICKED_SCORE) as u32) << 8 | u32::from(!(index as u8)))
    }

    #[inline]
    fn is_picked(self) -> bool {
        self.score() == Self::PICKED_SCORE
    }

    #[inline]
    fn score(self) -> i32 {
        (self.0 >> 8) as i32 + Self::PICKED_SCORE
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(!(self.0 as u8))
    }

    #[inline]
    fn raised(self, bonus: i32) -> Self {
        Self::new(self.score() + bonus, self.index())
    }
}

/// Numbers of 32 bits in a vector of 32 bytes, which the CPU compares at once.
const LANES: usize = 8;

/// A number for each move, in whole vectors: the last one is filled up.
type Vectors<T> = ArrayVec<[T; LANES], { 256 / LANES }>;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Selection {
    All,
    WithoutQuiet,
    /// Noisy moves that win at least this much by SEE.
    Noisy(Score),
}

pub(crate) struct MovePicker {
    stage: Stage,
    selection: Selection,
    tt_move: Option<Move>,
    /// Moves of the current stage.
    moves: MoveList,
    /// Keys of `moves`, filled up with keys of picked moves.
    keys: Vectors<SortKey>,
    /// History scores of `moves`.
    history_scores: Vectors<i32>,
    /// Index that [`upcoming`](Self::upcoming) found; no key has changed since.
    upcoming: Option<usize>,
    bad_noisy: ArrayVec<BadNoisy, 256>,
    bad_picked: usize,
}

/// Noisy move that SEE put off.
#[derive(Copy, Clone)]
struct BadNoisy {
    mv: Move,
    history: i16,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct PickedMove {
    pub(crate) mv: Move,
    /// Sum of the move's histories; 0 for the TT move.
    pub(crate) history: i32,
}

impl MovePicker {
    /// Creates a picker of all moves. `tt_move` must be legal.
    #[inline]
    pub(crate) fn new(tt_move: Option<Move>) -> Self {
        let stage = if tt_move.is_some() { Stage::TtMove } else { Stage::GenerateNoisy };
        Self {
            stage,
            selection: Selection::All,
            tt_move,
            moves: MoveList::new(),
            keys: Vectors::new(),
            history_scores: Vectors::new(),
            upcoming: None,
            bad_noisy: ArrayVec::new(),
            bad_picked: 0,
        }
    }

    /// Creates a picker of the noisy moves that win at least `see_threshold` by SEE, after a noisy
    /// `tt_move` whatever it wins.
    #[inline]
    pub(crate) fn noisy(tt_move: Option<Move>, see_threshold: Score) -> Self {
        let selection = Selection::Noisy(see_threshold);
        Self { selection, ..Self::new(tt_move.filter(|mv| !mv.is_quiet())) }
    }

    #[inline]
    pub(crate) fn skip_quiets(&mut self) {
        if self.selection == Selection::All {
            self.selection = Selection::WithoutQuiet;
        }
    }

    /// Returns whether the last picked move comes from stage 2.
    #[inline]
    pub(crate) fn is_good_noisy(&self) -> bool {
        self.stage == Stage::GoodNoisy
    }

    /// Returns whether the last picked move comes from stage 4, so that it loses material by SEE.
    #[inline]
    pub(crate) fn is_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    pub(crate) fn next(
        &mut self,
        board: &Board,
        histories: &Histories,
        rows: ContinuationRows,
    ) -> Option<PickedMove> {
        if self.stage == Stage::TtMove {
            self.stage = Stage::GenerateNoisy;
            return self.tt_move.map(|mv| PickedMove { mv, history: 0 });
        }
        if self.stage == Stage::GenerateNoisy {
            self.generate(GenKind::Noisy, board, |mv| MoveScore {
                history: histories.noisy(board, mv),
                rest: mvv_score(board, mv),
                may_check: false,
            });
            self.stage = Stage::GoodNoisy;
        }
        if self.stage == Stage::GoodNoisy {
            while let Some((picked, score)) = self.pick_best() {
                let PickedMove { mv, history } = picked;
                if board.see_ge(mv, self.see_threshold(score)) {
                    return Some(picked);
                }
                self.bad_noisy.push(BadNoisy { mv, history: history as i16 });
            }
            self.stage = match self.selection {
                Selection::Noisy(_) => Stage::Done,
                Selection::All | Selection::WithoutQuiet => Stage::GenerateQuiet,
            };
        }
        if self.stage == Stage::GenerateQuiet {
            if self.selection == Selection::All {
                let quiet = histories.quiet(board, rows);
                let bonuses = QuietBonuses::new(board);
                self.generate(GenKind::Quiet, board, |mv| {
                    let (rest, may_check) = bonuses.of(mv);
                    MoveScore { history: quiet.of(mv), rest, may_check }
                });
            }
            self.stage = Stage::Quiet;
        }
        if self.stage == Stage::Quiet {
            if self.selection == Selection::All
                && let Some((picked, _)) = self.pick_best()
            {
                return Some(picked);
            }
            self.stage = Stage::BadNoisy;
        }
        if self.stage == Stage::BadNoisy {
            if let Some(&BadNoisy { mv, history }) = self.bad_noisy.get(self.bad_picked) {
                self.bad_picked += 1;
                return Some(PickedMove { mv, history: history.into() });
            }
            self.stage = Stage::Done;
        }
        None
    }

    /// Returns the move that comes next in the current stage, if it has moves left. It may still be
    /// put off to a later stage, or skipped.
    #[inline]
    pub(crate) fn upcoming(&mut self) -> Option<Move> {
        match self.stage {
            Stage::GoodNoisy | Stage::Quiet => {
                self.upcoming = self.best_index();
                self.upcoming.map(|index| self.moves[index])
            }
            Stage::BadNoisy => self.bad_noisy.get(self.bad_picked).map(|picked| picked.mv),
            _ => None,
        }
    }

    /// Returns the SEE value that a good noisy move needs, in hundredths of a pawn: a high ordering
    /// score allows a loss in proportion.
    #[inline]
    fn see_threshold(&self, score: i32) -> Score {
        match self.selection {
            Selection::Noisy(threshold) => threshold,
            Selection::All | Selection::WithoutQuiet => {
                Score(-score / params::good_noisy_see_divisor()).min(Score::ZERO)
            }
        }
    }

    /// Generates moves, without the TT move, and scores them. Checks that do not lose much get a
    /// bonus.
    #[inline]
    fn generate(&mut self, kind: GenKind, board: &Board, score_move: impl Fn(Move) -> MoveScore) {
        self.moves.clear();
        self.keys.clear();
        self.history_scores.clear();
        board.generate(kind, &mut self.moves);
        self.remove_tt_move();
        for (vector, moves) in self.moves.chunks(LANES).enumerate() {
            // Lanes without a move keep this score.
            let mut rest = [SortKey::PICKED_SCORE; LANES];
            let (mut plain, mut hundredths) = ([0; LANES], [0; LANES]);
            let mut checks = 0u32;
            for (lane, &mv) in moves.iter().enumerate() {
                let score = score_move(mv);
                debug_assert!(score.history.sum() + score.rest > SortKey::PICKED_SCORE);
                (plain[lane], hundredths[lane]) = (score.history.plain, score.history.hundredths);
                rest[lane] = score.rest;
                checks |= u32::from(score.may_check) << lane;
            }
            // Loops over whole vectors, which the compiler vectorises.
            let history_scores = array::from_fn(|lane| {
                HistoryTerms { plain: plain[lane], hundredths: hundredths[lane] }.sum()
            });
            let mut keys = array::from_fn(|lane| {
                SortKey::new(history_scores[lane] + rest[lane], vector * LANES + lane)
            });
            // SEE has a loop of its own: without calls the first one keeps its data in registers.
            while checks != 0 {
                let lane = checks.trailing_zeros() as usize;
                checks &= checks - 1;
                if board.see_ge(moves[lane], Score(-params::order_check_see())) {
                    keys[lane] = keys[lane].raised(params::order_check());
                }
            }
            self.keys.push(keys);
            self.history_scores.push(history_scores);
        }
    }

    /// Removes the TT move, which has been picked. The others keep their order, which decides among
    /// equal scores.
    #[inline]
    fn remove_tt_move(&mut self) {
        let index =
            self.tt_move.and_then(|tt_move| self.moves.iter().position(|&mv| mv == tt_move));
        if let Some(index) = index {
            self.moves.remove(index);
        }
    }

    #[inline]
    fn pick_best(&mut self) -> Option<(PickedMove, i32)> {
        let index = self.upcoming.take().or_else(|| self.best_index())?;
        let key = mem::replace(&mut self.keys.as_flattened_mut()[index], SortKey::PICKED);
        let history = self.history_scores.as_flattened()[index];
        Some((PickedMove { mv: self.moves[index], history }, key.score()))
    }

    /// Not inlined at its three calls, because the vector code is long.
    #[inline(never)]
    fn best_index(&self) -> Option<usize> {
        let keys = self.keys.as_flattened().iter().copied();
        let best = keys.fold(SortKey::PICKED, SortKey::max);
        (!best.is_picked()).then(|| best.index())
    }
}

/// Terms of a move's ordering score.
struct MoveScore {
    history: HistoryTerms,
    /// MVV term of a noisy move, bonuses of a quiet one for threats and evasions.
    rest: i32,
    /// True if the move gets a bonus unless it loses too much by SEE.
    may_check: bool,
}

/// Ordering bonuses of quiet moves, for checks and threats.
///
/// A move out of the attack of a lesser piece gains, and a move into one loses, about in proportion
/// to the piece at risk. In check the king and lesser pieces move first: an interposed piece is
/// often lost.
///
/// A move gains from whose square a piece of greater value is attacked, and a pawn in front of its
/// own king loses by moving.
struct QuietBonuses<'a> {
    board: &'a Board,
    by_type: PieceTypeMap<TypeBonuses>,
}

/// Ordering bonuses of the moves of one piece type.
#[derive(Copy, Clone)]
struct TypeBonuses {
    /// Squares from which it gives check.
    checking: Bitboard,
    /// Squares that opposing pieces of lesser value attack; for pawns those in front of the own
    /// king, where they should stay.
    zone: Bitboard,
    /// For a move out of the zone; a move into it loses as much.
    zone_bonus: i32,
    /// Squares without a threat by a lesser piece from which it attacks a piece of greater value.
    offence: Bitboard,
    in_check: i32,
}

impl<'a> QuietBonuses<'a> {
    #[inline]
    fn new(board: &'a Board) -> Self {
        let (checking_squares, lesser_threats) = (board.checking_squares(), board.lesser_threats());
        let offence = offence_squares(board);
        let evasion = if board.in_check() { params::order_evasion() } else { 0 };
        let mut by_type = PieceTypeMap::new(PieceType::ALL.map(|piece_type| TypeBonuses {
            checking: checking_squares[piece_type.index()],
            zone: lesser_threats[piece_type],
            zone_bonus: threat_bonus(piece_type),
            offence: offence[piece_type] - lesser_threats[piece_type],
            in_check: -see::value(piece_type).0 * evasion,
        }));
        // No piece is less than a pawn.
        let pawn = &mut by_type[PieceType::Pawn];
        (pawn.zone, pawn.zone_bonus) = (king_pawns(board), -params::order_king_pawn());
        Self { board, by_type }
    }

    /// Returns the bonus for threats, and whether the moved piece gives check.
    #[inline]
    fn of(&self, mv: Move) -> (i32, bool) {
        let bonuses = &self.by_type[self.board.moved_piece(mv).piece_type()];
        let zone = bonuses.zone;
        let change = i32::from(zone.contains(mv.from())) - i32::from(zone.contains(mv.to()));
        let offence = if bonuses.offence.contains(mv.to()) { params::order_offence() } else { 0 };
        let bonus = change * bonuses.zone_bonus + bonuses.in_check + offence;
        (bonus, bonuses.checking.contains(mv.to()))
    }
}

/// Returns by piece type the squares from which it attacks an opposing piece of greater value: a
/// pawn any piece, a minor piece a rook or queen, a rook a queen.
#[inline]
fn offence_squares(board: &Board) -> PieceTypeMap<Bitboard> {
    let them = !board.side_to_move();
    let queens = board.pieces_of(them, PieceType::Queen);
    let majors = queens | board.pieces_of(them, PieceType::Rook);
    let minors =
        board.pieces_of(them, PieceType::Knight) | board.pieces_of(them, PieceType::Bishop);
    let occupied = board.occupied();
    let around = |targets: Bitboard, attacks: fn(Square, Bitboard) -> Bitboard| {
        targets.into_iter().fold(Bitboard::EMPTY, |set, target| set | attacks(target, occupied))
    };
    let behind = (majors | minors).forward(them);
    let pawns = behind.shift(Direction::East) | behind.shift(Direction::West);
    let knights = around(majors, |square, _| attacks::knight(square));
    let bishops = around(majors, attacks::bishop);
    let rooks = around(queens, attacks::rook);
    PieceTypeMap::new([pawns, knights, bishops, rooks, Bitboard::EMPTY, Bitboard::EMPTY])
}

/// Returns the pawns on the two ranks in front of the own king, on its file and beside it, while
/// the king is on its first two ranks.
#[inline]
fn king_pawns(board: &Board) -> Bitboard {
    let us = board.side_to_move();
    FRONTS[us][board.king_square(us)] & board.pieces_of(us, PieceType::Pawn)
}

/// Squares in front of a king, where its pawns should stay: `[color][king]`.
static FRONTS: ColorMap<SquareMap<Bitboard>> = fronts();

const fn fronts() -> ColorMap<SquareMap<Bitboard>> {
    let (mut white, mut black) = ([Bitboard::EMPTY; 64], [Bitboard::EMPTY; 64]);
    let (file_a, file_h) = (Bitboard::file(File::A).0, Bitboard::file(File::H).0);
    let mut king = 0;
    while king < 16 {
        let square = 1u64 << king;
        let wide = square | (square & !file_a) >> 1 | (square & !file_h) << 1;
        let front = wide << 8 | wide << 16;
        white[king] = Bitboard(front);
        black[king ^ 56] = Bitboard(front.swap_bytes());
        king += 1;
    }
    ColorMap::new([SquareMap::new(white), SquareMap::new(black)])
}

#[inline]
fn threat_bonus(piece_type: PieceType) -> i32 {
    match piece_type {
        PieceType::Pawn | PieceType::King => 0,
        PieceType::Knight | PieceType::Bishop => params::order_threat_minor(),
        PieceType::Rook => params::order_threat_rook(),
        PieceType::Queen => params::order_threat_queen(),
    }
}

/// Returns the MVV term: the values of victim and promotion piece. Underpromotions with a
/// capture come last. In check the capturing piece counts more than the victim, lesser pieces
/// first, as for quiet evasions: the capture is forced, and the piece may be taken back.
#[inline]
fn mvv_score(board: &Board, mv: Move) -> i32 {
    let evasion = if board.in_check() {
        see::value(board.moved_piece(mv).piece_type()).0 * params::order_evasion_noisy()
    } else {
        0
    };
    let victim = board.victim(mv).map_or(0, |victim| see::value(victim).0);
    let promotion = match mv.promotion() {
        Some(PieceType::Queen) => see::value(PieceType::Queen).0,
        Some(_) => -see::value(PieceType::Queen).0,
        None => 0,
    };
    (victim + promotion) * params::noisy_victim_factor() - evasion
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::ordering::PieceTo;

    const ROWS: ContinuationRows = [PieceTo::NONE; 4];

    fn drain(picker: &mut MovePicker, board: &Board) -> Vec<Move> {
        let histories = Histories::new().expect("two megabytes");
        std::iter::from_fn(|| picker.next(board, &histories, ROWS))
            .map(|picked| picked.mv)
            .collect()
    }

    #[test]
    fn every_legal_move_is_picked_once() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        ] {
            let board = Board::from_fen(fen).expect("a legal position");
            let mut expected: Vec<_> = board.legal_moves().iter().map(|mv| mv.bits()).collect();
            expected.sort_unstable();
            for tt_move in std::iter::once(None).chain(board.legal_moves().into_iter().map(Some)) {
                let picked = drain(&mut MovePicker::new(tt_move), &board);
                if tt_move.is_some() {
                    assert_eq!(picked.first().copied(), tt_move);
                }
                let mut picked: Vec<_> = picked.iter().map(|mv| mv.bits()).collect();
                picked.sort_unstable();
                assert_eq!(picked, expected);
            }
        }
    }

    #[test]
    fn equal_scores_keep_generation_order() {
        // Without pawns in front of the king, all quiet moves have the same score.
        let board = Board::from_fen("4k3/8/8/8/4K3/8/PPP5/8 w - - 0 1").expect("a legal position");
        let mut moves = MoveList::new();
        board.generate(GenKind::Quiet, &mut moves);
        assert_eq!(drain(&mut MovePicker::new(None), &board), moves[..]);
    }

    #[test]
    fn the_upcoming_move_is_picked_next() {
        let histories = Histories::new().expect("two megabytes");
        // The second position has losing captures.
        for fen in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/2p1p3/3p1p2/8/4N3/8/3QK3 w - - 0 1"] {
            let board = Board::from_fen(fen).expect("legal");
            let mut picker = MovePicker::new(None);
            assert_eq!(picker.upcoming(), None);
            let mut announced = 0;
            let mut expected = None;
            while let Some(PickedMove { mv, .. }) = picker.next(&board, &histories, ROWS) {
                assert!(expected.is_none_or(|expected| expected == mv), "{mv:?} in {fen}");
                // A good noisy move may be put off by SEE.
                expected = picker.upcoming().filter(|_| !picker.is_good_noisy());
                announced += usize::from(expected.is_some());
            }
            assert_eq!((expected, picker.upcoming()), (None, None));
            assert!(announced + 4 >= board.legal_moves().len(), "{announced} in {fen}");
        }
    }

    #[test]
    fn sort_keys_compare_by_score_then_by_index() {
        let scores = [-300_000, -1, 0, 1, 300_000];
        for pair in scores.windows(2) {
            let worse = SortKey::new(pair[0], 0);
            assert!(SortKey::PICKED < worse && worse < SortKey::new(pair[1], 255));
        }
        for slot in 0..256 {
            let key = SortKey::new(-7, slot);
            assert_eq!((key.score(), key.index()), (-7, slot));
            assert!(slot == 0 || key < SortKey::new(-7, slot - 1));
        }
    }

    #[test]
    fn losing_captures_come_last() {
        let board = Board::from_fen("4k3/8/2p5/3p1p2/8/4N3/8/3QK3 w - - 0 1").expect("legal");
        let picked = drain(&mut MovePicker::new(None), &board);
        let text = |mv: &Move| mv.display(false).to_string();
        assert_eq!(text(&picked[0]), "e3f5");
        assert_eq!(text(picked.last().expect("moves")), "d1d5");
        let mut picker = MovePicker::new(None);
        picker.skip_quiets();
        assert_eq!(drain(&mut picker, &board).len(), 3);
        assert_eq!(drain(&mut MovePicker::noisy(None, Score::ZERO), &board).len(), 1);
        assert_eq!(drain(&mut MovePicker::noisy(None, Score(500)), &board).len(), 0);
    }
}
