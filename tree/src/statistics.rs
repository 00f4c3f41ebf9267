//! Statistics of the iterations, as text and as JSON lines.

use std::collections::BTreeMap;

use serde::Serialize;

use tabia::search::{IterationCounts, NodeEnding, Pruning};
use tabia::tools::json::hundredths;
use tabia::types::Depth;

use crate::words::{of_ending, of_pruning};

/// Endings with a column of their own in the second table.
const COLUMNS: [(&str, NodeEnding); 10] = [
    ("TT", NodeEnding::TtCutoff),
    ("cutoff", NodeEnding::BetaCutoff),
    ("stand", NodeEnding::StandPat),
    ("RFP", NodeEnding::ReverseFutility),
    ("NMP", NodeEnding::NullMove),
    ("razor", NodeEnding::Razoring),
    ("ProbCut", NodeEnding::ProbCut),
    ("multi", NodeEnding::MultiCut),
    ("all", NodeEnding::AllMoves),
    ("none", NodeEnding::NoMoves),
];

/// Record documented in docs/json.md.
#[derive(Serialize)]
pub(crate) struct IterationRecord {
    depth: Depth,
    windows: u64,
    nodes: u64,
    quiescence: u64,
    branching: Option<f64>,
    tt_probes: u64,
    tt_hits: u64,
    first_move_cutoffs: u64,
    singular_searches: u64,
    endings: BTreeMap<&'static str, u64>,
    pruned: BTreeMap<&'static str, u64>,
}

impl IterationRecord {
    pub(crate) fn new(counts: &IterationCounts, before: Option<&IterationCounts>) -> Self {
        let ended = |ending| (of_ending(ending).key, counts.ended(ending));
        let pruned = |pruning| (of_pruning(pruning).key, counts.pruned(pruning));
        Self {
            depth: counts.depth,
            windows: counts.windows,
            nodes: counts.nodes,
            quiescence: counts.quiescence,
            branching: branching(counts, before).map(hundredths),
            tt_probes: counts.tt_probes,
            tt_hits: counts.tt_hits,
            first_move_cutoffs: counts.first_move_cutoffs,
            singular_searches: counts.singular_searches,
            endings: NodeEnding::ALL.into_iter().map(ended).collect(),
            pruned: Pruning::ALL.into_iter().map(pruned).collect(),
        }
    }
}

/// Returns the effective branching factor: nodes divided by those of the iteration before.
pub(crate) fn branching(counts: &IterationCounts, before: Option<&IterationCounts>) -> Option<f64> {
    before.map(|before| counts.nodes as f64 / before.nodes as f64)
}

pub(crate) const HEADINGS: [&str; 8] =
    ["depth", "windows", "nodes", "in QS", "branching", "TT hits", "cutoffs", "by first"];

/// Returns the cells of a row below [`HEADINGS`].
pub(crate) fn cells(counts: &IterationCounts, before: Option<&IterationCounts>) -> [String; 8] {
    let cutoffs = counts.ended(NodeEnding::BetaCutoff);
    [
        counts.depth.to_string(),
        counts.windows.to_string(),
        counts.nodes.to_string(),
        percent(counts.quiescence, counts.nodes),
        branching(counts, before).map_or_else(String::new, |branching| format!("{branching:.2}")),
        percent(counts.tt_hits, counts.tt_probes),
        cutoffs.to_string(),
        percent(counts.first_move_cutoffs, cutoffs),
    ]
}

/// Returns a share in percent; empty if `all` is 0.
pub(crate) fn percent(part: u64, all: u64) -> String {
    if all == 0 {
        return String::new();
    }
    format!("{:.0} %", 100.0 * part as f64 / all as f64)
}

/// Returns both tables as text.
pub(crate) fn lines(iterations: &[IterationCounts]) -> Vec<String> {
    let mut statistics = vec![HEADINGS.map(str::to_owned).to_vec()];
    let headings = [&["depth"], &COLUMNS.map(|(heading, _)| heading)[..], &["other"]].concat();
    let mut endings: Vec<Vec<String>> = vec![headings.iter().map(ToString::to_string).collect()];
    let mut before = None;
    for counts in iterations {
        statistics.push(cells(counts, before).to_vec());
        let ended = COLUMNS.map(|(_, ending)| counts.ended(ending));
        let other = counts.nodes - ended.iter().sum::<u64>();
        let numbers = [&[counts.depth as u64], &ended[..], &[other]].concat();
        endings.push(numbers.iter().map(u64::to_string).collect());
        before = Some(counts);
    }
    let mut lines = aligned(&statistics);
    lines.extend([String::new(), "Nodes by how they ended:".to_owned()]);
    lines.extend(aligned(&endings));
    lines
}

/// Aligns the columns to the right.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let cell = |(column, cell): (usize, &String)| format!("{cell:>width$}", width = width(column));
    let cells = |row: &Vec<String>| row.iter().enumerate().map(cell).collect::<Vec<_>>();
    rows.iter().map(|row| cells(row).join("  ").trim_end().to_owned()).collect()
}
