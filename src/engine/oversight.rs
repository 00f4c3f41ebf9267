//! Model of human error behind the levels (docs/levels.md): the moves that a player overlooks.
//!
//! People do not err a little at every move. Most of their moves are reasonable, until one leaves a
//! piece, because there is a reply that they did not see. So the search of a level leaves moves
//! out: some own moves, and some replies, each with the own move that allows it. It plays the best
//! move by the rest. An error is as large as what was not seen, and it is rare, because few of the
//! moves that are not seen matter.
//!
//! A move is overlooked with the probability `blindness × weight`. The blindness belongs to the
//! level. The weight says how hidden the move is, in percent:
//!
//! | move | own | reply |
//! |---|---:|---:|
//! | recaptures, or takes the piece that the opponent has just moved | 2 | |
//! | recaptures after an own capture | | 2 |
//! | takes the piece just moved | | 15 |
//! | takes another piece | 12 | 30 |
//! | takes a defended piece of less value, even if the defender is pinned | 30 | 60 |
//! | quiet | 30 | 70 |
//! | mates | 40 | 60 |
//!
//! | factor | percent |
//! |---|---:|
//! | check that does not mate | 60 |
//! | reply by the piece that the opponent moved last | 50 |
//! | along a diagonal, at least four squares | 150 |
//! | backward | 150 |
//! | reply that the own move made possible, as along an opened line | 200 |
//! | far from the own move, or from the opponent's last one (tunnel vision) | 150 |
//!
//! The kinds are those that authors name. The weights are Tabia's own, because no figures are
//! published (lab/levels.md).
//! Sources: Y. Afek and E. Neiman, "Invisible Chess Moves" (2011); M. Bilalić, P. McLeod and
//! F. Gobet, "Inflexibility of experts: reality or myth?" (2008), for tunnel vision.
//!
//! Each move has one draw, which depends on the seed, the piece, the move and the number of the
//! full move divided by three. So a threat that stands is overlooked whatever the own move, and for
//! up to three moves.
//!
//! Invariants:
//! - What is seen depends on the position, the last move, the blindness and the seed alone.
//! - At least one own move is seen, and at least one reply to each. If all would be overlooked,
//!   none is. Apart from that, what is overlooked at a blindness is overlooked at each greater one.
//! - At blindness 0 nothing is overlooked.
//! - In check all own moves are seen, and after a check all replies. So an announced mate in one is
//!   a mate.

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::board::{Board, see};
use crate::types::{Move, Square};

const RECAPTURE: u32 = 2;
const OWN_CAPTURE: u32 = 12;
const OWN_QUIET: u32 = 30;
const OWN_MATE: u32 = 40;
const TAKES_MOVED: u32 = 15;
const TAKES_OTHER: u32 = 30;
const TAKES_DEFENDED: u32 = 60;
const QUIET_REPLY: u32 = 70;
const MATING_REPLY: u32 = 60;

const CHECK: u32 = 60;
const BY_LAST_PIECE: u32 = 50;
const LONG_DIAGONAL: u32 = 150;
const BACKWARD: u32 = 150;
const OPENED: u32 = 200;
const FAR: u32 = 150;

/// Length of a long diagonal, and distance of a far move, in squares.
const LONG: u8 = 4;
/// Full moves for which a draw holds.
const SPAN: u32 = 3;

/// Product of blindness and weight that means certainty.
const CERTAIN: u64 = 1000 * 100;
const MAX_CHANCE: u64 = CERTAIN * 9 / 10;

/// Attention of a player during a game.
pub(super) struct Attention {
    /// Probability in permille of overlooking a move of weight 100.
    pub(super) blindness: u32,
    pub(super) seed: u64,
}

/// Part of a position that a player sees.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Sight {
    /// Own moves that are seen. Empty only if there are none.
    pub(super) moves: Vec<Move>,
    /// Replies that are overlooked, each with the own move before it.
    pub(super) hidden_replies: HashSet<(Move, Move)>,
}

impl Attention {
    /// Returns what is seen of these legal moves and of the replies to them.
    pub(super) fn sight(&self, board: &Board, moves: &[Move]) -> Sight {
        let mut board = board.clone();
        let moves = self.seen_moves(&mut board, moves);
        let before = Before::of(&board);
        let mut hidden_replies = HashSet::new();
        for &mv in &moves {
            if !board.gives_check(mv) {
                let hidden = self.hidden_replies(&mut board, &before, mv);
                hidden_replies.extend(hidden.into_iter().map(|reply| (mv, reply)));
            }
        }
        Sight { moves, hidden_replies }
    }

    fn seen_moves(&self, board: &mut Board, moves: &[Move]) -> Vec<Move> {
        let mut seen = moves.to_vec();
        if !board.in_check() {
            seen.retain(|&mv| {
                let weight = own_weight(board, mv);
                !self.overlooks(board, mv, weight)
            });
        }
        if seen.is_empty() { moves.to_vec() } else { seen }
    }

    fn hidden_replies(&self, board: &mut Board, before: &Before, mv: Move) -> Vec<Move> {
        board.make_move(mv);
        let replies = board.legal_moves();
        let mut hidden = replies.to_vec();
        hidden.retain(|&reply| {
            let weight = reply_weight(board, before, mv, reply);
            self.overlooks(board, reply, weight)
        });
        board.unmake_move();
        if hidden.len() == replies.len() { Vec::new() } else { hidden }
    }

    /// Draws whether a move of the side to move is overlooked.
    fn overlooks(&self, board: &Board, mv: Move, weight: u32) -> bool {
        let chance = (u64::from(self.blindness) * u64::from(weight)).min(MAX_CHANCE);
        let piece = board.moved_piece(mv).index() as u64;
        let span = u64::from(board.fullmove_number() / SPAN);
        let key = u64::from(mv.bits()) | (piece << 16) | (span << 20);
        let draw = ChaCha8Rng::seed_from_u64(self.seed ^ key).next_u32();
        (u64::from(draw) * CERTAIN) >> 32 < chance
    }
}

/// Facts on which the weight of a reply depends, besides the position after the own move.
struct Before {
    /// Position before the own move, with the opponent to move; `None` in check.
    passed: Option<Board>,
    /// Square to which the opponent moved last.
    last: Option<Square>,
}

impl Before {
    fn of(board: &Board) -> Self {
        let passed = (!board.in_check()).then(|| {
            let mut passed = board.clone();
            passed.make_null_move();
            passed
        });
        Self { passed, last: board.last_target() }
    }
}

fn own_weight(board: &mut Board, mv: Move) -> u32 {
    let last = board.last_target();
    if mv.is_capture() && last == Some(mv.to()) {
        return RECAPTURE;
    }
    let weight = if mates(board, mv) {
        OWN_MATE
    } else if mv.is_quiet() || seems_to_lose(board, mv) {
        with_check(OWN_QUIET, board, mv)
    } else {
        with_check(OWN_CAPTURE, board, mv)
    };
    hidden_by_geometry(weight, board, mv, last)
}

/// Returns the weight of a reply to `mv`, which has been made.
fn reply_weight(board: &mut Board, before: &Before, mv: Move, reply: Move) -> u32 {
    let takes_moved = reply.is_capture() && reply.to() == mv.to();
    if takes_moved && mv.is_capture() {
        return RECAPTURE;
    }
    let weight = if mates(board, reply) {
        MATING_REPLY
    } else if reply.is_quiet() {
        with_check(QUIET_REPLY, board, reply)
    } else if seems_to_lose(board, reply) {
        with_check(TAKES_DEFENDED, board, reply)
    } else if takes_moved {
        with_check(TAKES_MOVED, board, reply)
    } else {
        with_check(TAKES_OTHER, board, reply)
    };
    let was_illegal = before.passed.as_ref().is_some_and(|passed| !passed.is_legal(reply));
    let factors =
        [(was_illegal && !takes_moved, OPENED), (before.last == Some(reply.from()), BY_LAST_PIECE)];
    hidden_by_geometry(scaled(weight, &factors), board, reply, Some(mv.to()))
}

/// Returns whether a move takes a defended piece of less value. An exchange that nevertheless wins,
/// because the defender is pinned or overloaded, is hard to see.
fn seems_to_lose(board: &Board, mv: Move) -> bool {
    board.victim(mv).is_some_and(|victim| {
        let taker = board.moved_piece(mv).piece_type();
        let defenders = board.attackers(!board.side_to_move(), mv.to(), board.occupied());
        defenders.any() && see::value(taker) > see::value(victim)
    })
}

fn with_check(weight: u32, board: &Board, mv: Move) -> u32 {
    scaled(weight, &[(board.gives_check(mv), CHECK)])
}

/// Returns the weight after the factors of the move's direction, its length, and its distance from
/// the square that has the player's attention.
fn hidden_by_geometry(weight: u32, board: &Board, mv: Move, attention: Option<Square>) -> u32 {
    let (from, to) = (mv.from(), mv.to());
    let files = (from.file() as u8).abs_diff(to.file() as u8);
    let ranks = (from.rank() as u8).abs_diff(to.rank() as u8);
    let us = board.side_to_move();
    let is_backward = to.rank().relative_to(us) < from.rank().relative_to(us);
    let is_far =
        attention.is_some_and(|square| from.distance(square).min(to.distance(square)) >= LONG);
    let is_long_diagonal = files == ranks && files >= LONG;
    scaled(weight, &[(is_long_diagonal, LONG_DIAGONAL), (is_backward, BACKWARD), (is_far, FAR)])
}

/// Returns the weight after those factors, in percent, that apply.
fn scaled(weight: u32, factors: &[(bool, u32)]) -> u32 {
    let applied = factors.iter().filter(|(applies, _)| *applies);
    applied.fold(weight, |product, (_, percent)| product * percent / 100)
}

fn mates(board: &mut Board, mv: Move) -> bool {
    if !board.gives_check(mv) {
        return false;
    }
    board.make_move(mv);
    let is_mate = !board.has_legal_move();
    board.unmake_move();
    is_mate
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/1PN1PN2/PBP1BPPP/R2Q1RK1 w - - 2 9";
    /// A bishop attacks a rook along a long diagonal.
    const LONG_THREAT: &str = "6k1/1b6/8/8/8/8/P7/K6R w - - 0 1";

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).expect("a legal position")
    }

    fn sight(board: &Board, blindness: u32, seed: u64) -> Sight {
        Attention { blindness, seed }.sight(board, &board.legal_moves())
    }

    #[test]
    fn without_blindness_everything_is_seen() {
        let board = board(MIDDLEGAME);
        let all = Sight { moves: board.legal_moves().to_vec(), hidden_replies: HashSet::new() };
        assert_eq!(sight(&board, 0, 7), all);
    }

    #[test]
    fn more_blindness_overlooks_more() {
        let board = board(MIDDLEGAME);
        let mut totals = [0; 2];
        for seed in 0..20 {
            let (less, more) = (sight(&board, 150, seed), sight(&board, 600, seed));
            assert!(more.moves.iter().all(|mv| less.moves.contains(mv)));
            let mut of_both =
                less.hidden_replies.iter().filter(|pair| more.moves.contains(&pair.0));
            assert!(of_both.all(|pair| more.hidden_replies.contains(pair)));
            totals[0] += less.hidden_replies.len();
            totals[1] += more.hidden_replies.len();
        }
        assert!(0 < totals[0] && 2 * totals[0] < totals[1], "{totals:?}");
    }

    #[test]
    fn the_seed_decides() {
        let board = board(MIDDLEGAME);
        assert_eq!(sight(&board, 400, 7), sight(&board, 400, 7));
        assert_ne!(sight(&board, 400, 7), sight(&board, 400, 8));
    }

    #[test]
    fn a_move_and_a_reply_are_always_seen() {
        for fen in [
            "8/8/8/8/8/2k5/7P/K7 w - - 0 1",
            "8/8/8/8/8/1k6/7p/K7 w - - 0 1",
            "7k/5K1p/8/8/8/8/8/8 w - - 0 1",
        ] {
            let board = board(fen);
            for seed in 0..200 {
                let Sight { moves, hidden_replies } = sight(&board, 1000, seed);
                assert!(!moves.is_empty(), "{fen}");
                for mv in moves {
                    let mut after = board.clone();
                    after.make_move(mv);
                    let hidden = hidden_replies.iter().filter(|pair| pair.0 == mv).count();
                    let replies = after.legal_moves().len();
                    assert!(hidden < replies || replies == 0, "{fen}: {mv:?}");
                }
            }
        }
    }

    #[test]
    fn replies_to_a_check_and_moves_out_of_check_are_seen() {
        let checking = board("4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1");
        let in_check = board("4k3/8/8/8/7b/8/8/R3KB1R w KQ - 0 1");
        for seed in 0..100 {
            let mut pairs = sight(&checking, 1000, seed).hidden_replies.into_iter();
            assert!(pairs.all(|(mv, _)| !checking.gives_check(mv)));
            assert_eq!(sight(&in_check, 1000, seed).moves, in_check.legal_moves().to_vec());
        }
    }

    fn weight_of_reply(fen: &str, mv: &str, reply: &str) -> u32 {
        let mut board = board(fen);
        let before = Before::of(&board);
        let mv = board.parse_move(mv).expect("a legal move");
        board.make_move(mv);
        let reply = board.parse_move(reply).expect("a legal reply");
        reply_weight(&mut board, &before, mv, reply)
    }

    #[test]
    fn weights_follow_how_hidden_a_reply_is() {
        let opening = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        let recapture = weight_of_reply(opening, "f3e5", "c6e5");
        let takes_moved = weight_of_reply(opening, "f3g5", "d8g5");
        let quiet = weight_of_reply(opening, "f3g5", "g8h6");
        let backward = weight_of_reply(opening, "f3g5", "c6b8");
        assert!(recapture < takes_moved && takes_moved < quiet && quiet < backward);
        let defended = weight_of_reply("3rk3/8/8/8/1b6/2P2N2/8/4K3 w - - 0 1", "f3d4", "d8d4");
        assert!(takes_moved < defended, "the defender is pinned");
        let long = weight_of_reply(LONG_THREAT, "a2a4", "b7h1");
        let far = weight_of_reply(LONG_THREAT, "a2a3", "b7h1");
        let opened = weight_of_reply("6k1/1b6/8/8/4P3/8/8/K6R w - - 0 1", "e4e5", "b7h1");
        assert!(takes_moved < long && long < far && far < opened);
    }

    #[test]
    fn own_weights_follow_how_hidden_a_move_is() {
        let mut board = board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
        for text in ["d2d4", "e5d4"] {
            board.make_move(board.parse_move(text).expect("a legal move"));
        }
        let mut weight = |text: &str| {
            let mv = board.parse_move(text).expect("a legal move");
            own_weight(&mut board, mv)
        };
        assert!(weight("f3d4") < weight("f1c4") && weight("f1c4") < weight("f3g1"));
    }

    #[test]
    fn a_threat_that_stands_is_overlooked_whatever_the_move() {
        let board = board(LONG_THREAT);
        let [near, far] = ["a2a4", "a2a3"].map(|mv| board.parse_move(mv).expect("a legal move"));
        let mut after = board.clone();
        after.make_move(far);
        let threat = after.parse_move("b7h1").expect("a legal reply");
        let mut overlooked = 0;
        for seed in 0..300 {
            let Sight { moves, hidden_replies } = sight(&board, 700, seed);
            if moves.contains(&far) && hidden_replies.contains(&(near, threat)) {
                assert!(hidden_replies.contains(&(far, threat)));
                overlooked += 1;
            }
        }
        assert!(overlooked > 20, "{overlooked}");
    }
}
