//! Thread voting: selects the final line from those of all threads.
//!
//! Each line votes for its first move, with a weight that grows with depth and with the score above
//! the worst one. A forced win is taken without a vote, and so is a mate of the other side, because
//! it is proven for all moves.
//! Source: <https://www.chessprogramming.org/Lazy_SMP>

use std::cmp::Reverse;

use crate::search::node::Searcher;
use crate::search::params;
use crate::search::state::ScoredLine;

impl Searcher<'_> {
    /// Collects the helpers' lines, adopts the winner of the vote and reports it, so that the last
    /// PV reported matches the best move. Skipped for MultiPV, whose lines belong together.
    pub(crate) fn vote(&mut self, others: impl Iterator<Item = ScoredLine>) {
        // Collecting waits for the helpers, so it happens in every case.
        let helpers: Vec<ScoredLine> = others.collect();
        let Some(main) = self.root.lines().first() else { return };
        if helpers.is_empty() || self.multi_pv() > 1 {
            return;
        }
        let lines: Vec<&ScoredLine> = std::iter::once(main).chain(&helpers).collect();
        let winner = elect(&lines);
        let is_better =
            winner.score != main.score && (winner.score.is_win() || winner.score.is_mate());
        if winner.best() != main.best() || is_better {
            let adopted = winner.clone();
            self.root.adopt_line(adopted);
            self.report_lines();
        }
    }
}

/// Returns the winning line. The first one, that of the main thread, wins ties and is preferred
/// among lines with the winning move; otherwise the deepest of these wins.
fn elect<'a>(lines: &[&'a ScoredLine]) -> &'a ScoredLine {
    let main = lines[0];
    let best = first_max_by_key(lines, |line| line.score);
    if best.score.is_win() {
        return best;
    }
    let lost = first_max_by_key(lines, |line| Reverse(line.score));
    if lost.score.is_mate() {
        return lost;
    }
    let worst = lines.iter().map(|line| line.score.clamp_to_eval().0).min().unwrap_or_default();
    let weight = |line: &ScoredLine| {
        let margin = line.score.clamp_to_eval().0 - worst + params::vote_base();
        i64::from(margin) * i64::from(line.depth.max(1))
    };
    let votes = |candidate: &ScoredLine| -> i64 {
        lines.iter().filter(|line| line.best() == candidate.best()).map(|line| weight(line)).sum()
    };
    let winner = first_max_by_key(lines, votes).best();
    if main.best() == winner {
        return main;
    }
    let with_winner: Vec<_> = lines.iter().copied().filter(|line| line.best() == winner).collect();
    first_max_by_key(&with_winner, |line| line.depth)
}

/// Returns the first of the lines with the greatest key, where `Iterator::max_by_key` returns the
/// last one.
fn first_max_by_key<'a, K: Ord>(
    lines: &[&'a ScoredLine],
    key: impl Fn(&ScoredLine) -> K,
) -> &'a ScoredLine {
    lines.iter().min_by_key(|line| Reverse(key(line))).expect("there is a line")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Line;
    use crate::types::{Depth, Move, Score};

    fn line(mv: u16, score: Score, depth: Depth) -> ScoredLine {
        let moves = Line::from_iter(Move::from_bits(mv));
        ScoredLine { depth, seldepth: 30, score, moves }
    }

    fn winner_index(lines: &[ScoredLine]) -> usize {
        let lines: Vec<_> = lines.iter().collect();
        let winner = elect(&lines);
        lines.iter().position(|line| std::ptr::eq(*line, winner)).expect("one of these")
    }

    #[test]
    fn the_majority_wins_with_its_deepest_line() {
        let score = Score(20);
        let lines = [line(1, score, 14), line(2, score, 13), line(2, score, 14)];
        assert_eq!(winner_index(&lines), 2);
        assert_eq!(winner_index(&[line(2, score, 9), line(1, score, 9), line(2, score, 14)]), 0);
        assert_eq!(winner_index(&lines[..2]), 0);
    }

    #[test]
    fn depth_and_score_add_weight() {
        assert_eq!(winner_index(&[line(1, Score(20), 5), line(2, Score(20), 14)]), 1);
        assert_eq!(winner_index(&[line(1, Score(20), 14), line(2, Score(90), 14)]), 1);
        let alone =
            winner_index(&[line(1, Score(500), 14), line(2, Score(0), 14), line(2, Score(0), 14)]);
        assert_eq!(alone, 0);
    }

    #[test]
    fn the_main_thread_wins_ties() {
        assert_eq!(winner_index(&[line(1, Score(20), 14), line(2, Score(20), 14)]), 0);
    }

    #[test]
    fn mates_need_no_vote() {
        let wins =
            [line(1, Score(900), 30), line(2, Score::mate_in(9), 9), line(3, Score::mate_in(5), 8)];
        assert_eq!(winner_index(&wins), 2);
        let lost = Score::mated_in(6);
        assert_eq!(winner_index(&[line(1, lost, 8), line(2, Score(-300), 18)]), 0);
        assert_eq!(winner_index(&[line(1, Score(-300), 18), line(2, lost, 8)]), 1);
        assert_eq!(winner_index(&[line(1, Score::mated_in(8), 9), line(2, lost, 8)]), 1);
        assert_eq!(winner_index(&[line(1, lost, 20), line(2, lost, 22)]), 0);
    }
}
