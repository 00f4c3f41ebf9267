//! How the threads of one search agree on a move.
//!
//! Each has searched the root on its own and ends with a line. Each line votes for its move, with a weight that grows
//! with its depth and with how much better its score is than the worst one: a move that several threads found, or one
//! found at great depth, is more likely right than what one thread happened to end with. A forced win needs no vote.
//! Source: <https://www.chessprogramming.org/Lazy_SMP>

use super::Searcher;
use super::params;
use super::root::ScoredLine;

impl Searcher<'_> {
    /// Hears the lines of the other threads, and answers with the elected one. If that is not our own it is reported, so
    /// that the last line reported stays the answer. With several lines wanted they belong together, and ours count.
    pub(super) fn agree(&mut self, others: impl Iterator<Item = ScoredLine>) {
        // Waiting for the others is part of hearing them.
        let others: Vec<ScoredLine> = others.collect();
        let Some(own) = self.root.lines().first() else { return };
        if others.is_empty() || self.lines_wanted() > 1 {
            return;
        }
        let lines: Vec<&ScoredLine> = std::iter::once(own).chain(&others).collect();
        let elected = elect(&lines);
        if elected.best() != own.best() || elected.score.is_win() && elected.score > own.score {
            let elected = elected.clone();
            self.root.answer_with(elected);
            self.report_lines();
        }
    }
}

/// The line elected from these, of which the first has the casting vote. Of the lines for one move the first stands for
/// it if it is among them, else the deepest.
fn elect<'a>(lines: &[&'a ScoredLine]) -> &'a ScoredLine {
    let first = lines[0];
    let best = first_max(lines.iter().copied(), |line| line.score.0);
    if best.score.is_win() {
        return best;
    }
    let worst = lines.iter().map(|line| line.score.clamp_to_eval().0).min().unwrap_or_default();
    let weight = |line: &ScoredLine| {
        let margin = line.score.clamp_to_eval().0 - worst + params::vote_base();
        i64::from(margin) * i64::from(line.depth.max(1))
    };
    let votes = |candidate: &ScoredLine| -> i64 {
        lines.iter().filter(|line| line.best() == candidate.best()).map(|line| weight(line)).sum()
    };
    let winner = first_max(lines.iter().copied(), votes).best();
    if first.best() == winner {
        return first;
    }
    first_max(lines.iter().copied().filter(|line| line.best() == winner), |line| line.depth)
}

/// The first of the lines with the greatest value; there is a line.
fn first_max<'a, V: Ord>(
    lines: impl Iterator<Item = &'a ScoredLine>,
    value: impl Fn(&ScoredLine) -> V,
) -> &'a ScoredLine {
    lines
        .map(|line| (value(line), line))
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .expect("the own line at least")
        .1
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

    /// The index of the line elected.
    fn elected(lines: &[ScoredLine]) -> usize {
        let lines: Vec<_> = lines.iter().collect();
        let elected = elect(&lines);
        lines.iter().position(|line| std::ptr::eq(*line, elected)).expect("one of these")
    }

    #[test]
    fn the_majority_wins_and_its_deepest_line_speaks() {
        let score = Score(20);
        let lines = [line(1, score, 14), line(2, score, 13), line(2, score, 14)];
        assert_eq!(elected(&lines), 2);
        assert_eq!(elected(&[line(2, score, 9), line(1, score, 9), line(2, score, 14)]), 0);
        assert_eq!(elected(&lines[..2]), 0);
    }

    #[test]
    fn depth_and_score_weigh() {
        assert_eq!(elected(&[line(1, Score(20), 5), line(2, Score(20), 14)]), 1);
        assert_eq!(elected(&[line(1, Score(20), 14), line(2, Score(90), 14)]), 1);
        let alone =
            elected(&[line(1, Score(500), 14), line(2, Score(0), 14), line(2, Score(0), 14)]);
        assert_eq!(alone, 0);
    }

    #[test]
    fn the_first_has_the_casting_vote() {
        assert_eq!(elected(&[line(1, Score(20), 14), line(2, Score(20), 14)]), 0);
    }

    #[test]
    fn mates_are_given_and_put_off() {
        let wins =
            [line(1, Score(900), 30), line(2, Score::mate_in(9), 9), line(3, Score::mate_in(5), 8)];
        assert_eq!(elected(&wins), 2);
        let lost = Score::mated_in(6);
        assert_eq!(elected(&[line(1, lost, 20), line(2, Score(-300), 18)]), 1);
        assert_eq!(elected(&[line(1, lost, 20)]), 0);
    }
}
