//! Reasons for which a node ends and for which a move is pruned.

/// Reason for which the search of a node ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NodeEnding {
    /// Razoring: the score is that of quiescence search.
    Razoring,
    /// Reverse futility pruning (RFP).
    ReverseFutility,
    /// Null-move pruning (NMP).
    NullMove,
    /// ProbCut: a capture beat a raised beta.
    ProbCut,
    /// Multi-cut in the singular search.
    MultiCut,
    /// TT cutoff by a bound of sufficient depth, or by a proven mate.
    TtCutoff,
    /// Draw by rule, upcoming repetition, maximum length of a line, or mate distance pruning.
    Rule,
    /// Score from a tablebase probe.
    Tablebase,
    /// Static evaluation of at least beta in quiescence search.
    StandPat,
    /// Fail high of the last move searched.
    BetaCutoff,
    /// All moves searched or pruned, without a fail high.
    AllMoves,
    /// No move to search: mate, stalemate, no capture in quiescence search, no other move in a
    /// singular search.
    NoMoves,
    /// Search stopped before the node ended.
    Stopped,
}

/// Heuristic that pruned a single move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Pruning {
    /// Late move pruning (LMP). In the main search it prunes all later quiet moves too.
    LateMove,
    /// Futility pruning (FP), in quiescence search delta pruning.
    Futility,
    /// Pruning of a quiet move by its history.
    History,
    /// Pruning by static exchange evaluation (SEE).
    See,
}

impl NodeEnding {
    /// All endings, in the order of their numbers.
    pub const ALL: [Self; 13] = [
        Self::Razoring,
        Self::ReverseFutility,
        Self::NullMove,
        Self::ProbCut,
        Self::MultiCut,
        Self::TtCutoff,
        Self::Rule,
        Self::Tablebase,
        Self::StandPat,
        Self::BetaCutoff,
        Self::AllMoves,
        Self::NoMoves,
        Self::Stopped,
    ];
}

impl Pruning {
    /// All heuristics, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::LateMove, Self::Futility, Self::History, Self::See];
}
