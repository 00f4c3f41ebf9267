//! When a game is over: by the rules, or because the scores leave no doubt.

use crate::board::Board;
use crate::types::{Color, Score};

use super::game::{Ending, GameResult, Verdict};
use super::options::GameOptions;

/// The verdict of the rules on a position, with the game before it.
pub fn verdict_by_rule(board: &Board) -> Option<Verdict> {
    let draw = |ending| Some(Verdict { result: GameResult::Draw, ending });
    if !board.has_legal_move() {
        return if board.in_check() {
            let result = win_of(!board.side_to_move());
            Some(Verdict { result, ending: Ending::Checkmate })
        } else {
            draw(Ending::Stalemate)
        };
    }
    if board.is_threefold() {
        draw(Ending::Repetition)
    } else if board.is_fifty_move_draw() {
        draw(Ending::FiftyMoves)
    } else if board.is_insufficient_material() {
        draw(Ending::InsufficientMaterial)
    } else {
        None
    }
}

const fn win_of(color: Color) -> GameResult {
    match color {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    }
}

/// Watches the scores of a game.
pub struct Adjudicator {
    options: GameOptions,
    /// The ply of the next score, from 0.
    ply: u64,
    /// Whom the last score saw winning.
    favoured: Option<Color>,
    /// How many scores in a row have seen the same side winning.
    wins: u64,
    /// How many scores in a row have seen neither side ahead.
    draws: u64,
}

impl Adjudicator {
    /// For a game whose first score belongs to the position after so many plies.
    pub fn new(options: GameOptions, plies: usize) -> Self {
        Self { options, ply: plies as u64, favoured: None, wins: 0, draws: 0 }
    }

    /// Takes note of the score of the next position, for the side to move there. The verdict, once there is no doubt.
    pub fn observe(&mut self, side: Color, score: Score) -> Option<Verdict> {
        let GameOptions { win_score, win_plies, draw_score, draw_plies, draw_from, .. } =
            self.options;
        let size = u64::from(score.0.unsigned_abs());
        let favoured =
            (size >= win_score).then_some(if score > Score::DRAW { side } else { !side });
        let goes_on = favoured.is_some() && favoured == self.favoured;
        self.wins = if goes_on { self.wins + 1 } else { u64::from(favoured.is_some()) };
        self.favoured = favoured;
        let is_level = size <= draw_score && self.ply >= draw_from;
        self.draws = if is_level { self.draws + 1 } else { 0 };
        self.ply += 1;
        match favoured {
            Some(color) if self.wins >= win_plies => {
                Some(Verdict { result: win_of(color), ending: Ending::WinByScore })
            }
            _ if self.draws >= draw_plies => {
                Some(Verdict { result: GameResult::Draw, ending: Ending::DrawByScore })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of scores, White's first, after which there is a verdict.
    fn verdict_after(plies: usize, scores: &[i32]) -> Option<(usize, GameResult)> {
        let options = GameOptions { win_plies: 4, draw_plies: 4, ..GameOptions::default() };
        let mut adjudicator = Adjudicator::new(options, plies);
        let mut side = Color::White;
        for (index, &score) in scores.iter().enumerate() {
            if let Some(verdict) = adjudicator.observe(side, Score(score)) {
                return Some((index + 1, verdict.result));
            }
            side = !side;
        }
        None
    }

    #[test]
    fn a_win_takes_large_scores_for_the_same_side_in_a_row() {
        let win = Some((4, GameResult::WhiteWins));
        assert_eq!(verdict_after(10, &[1500, -1600, 2000, -31_990, 0]), win);
        assert_eq!(verdict_after(10, &[1500, -1600, 2000, -1499, 0]), None);
        assert_eq!(verdict_after(10, &[1500, 1600, 1700, 1800, 1900]), None);
        let later = Some((6, GameResult::BlackWins));
        assert_eq!(verdict_after(10, &[1500, -1600, -2000, 1500, -1500, 1500]), later);
    }

    #[test]
    fn a_draw_takes_small_scores_late_in_the_game() {
        let scores = [8, -8, 0, 5, 3];
        assert_eq!(verdict_after(80, &scores), Some((4, GameResult::Draw)));
        assert_eq!(verdict_after(79, &scores), Some((5, GameResult::Draw)));
        assert_eq!(verdict_after(70, &scores), None);
        assert_eq!(verdict_after(80, &[8, -8, 9, 5, 3]), None);
    }

    #[test]
    fn the_rules_come_first() {
        let verdict = |fen: &str| {
            verdict_by_rule(&Board::from_fen(fen).expect("a position"))
                .map(|v| (v.result, v.ending))
        };
        let mated = verdict("6Rk/5Q2/8/8/8/8/8/K7 b - - 0 1");
        assert_eq!(mated, Some((GameResult::WhiteWins, Ending::Checkmate)));
        let stalemated = verdict("7k/5Q2/8/8/8/8/8/K7 b - - 0 1");
        assert_eq!(stalemated, Some((GameResult::Draw, Ending::Stalemate)));
        let bare = verdict("7k/8/8/8/8/8/8/KN6 w - - 0 1");
        assert_eq!(bare, Some((GameResult::Draw, Ending::InsufficientMaterial)));
        let long = verdict("7k/8/8/8/8/8/8/KR6 w - - 100 90");
        assert_eq!(long, Some((GameResult::Draw, Ending::FiftyMoves)));
        assert_eq!(verdict("7k/8/8/8/8/8/8/KR6 w - - 99 90"), None);
    }
}
