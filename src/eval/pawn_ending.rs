//! King and pawn against king: which positions are won.
//!
//! Retrograde analysis, set-wise: for each square of the pawn and of its king, the squares of the
//! bare king from which the pawn's side wins. It starts from the promotions and takes moves back
//! until nothing changes, in less than a millisecond.
//!
//! Source: <https://www.chessprogramming.org/KPK>

use std::sync::LazyLock;

use crate::attacks;
use crate::types::{Bitboard, Color, Direction, Rank, Square, SquareMap};

/// Sets of squares of the bare king, `[pawn][its king]`. The pawn is White's.
type Sets = SquareMap<SquareMap<Bitboard>>;

/// Positions in which the pawn's side wins.
struct Wins {
    pawn_to_move: Sets,
    bare_to_move: Sets,
}

/// Returns whether the pawn's side wins. The squares are seen from its side: relative to its
/// colour.
pub(super) fn is_won(pawn: Square, king: Square, bare: Square, is_bare_to_move: bool) -> bool {
    static WINS: LazyLock<Wins> = LazyLock::new(Wins::new);
    let sets = if is_bare_to_move { &WINS.bare_to_move } else { &WINS.pawn_to_move };
    sets[pawn][king].contains(bare)
}

impl Wins {
    fn new() -> Self {
        let empty = || SquareMap::filled(SquareMap::filled(Bitboard::EMPTY));
        let mut wins = Self { pawn_to_move: empty(), bare_to_move: empty() };
        while wins.take_moves_back() {}
        wins
    }

    /// Adds the positions that lead to those known. Returns whether there were any.
    fn take_moves_back(&mut self) -> bool {
        let mut has_changed = false;
        // Pushed pawns first.
        for pawn in Square::ALL.into_iter().rev() {
            if matches!(pawn.rank(), Rank::First | Rank::Eighth) {
                continue;
            }
            for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                let won = self.won_by_a_move(pawn, king);
                has_changed |= self.pawn_to_move[pawn][king] != won;
                self.pawn_to_move[pawn][king] = won;
                self.bare_to_move[pawn][king] = self.lost_by_all_moves(pawn, king);
            }
        }
        has_changed
    }

    /// Returns the squares of the bare king where the pawn's side, to move, has a winning move.
    fn won_by_a_move(&self, pawn: Square, king: Square) -> Bitboard {
        let mut won = Bitboard::EMPTY;
        for to in attacks::king(king) - pawn.into() {
            won |= self.bare_to_move[pawn][to];
        }
        let front = pawn.forward(Color::White).expect("the pawn is on no last rank");
        if front != king {
            won |= self.won_by_push(front, king);
        }
        // Not next to the other king, nor in check with the other side to move.
        won - attacks::king(king) - king.into() - attacks::pawn(Color::White, pawn) - pawn.into()
    }

    /// Returns the squares of the bare king where the push to `front`, or two squares, wins.
    fn won_by_push(&self, front: Square, king: Square) -> Bitboard {
        let free = !Bitboard::square(front);
        if front.rank() == Rank::Eighth {
            let is_protected = attacks::king(king).contains(front);
            return if is_protected { free } else { free - attacks::king(front) };
        }
        let mut won = self.bare_to_move[front][king];
        let next = front.forward(Color::White).expect("not beyond the last rank");
        if front.rank() == Rank::Third && next != king {
            won |= self.bare_to_move[next][king];
        }
        won & free
    }

    /// Returns the squares of the bare king where it is to move, and each of its moves loses. It
    /// has a move: otherwise it is stalemate.
    fn lost_by_all_moves(&self, pawn: Square, king: Square) -> Bitboard {
        let targets =
            !(attacks::king(king) | attacks::pawn(Color::White, pawn) | Bitboard::square(king));
        let escapes = targets - self.pawn_to_move[pawn][king];
        let near_king = attacks::king(king) | Bitboard::square(king) | Bitboard::square(pawn);
        next_to(targets) - next_to(escapes) - near_king
    }
}

/// Returns the squares from which a king attacks one of a set.
fn next_to(set: Bitboard) -> Bitboard {
    let beside = set.shift(Direction::East) | set.shift(Direction::West);
    let row = set | beside;
    beside | row.shift(Direction::North) | row.shift(Direction::South)
}
