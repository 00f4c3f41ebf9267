//! Facts about a bad move that its lines prove: the best reply, and the better move.
//!
//! A [`Claim`] is data; `sentences.rs` has the words. No position is searched here.

use crate::board::{Board, see};
use crate::tools::balance::{MaterialChange, is_quiet, quiet_end, shown};
use crate::types::{Bitboard, Color, Move, Piece, PieceType, Score, Square};

use super::analysis::Evaluation;

/// Maximum plies of a line in a sentence.
pub(super) const QUOTED_PLIES: usize = 7;

/// Fact about a bad move. The mover is the side that played it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// The move stalemates the opponent.
    Stalemates,
    /// The reply mates in this many moves.
    AllowsMate(u32),
    /// The better move mates in this many moves.
    MissesMate(u32),
    /// The reply takes a piece on this square, and nothing can take back. The line ends with the
    /// loss of this piece alone.
    LosesPiece(Square, Protection),
    /// The reply wins this material by these means.
    LosesMaterial(MaterialChange, Means),
    /// An opposing pawn promotes after this many plies of the reply.
    AllowsPromotion(usize),
    /// A pawn of the mover promotes after this many plies of the better line.
    MissesPromotion(usize),
    /// The better move has this advantage.
    Better(Advantage),
}

/// Reason why a piece that is taken cannot be taken back.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Protection {
    /// No piece protects it.
    None,
    /// The piece that moved from this square protected it, and no piece does now.
    Left(Square),
    /// The only piece that protects it, on this square, is pinned.
    Pinned(Square),
    /// Only the king protects it, and may not take back.
    King,
}

/// Way in which the reply wins material.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Means {
    /// It attacks both pieces and then takes the second one.
    Fork([Square; 2]),
    /// It pins the piece on this square to the king; then the piece is taken.
    Pin(Square),
    /// It attacks the piece on this square and then takes it.
    Attack(Square),
    /// It takes the first piece; the piece on `guard` takes back, and can no longer protect the
    /// second piece, which is taken.
    Overload { guard: Square, taken: [Square; 2] },
    /// It has won the material after this many plies.
    Line(usize),
}

/// Advantage of the better move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Advantage {
    /// It takes what has just taken something.
    TakesBack,
    /// No mate in one follows.
    PreventsMate,
    /// Its line has won this material after this many plies.
    Wins(MaterialChange, usize),
    /// It takes the piece on this square: the one that replies to the bad move, or a piece that
    /// is taken by the one that is lost otherwise.
    Takes(Square),
    /// It moves the piece that is lost on this square.
    MovesAway(Square),
    /// It protects the piece that is lost on this square, which has no protection before.
    Protects(Square),
}

/// A bad move with the lines that it is judged by.
#[derive(Debug)]
pub(super) struct BadMove<'a> {
    /// Position before the move.
    pub(super) before: Board,
    /// Position after the move.
    pub(super) after: Board,
    /// Best line from the position after the move.
    pub(super) reply: &'a [Move],
    /// Best line from the position before the move.
    pub(super) better: &'a [Move],
    /// Move before the bad move, if it is known.
    previous: Option<Move>,
    /// The bad move; `None` for a null move.
    played: Option<Move>,
    /// Material that the mover loses by the reply and would not have lost by the better line, and
    /// the plies of the reply until then.
    loss: Option<(MaterialChange, usize)>,
    /// Material that the mover wins by the better line and does not win after the move, and the
    /// plies of the better line until then.
    gain: Option<(MaterialChange, usize)>,
    /// Moves until the mover is mated.
    allowed_mate: Option<u32>,
    /// Moves in which the mover could have mated.
    missed_mate: Option<u32>,
}

impl Claim {
    /// Returns whether the claim is about mate or stalemate.
    fn ends_game(self) -> bool {
        matches!(self, Self::Stalemates | Self::AllowsMate(_) | Self::MissesMate(_))
    }

    /// Returns the square of the piece that is lost, if the claim names one.
    fn lost_square(self) -> Option<Square> {
        match self {
            Self::LosesPiece(square, _) => Some(square),
            Self::LosesMaterial(_, means) => match means {
                Means::Fork([_, square]) | Means::Overload { taken: [_, square], .. } => {
                    Some(square)
                }
                Means::Pin(square) | Means::Attack(square) => Some(square),
                Means::Line(_) => None,
            },
            _ => None,
        }
    }
}

impl<'a> BadMove<'a> {
    /// Takes the position before a move, the move before it, the move itself, and what was found
    /// before and after it.
    pub(super) fn new(
        before: &Board,
        previous: Option<Move>,
        played: Option<Move>,
        found: [&'a Evaluation; 2],
    ) -> Self {
        let side = before.side_to_move();
        let mut after = before.clone();
        after.make_move_or_null(played);
        let [better, reply] = found.map(|found| found.line.as_slice());
        let [best, left] = found.map(|found| found.score.for_white(side).mate_moves());
        let missed_mate = best.filter(|moves| *moves > 0).map(i32::unsigned_abs);
        let allowed_mate = left.filter(|moves| *moves < 0).map(i32::unsigned_abs);

        let between = |end: &Board| MaterialChange::between(before, end, side);
        let change = |start: &Board, line: &[Move]| {
            let (plies, end) = quiet_end(start, shown(line))?;
            let is_promotion = line[..plies].iter().any(|mv| mv.is_promotion());
            // A line that is nowhere quiet shows nothing.
            (plies > 0 && !is_promotion).then(|| between(&end))
        };
        // A change that comes late has little to do with the first move.
        let early = |start: &Board, line: &[Move], change: MaterialChange| {
            let mut end = start.clone();
            let mut plies_without = 0;
            for (plies, &mv) in (1..).zip(line.iter().take(QUOTED_PLIES)) {
                end.make_move(mv);
                if between(&end) != change {
                    plies_without = plies;
                } else if is_quiet(&end) {
                    return Some((change, plies_without + 1));
                }
            }
            None
        };
        let by_reply = change(&after, reply).filter(|_| !played.is_some_and(Move::is_promotion));
        let by_better = change(before, better);
        let is_worse = by_reply
            .zip(by_better)
            .is_some_and(|(by_reply, by_better)| by_reply.balance() < by_better.balance());
        let loss = by_reply.filter(|change| {
            change.balance() < 0 && (is_worse || missed_mate.is_some()) && allowed_mate.is_none()
        });
        let gain = by_better.filter(|change| {
            change.balance() > 0 && (is_worse || allowed_mate.is_some()) && missed_mate.is_none()
        });
        // In a dead draw, and where tablebases know who wins, the second move of a line may give
        // away what it need not.
        let [is_gain_forced, is_loss_forced] =
            found.map(|found| found.score != Score::DRAW && !found.score.is_decisive());
        let loss = loss
            .and_then(|change| early(&after, reply, change))
            .filter(|&(_, plies)| plies == 1 || is_loss_forced);
        let gain = gain
            .and_then(|change| early(before, better, change))
            .filter(|&(_, plies)| plies == 1 || is_gain_forced);
        Self {
            before: before.clone(),
            after,
            reply,
            better,
            previous,
            played,
            loss,
            gain,
            allowed_mate,
            missed_mate,
        }
    }

    /// Returns the side that played the move.
    pub(super) fn side(&self) -> Color {
        self.before.side_to_move()
    }

    /// Returns at most two claims, the more important one first: one on the move, one on the better
    /// move.
    pub(super) fn claims(&self) -> Vec<Claim> {
        let reason = self.reason();
        let mut claims: Vec<Claim> = reason.into_iter().chain(self.missed(reason)).collect();
        claims.sort_by_key(|claim| !claim.ends_game());
        claims
    }

    /// Returns why the move is bad.
    fn reason(&self) -> Option<Claim> {
        if !self.after.in_check() && !self.after.has_legal_move() {
            return Some(Claim::Stalemates);
        }
        if let Some(moves) = self.allowed_mate {
            return is_mate(&self.after, self.reply, moves).then_some(Claim::AllowsMate(moves));
        }
        if let Some((loss, plies)) = self.loss {
            let means = || self.means(loss, plies).unwrap_or(Means::Line(plies));
            let piece = self.lost_piece(loss, plies);
            return Some(piece.unwrap_or_else(|| Claim::LosesMaterial(loss, means())));
        }
        let plies = promotion(&self.after, self.reply)?;
        let is_avoided = self.better.len() > plies && !promotes_second(self.better);
        is_avoided.then_some(Claim::AllowsPromotion(plies))
    }

    /// Returns the claim that a piece is lost because nothing can take back.
    fn lost_piece(&self, loss: MaterialChange, plies: usize) -> Option<Claim> {
        let &taker = self.reply.first()?;
        let (side, square) = (self.side(), taker.to());
        let victim = self.after.piece_on(square)?;
        let taken = position_after(&self.after, &[taker]);
        // Material that is lost after two plies is lost in another way.
        let is_loss = plies <= 2 && loss.only_lost() == Some(victim.piece_type());
        if !is_loss || !takes(taker, square) || can_take(&taken, square) {
            return None;
        }
        let guards = attackers(&taken, side, square);
        let protection = match guards.first() {
            None => self.left_guard(square).map_or(Protection::None, Protection::Left),
            Some(_) if guards.more_than_one() => return None,
            Some(guard) if guard == taken.king_square(side) => Protection::King,
            Some(guard) if taken.pinned().contains(guard) => Protection::Pinned(guard),
            Some(_) => return None,
        };
        Some(Claim::LosesPiece(square, protection))
    }

    /// Returns where the played piece came from, if it protected a square from there.
    fn left_guard(&self, square: Square) -> Option<Square> {
        let played = self.played.filter(|mv| !mv.is_castling() && mv.to() != square)?;
        let protects = attackers(&self.before, self.side(), square).contains(played.from());
        protects.then_some(played.from())
    }

    /// Returns how the first move of the reply prepares the third, which takes a piece.
    fn means(&self, loss: MaterialChange, plies: usize) -> Option<Means> {
        let &[threat, answer, capture, ..] = self.reply else { return None };
        let (side, target) = (self.side(), capture.to());
        let threatened = position_after(&self.after, &[threat]);
        let answered = position_after(&threatened, &[answer]);
        let victim = self.after.piece_on(target)?;
        let stays = [&threatened, &answered].map(|board| board.piece_on(target) == Some(victim));
        // Material that is lost after four plies is lost in another way.
        let is_loss = (3..=4).contains(&plies) && loss.has_lost(victim.piece_type());
        if !is_loss || stays != [true, true] || !takes(capture, target) || threat.is_castling() {
            return None;
        }
        let guard = answer.from();
        if takes(threat, threat.to())
            && takes(answer, threat.to())
            && attackers(&self.after, side, threat.to()).contains(guard)
            && attackers(&self.after, side, target) == Bitboard::square(guard)
            && !can_take(&position_after(&answered, &[capture]), target)
        {
            return Some(Means::Overload { guard, taken: [threat.to(), target] });
        }
        // Otherwise what the first move takes is the greater part of the loss.
        let value = |piece: Piece| see::value(piece.piece_type());
        if self.after.piece_on(threat.to()).is_some_and(|piece| value(piece) >= value(victim)) {
            return None;
        }
        let attacked = |square| attackers(&threatened, !side, square).contains(threat.to());
        let takes_itself = capture.from() == threat.to();
        if takes_itself && let Some(other) = forked(&threatened, threat.to(), target) {
            return Some(Means::Fork([other, target]));
        }
        let king = threatened.king_square(side);
        let without = threatened.occupied() - target.into();
        if !attacked(king) && threatened.attackers(!side, king, without).contains(threat.to()) {
            return Some(Means::Pin(target));
        }
        let is_new = !attackers(&self.after, !side, target).contains(threat.from());
        (takes_itself && attacked(target) && is_new).then_some(Means::Attack(target))
    }

    /// Returns what the better move had done.
    fn missed(&self, reason: Option<Claim>) -> Option<Claim> {
        if let Some(moves) = self.missed_mate {
            return is_mate(&self.before, self.better, moves).then_some(Claim::MissesMate(moves));
        }
        if let Some(plies) = promotion(&self.before, self.better)
            && self.reply.len() >= plies
            && !promotes_second(self.reply)
            && !self.played.is_some_and(Move::is_promotion)
        {
            return Some(Claim::MissesPromotion(plies));
        }
        self.advantage(reason).map(Claim::Better)
    }

    fn advantage(&self, reason: Option<Claim>) -> Option<Advantage> {
        let &better = self.better.first()?;
        if self.takes_back(better) {
            let is_missed = !self.played.is_some_and(|mv| self.takes_back(mv));
            return is_missed.then_some(Advantage::TakesBack);
        }
        let after = position_after(&self.before, &[better]);
        if reason == Some(Claim::AllowsMate(1)) && !has_mate_in_one(&after) {
            return Some(Advantage::PreventsMate);
        }
        if let Some((gain, plies)) = self.gain {
            return Some(Advantage::Wins(gain, plies));
        }
        let square = reason.and_then(Claim::lost_square)?;
        // The better move, too, finds the piece there.
        let stands = |board: &Board| board.piece_on(square) == self.after.piece_on(square);
        let is_moved = better.from() == square && stands(&self.before);
        let is_attacker = self.reply.first().is_some_and(|mv| mv.from() == better.to());
        if takes(better, better.to()) && (is_moved || is_attacker) {
            return Some(Advantage::Takes(better.to()));
        }
        if is_moved {
            return Some(Advantage::MovesAway(square));
        }
        let guards = [&self.before, &after].map(|board| attackers(board, self.side(), square));
        let is_protected = guards[0].is_empty() && guards[1].any();
        (is_protected && stands(&self.before) && stands(&after))
            .then_some(Advantage::Protects(square))
    }

    /// Returns whether a move takes the piece that has just taken something.
    fn takes_back(&self, mv: Move) -> bool {
        self.previous.is_some_and(|before| before.is_capture() && takes(mv, before.to()))
    }
}

/// Returns the position after the moves of a line.
fn position_after(board: &Board, line: &[Move]) -> Board {
    let mut after = board.clone();
    line.iter().for_each(|&mv| after.make_move(mv));
    after
}

/// Returns whether a line mates in this many moves of the side that begins.
fn is_mate(board: &Board, line: &[Move], moves: u32) -> bool {
    let end = position_after(board, line);
    line.len() + 1 == 2 * moves as usize && end.in_check() && !end.has_legal_move()
}

fn has_mate_in_one(board: &Board) -> bool {
    let mates = |mv: Move| board.gives_check(mv) && !position_after(board, &[mv]).has_legal_move();
    board.legal_moves().into_iter().any(mates)
}

/// Returns the plies of a line up to the first promotion of the side that begins, if the new piece
/// is still there when the line is quiet.
fn promotion(board: &Board, line: &[Move]) -> Option<usize> {
    let mut own = line.iter().take(QUOTED_PLIES).step_by(2);
    let plies = 2 * own.position(|mv| mv.is_promotion())? + 1;
    let kind = line[plies - 1].promotion()?;
    let (quiet_plies, end) = quiet_end(board, shown(line))?;
    let count = |of: &Board| of.pieces_of(board.side_to_move(), kind).count();
    (quiet_plies >= plies && count(&end) > count(board)).then_some(plies)
}

/// Returns whether the side that moves second in a line promotes.
fn promotes_second(line: &[Move]) -> bool {
    line.iter().skip(1).step_by(2).any(|mv| mv.is_promotion())
}

/// Returns the most valuable piece beside `target` that is in danger from the piece on `attacker`;
/// `None` unless `target` is, too. The side to move is attacked.
fn forked(board: &Board, attacker: Square, target: Square) -> Option<Square> {
    let side = board.side_to_move();
    let kind = board.piece_on(attacker)?.piece_type();
    let piece_type = |square| board.piece_on(square).map(Piece::piece_type);
    let is_in_danger = |&square: &Square| {
        let is_better = |victim| {
            let is_more = kind != PieceType::King && see::value(victim) > see::value(kind);
            victim == PieceType::King || is_more
        };
        attackers(board, !side, square).contains(attacker)
            && (piece_type(square).is_some_and(is_better)
                || attackers(board, side, square).is_empty())
    };
    let others = (board.colors(side) - target.into()).into_iter().filter(is_in_danger);
    // Kings come last in the order of pieces.
    let other = others.max_by_key(|&square| piece_type(square))?;
    is_in_danger(&target).then_some(other)
}

/// Returns whether a move takes the piece on a square. En passant does not count.
fn takes(mv: Move, square: Square) -> bool {
    mv.is_capture() && !mv.is_en_passant() && mv.to() == square
}

/// Returns whether the side to move can take the piece on a square.
fn can_take(board: &Board, square: Square) -> bool {
    board.legal_moves().into_iter().any(|mv| takes(mv, square))
}

fn attackers(board: &Board, color: Color, square: Square) -> Bitboard {
    board.attackers(color, square, board.occupied())
}
