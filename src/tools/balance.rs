//! Material that a line wins and loses.

use crate::board::Board;
use crate::types::{Color, Move, PieceType, PieceTypeMap, Score};

/// Plies of a line that are shown and whose material counts.
const LINE_PLIES: usize = 12;

/// Pieces that a side loses and wins. Pieces of a type that both sides lose are exchanged and do
/// not count.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct MaterialChange {
    /// Pieces that the side loses, less those that it wins.
    lost: PieceTypeMap<i32>,
}

impl MaterialChange {
    /// Compares the material of a position with that of a later one.
    pub(super) fn between(before: &Board, after: &Board, side: Color) -> Self {
        let losses = |color: Color, kind: PieceType| {
            let count = |board: &Board| board.pieces_of(color, kind).count() as i32;
            count(before) - count(after)
        };
        let lost = PieceType::ALL.map(|kind| losses(side, kind) - losses(!side, kind));
        Self { lost: PieceTypeMap::new(lost) }
    }

    /// Returns what the side wins, in pawns (1, 3, 3, 5, 9); negative if it loses more.
    pub(super) fn balance(&self) -> i32 {
        const PAWNS: PieceTypeMap<i32> = PieceTypeMap::new([1, 3, 3, 5, 9, 0]);
        PieceType::ALL.into_iter().map(|kind| -PAWNS[kind] * self.lost[kind]).sum()
    }

    /// Returns whether the side loses a piece of this type.
    pub(super) fn has_lost(&self, kind: PieceType) -> bool {
        self.lost[kind] > 0
    }

    /// Returns the piece that the side loses if it loses no other and wins none.
    pub(super) fn only_lost(&self) -> Option<PieceType> {
        let mut changed = PieceType::ALL.into_iter().filter(|&kind| self.lost[kind] != 0);
        let kind = changed.next()?;
        (changed.next().is_none() && self.lost[kind] == 1).then_some(kind)
    }

    /// Lists the lost pieces: `a rook, a knight and 2 pawns`. Empty for none.
    pub(super) fn lost_text(&self) -> String {
        self.list(|count| count)
    }

    /// Lists the won pieces.
    pub(super) fn won_text(&self) -> String {
        self.list(|count| -count)
    }

    fn list(&self, view: impl Fn(i32) -> i32) -> String {
        let counted = |kind| counted(kind, view(self.lost[kind]));
        joined(&PieceType::ALL.into_iter().rev().filter_map(counted).collect::<Vec<_>>())
    }
}

/// Returns the part of a line that is shown.
pub(super) fn shown(line: &[Move]) -> &[Move] {
    &line[..line.len().min(LINE_PLIES)]
}

/// Returns the last quiet position of a line with the number of moves before it. A line may end in
/// the middle of an exchange. `None` if no position is quiet.
pub(super) fn quiet_end(board: &Board, line: &[Move]) -> Option<(usize, Board)> {
    let mut end = board.clone();
    line.iter().for_each(|&mv| end.make_move(mv));
    let mut plies = line.len();
    while !is_quiet(&end) {
        plies = plies.checked_sub(1)?;
        end.unmake_move();
    }
    Some((plies, end))
}

/// Returns whether the side to move is not in check, and no capture or promotion wins material by
/// SEE.
pub(super) fn is_quiet(board: &Board) -> bool {
    let wins = |mv: Move| (mv.is_capture() || mv.is_promotion()) && board.see_ge(mv, Score(1));
    !board.in_check() && !board.legal_moves().into_iter().any(wins)
}

pub(super) const fn piece_name(kind: PieceType) -> &'static str {
    match kind {
        PieceType::Pawn => "pawn",
        PieceType::Knight => "knight",
        PieceType::Bishop => "bishop",
        PieceType::Rook => "rook",
        PieceType::Queen => "queen",
        PieceType::King => "king",
    }
}

/// Returns `a rook` or `2 rooks`; `None` for none.
fn counted(kind: PieceType, count: i32) -> Option<String> {
    let name = piece_name(kind);
    match count {
        1 => Some(format!("a {name}")),
        2.. => Some(format!("{count} {name}s")),
        _ => None,
    }
}

/// Joins words: `a rook, a knight and 2 pawns`.
fn joined(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).expect("a position")
    }

    #[test]
    fn exchanged_pieces_do_not_count() {
        let before = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let after = board("r1b1kbnr/pppppppp/8/8/8/8/PPPPP3/1NB1KBNR w Kkq - 0 1");
        let change = MaterialChange::between(&before, &after, Color::White);
        assert_eq!(change.lost_text(), "a rook and 3 pawns");
        assert_eq!((change.won_text().as_str(), change.balance()), ("a knight", -5));
        assert_eq!((change.only_lost(), change.has_lost(PieceType::Queen)), (None, false));
        let opposite = MaterialChange::between(&before, &after, Color::Black);
        assert_eq!((opposite.lost_text().as_str(), opposite.balance()), ("a knight", 5));
        assert_eq!(opposite.won_text(), "a rook and 3 pawns");
    }

    #[test]
    fn a_line_ends_before_an_exchange_that_is_not_over() {
        // After the first capture Black takes back, after the second the exchange is over.
        let start = board("4k3/8/4p3/3p4/8/2N5/8/4K3 w - - 0 1");
        let mut after = start.clone();
        let line: Vec<Move> = ["c3d5", "e6d5"]
            .into_iter()
            .map(|text| {
                let mv = after.parse_move(text).expect("a legal move");
                after.make_move(mv);
                mv
            })
            .collect();
        let ends = [1, 2].map(|plies| quiet_end(&start, &line[..plies]).map(|(end, _)| end));
        assert_eq!(ends, [Some(0), Some(2)]);
        // Nothing is quiet in a mate.
        let mate = board("6Rk/5Q2/8/8/8/8/8/K7 b - - 0 1");
        assert!(quiet_end(&mate, &[]).is_none());
    }
}
