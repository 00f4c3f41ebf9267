//! Names and explanations of what a search records.

use tabia::search::{NodeEnding, NodeKind, Pruning, RecordedNode};
use tabia::types::Score;

/// Words for an ending or a pruning.
pub(crate) struct Words {
    /// Name in JSON and of the colour.
    pub(crate) key: &'static str,
    /// Abbreviation for rows.
    pub(crate) short: &'static str,
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

const fn words(
    key: &'static str,
    short: &'static str,
    name: &'static str,
    text: &'static str,
) -> Words {
    Words { key, short, name, text }
}

pub(crate) const fn of_ending(ending: NodeEnding) -> Words {
    match ending {
        NodeEnding::Razoring => words(
            "razoring",
            "razoring",
            "Razoring",
            "The evaluation is far below alpha and the depth is small. The score is that of \
             quiescence search.",
        ),
        NodeEnding::ReverseFutility => words(
            "reverse_futility",
            "RFP",
            "Reverse futility pruning",
            "The evaluation is far above beta and the depth is small.",
        ),
        NodeEnding::NullMove => words(
            "null_move",
            "NMP",
            "Null-move pruning",
            "The side to move passes and still fails high in a reduced search.",
        ),
        NodeEnding::ProbCut => words(
            "probcut",
            "ProbCut",
            "ProbCut",
            "A capture beats beta by a margin in a reduced search.",
        ),
        NodeEnding::MultiCut => words(
            "multi_cut",
            "multi-cut",
            "Multi-cut",
            "In the singular search, a move other than the TT move reaches beta too.",
        ),
        NodeEnding::TtCutoff => words(
            "tt_cutoff",
            "TT",
            "Transposition table cutoff",
            "The transposition table has a score of sufficient depth, or a proven mate, whose \
             bound decides the node.",
        ),
        NodeEnding::Rule => words(
            "rule",
            "rule",
            "Draw or mate distance",
            "A draw by repetition, also one that the mover can reach, by the fifty-move rule or \
             material, a line longer than a mate already found, or one of the maximum length.",
        ),
        NodeEnding::Tablebase => {
            words("tablebase", "tablebase", "Tablebase", "A tablebase has the result.")
        }
        NodeEnding::StandPat => words(
            "stand_pat",
            "stand pat",
            "Stand pat",
            "In quiescence search, the evaluation reaches beta without a capture.",
        ),
        NodeEnding::BetaCutoff => words(
            "beta_cutoff",
            "cutoff",
            "Beta cutoff",
            "A move fails high. The number is that of the move in the order of search.",
        ),
        NodeEnding::AllMoves => words(
            "all_moves",
            "fail low",
            "All moves searched",
            "No move reaches beta. In the main search, a score above alpha is exact, or the draw \
             that a repetition secures; otherwise the node fails low.",
        ),
        NodeEnding::NoMoves => words(
            "no_moves",
            "no move",
            "No move",
            "Checkmate or stalemate; in quiescence search, no capture.",
        ),
        NodeEnding::Stopped => {
            words("stopped", "stopped", "Stopped", "The search was stopped in this node.")
        }
    }
}

pub(crate) const fn of_pruning(pruning: Pruning) -> Words {
    match pruning {
        Pruning::LateMove => words(
            "late_move",
            "LMP",
            "Late move pruning",
            "Enough moves were tried at this depth. In the main search, all later quiet moves are \
             left out too.",
        ),
        Pruning::Futility => words(
            "futility",
            "FP",
            "Futility pruning",
            "The evaluation and a margin are below alpha; in quiescence search also called delta \
             pruning.",
        ),
        Pruning::History => words(
            "history",
            "history",
            "History pruning",
            "The quiet move has a bad history and the depth is small.",
        ),
        Pruning::See => words(
            "see",
            "SEE",
            "SEE pruning",
            "The move loses too much material by static exchange evaluation (SEE).",
        ),
    }
}

/// Describes how a node ended, for its row.
pub(crate) fn ending_text(node: &RecordedNode) -> String {
    let short = of_ending(node.ending).short;
    match node.ending {
        NodeEnding::BetaCutoff => format!("{short} {}", node.searched),
        NodeEnding::AllMoves if node.depth > 0 && node.score > Some(node.alpha) => {
            "exact".to_owned()
        }
        NodeEnding::NoMoves => match node.kind {
            NodeKind::Singular => "no other move".to_owned(),
            _ if node.score.is_some_and(Score::is_mate) => "checkmate".to_owned(),
            _ if node.depth == 0 => "no capture".to_owned(),
            _ => "stalemate".to_owned(),
        },
        _ => short.to_owned(),
    }
}

/// Describes the search that a node belongs to; empty for an ordinary one.
pub(crate) const fn kind_text(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Main | NodeKind::Quiescence => "",
        NodeKind::NullMove => "null move",
        NodeKind::Verification => "verification of the null move",
        NodeKind::Razoring => "quiescence search for razoring",
        NodeKind::ProbCut => "ProbCut",
        NodeKind::Singular => "singular search without",
    }
}

/// Formats a score in hundredths of a pawn. Decisive scores have their distance from the root in
/// plies.
pub(crate) fn node_score_text(score: Score) -> String {
    let plies = |best: Score| best.0 - score.0.abs();
    match score {
        _ if score >= Score::INFINITE => "∞".to_owned(),
        _ if score <= -Score::INFINITE => "−∞".to_owned(),
        _ if score.is_mate() && score.is_win() => format!("mate {}", plies(Score::MATE)),
        _ if score.is_mate() => format!("mated {}", plies(Score::MATE)),
        _ if score.is_win() => format!("win {}", plies(Score::TABLEBASE)),
        _ if score.is_loss() => format!("loss {}", plies(Score::TABLEBASE)),
        Score(0) => "0".to_owned(),
        Score(value) => format!("{value:+}").replace('-', "−"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_readable() {
        for (score, text) in [
            (Score(23), "+23"),
            (Score(-7), "−7"),
            (Score::DRAW, "0"),
            (Score::INFINITE, "∞"),
            (-Score::INFINITE, "−∞"),
            (Score::mate_in(3), "mate 3"),
            (Score::mated_in(2), "mated 2"),
            (Score::tablebase_win_in(4), "win 4"),
            (-Score::tablebase_win_in(4), "loss 4"),
        ] {
            assert_eq!(node_score_text(score), text);
        }
    }
}
