//! Ends games whose scores leave no doubt about the result.

use crate::board::{Board, GameResult};
use crate::datagen::game::{Ending, Verdict};
use crate::datagen::options::GameOptions;
use crate::eval::endings;
use crate::types::{Color, Score};

/// Ends a game whose scores leave no doubt about the result.
pub struct Adjudicator {
    options: GameOptions,
    /// Ply of the next score, counted from 0.
    ply: u64,
    /// Side that the last score shows as winning.
    favoured: Option<Color>,
    /// Consecutive scores for `favoured`.
    wins: u64,
    draws: u64,
}

impl Adjudicator {
    /// Creates an adjudicator whose first score belongs to the position after `plies`.
    pub fn new(options: GameOptions, plies: usize) -> Self {
        Self { options, ply: plies as u64, favoured: None, wins: 0, draws: 0 }
    }

    /// Takes the score of the next position, for its side to move. Returns a verdict if there is no
    /// doubt.
    ///
    /// An ending against a bare king is won once a search sees neither stalemate nor the loss of
    /// the mating material, unless `few_men` is 0.
    pub fn observe(&mut self, board: &Board, score: Score) -> Option<Verdict> {
        let side = board.side_to_move();
        let better = if score > Score::DRAW { side } else { !side };
        let win = Verdict { result: GameResult::win_of(better), ending: Ending::WinByScore };
        let has_ending_rule = self.options.few_men > 0;
        if has_ending_rule && endings::winner(board).is_some() && endings::is_known(score) {
            return Some(win);
        }
        let options = &self.options;
        let few = board.occupied().count() as u64 <= options.few_men;
        let (win_score, win_plies, draw_plies, draw_from) = if few {
            (options.few_win_score, options.few_win_plies, options.few_draw_plies, 0)
        } else {
            (options.win_score, options.win_plies, options.draw_plies, options.draw_from)
        };
        let size = u64::from(score.0.unsigned_abs());
        let favoured = (size >= win_score).then_some(better);
        let continues = favoured.is_some() && favoured == self.favoured;
        self.wins = if continues { self.wins + 1 } else { u64::from(favoured.is_some()) };
        self.favoured = favoured;
        let is_level = size <= options.draw_score && self.ply >= draw_from;
        self.draws = if is_level { self.draws + 1 } else { 0 };
        self.ply += 1;
        if favoured.is_some() && self.wins >= win_plies {
            return Some(win);
        }
        let draw = Verdict { result: GameResult::Draw, ending: Ending::DrawByScore };
        (self.draws >= draw_plies).then_some(draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY_MEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const FEW_MEN: &str = "4k3/8/8/3p4/3P4/8/3P4/4K3 w - - 0 1";

    fn verdict_after(plies: usize, scores: &[i32]) -> Option<(usize, GameResult)> {
        verdict_in(MANY_MEN, plies, scores)
    }

    fn verdict_in(fen: &str, plies: usize, scores: &[i32]) -> Option<(usize, GameResult)> {
        let options = GameOptions { win_plies: 4, draw_plies: 4, ..GameOptions::default() };
        let mut adjudicator = Adjudicator::new(options, plies);
        let mut board = Board::from_fen(fen).expect("a position");
        for (index, &score) in scores.iter().enumerate() {
            if let Some(verdict) = adjudicator.observe(&board, Score(score)) {
                return Some((index + 1, verdict.result));
            }
            board.make_null_move();
        }
        None
    }

    #[test]
    fn a_bare_king_has_lost_unless_the_search_finds_a_draw() {
        const ROOK: &str = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";
        let won = endings::KNOWN_WIN.0;
        assert_eq!(verdict_in(ROOK, 90, &[won + 30]), Some((1, GameResult::WhiteWins)));
        assert_eq!(verdict_in(ROOK, 90, &[0, -won]), Some((2, GameResult::WhiteWins)));
        assert_eq!(verdict_in(ROOK, 90, &[Score::mate_in(5).0]), Some((1, GameResult::WhiteWins)));
        assert_eq!(verdict_in(ROOK, 90, &[0, 0]), None);
        assert_eq!(verdict_in("8/8/8/4k3/8/8/8/N3K3 w - - 0 1", 90, &[won]), None);
    }

    #[test]
    fn games_with_few_men_end_sooner() {
        let win = Some((2, GameResult::WhiteWins));
        assert_eq!(verdict_in(FEW_MEN, 30, &[300, -320]), win);
        assert_eq!(verdict_in(FEW_MEN, 30, &[300, -299]), None);
        assert_eq!(verdict_in(MANY_MEN, 30, &[300, -320, 300, -320]), None);
        assert_eq!(verdict_in(FEW_MEN, 30, &[0; 6]), Some((6, GameResult::Draw)));
        assert_eq!(verdict_in(MANY_MEN, 30, &[0; 6]), None);
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
}
