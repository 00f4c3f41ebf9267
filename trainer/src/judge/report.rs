//! The figures of a network as text.

use std::fmt;

use super::{Change, FreshComparison, GROUPS, GroupError, Judge, Judgement, Progress};

/// A network that others are compared with.
#[derive(Copy, Clone)]
pub struct Comparison<'a> {
    /// Name of the network.
    pub name: &'a str,
    /// Figures of the network.
    pub judgement: &'a Judgement,
}

/// The last line of a report: the figures of a network in short.
pub struct Summary<'a> {
    /// Name of the network.
    pub name: &'a str,
    /// Figures of the network.
    pub judgement: &'a Judgement,
    /// Progress of the network, and the name of the one before.
    pub progress: Option<(f64, &'a str)>,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Judgement { five, one, .. } = self.judgement;
        write!(f, "{}: error {five:.4} (five divisors), {:.4} (one)", self.name, one.error.value)?;
        match self.progress {
            Some((progress, over)) => write!(f, ", progress {progress:.2} over {over}"),
            None => Ok(()),
        }
    }
}

/// Returns the report of a network: a table by groups of men, the comparison with another network
/// if there is one, and the summary as the last line.
pub fn report(judge: &Judge, name: &str, own: &Judgement, over: Option<Comparison<'_>>) -> String {
    let mut text = format!("{name}\n\n   men  error                divisor\n");
    let mut row = |men: &str, GroupError { error, divisor }: GroupError| {
        text += &format!("{men:>6}  {error}  {divisor:>7.0}\n");
    };
    for (group, error) in GROUPS.iter().zip(own.groups) {
        row(&group.to_string(), error);
    }
    row("all", own.one);
    text += &format!("{:>6}  {}     five\n\n", "all", own.five);
    let mut progress = None;
    if let Some(Comparison { name, judgement }) = over {
        let Progress { way, rest, gap_before, gap } = judge.progress(own, judgement);
        let (difference, ratio) = (own.difference(judgement), own.ratio(judgement));
        let (low, high) = ratio.interval();
        text += &format!(
            "error with five divisors, over {name}: {difference}, \
             ratio {:.4} ({low:.4} to {high:.4} with 95 %)\n\
             progress over {name}: {way:.3}, rest {rest:.5}, \
             gap {gap_before:.5} before, {gap:.5} now\n\n",
            ratio.value
        );
        progress = Some((way.value, name));
    }
    text + &Summary { name, judgement: own, progress }.to_string() + "\n"
}

/// Returns the report of the change from the network `old` to `name` on fresh games.
pub fn fresh_report(name: &str, old: &str, figures: &FreshComparison) -> String {
    let FreshComparison { games, groups, all } = figures;
    let mut text = format!(
        "{name} over {old}, {games} games\n\n   \
         men    labels     loss  difference             moved    slope\n"
    );
    let mut row = |men: &str, change: &Change| {
        let Change { labels, old_loss, difference, moved, slope } = *change;
        text += &format!("{men:>6}  {labels:>8}  {old_loss:.5}  {:+.6} ± ", difference.value);
        text += &format!("{:.6}  {moved:.5}", difference.error);
        if moved > 0.0 {
            text += &format!("  {slope:.2}");
        }
        text += "\n";
    };
    for (group, change) in GROUPS.iter().zip(groups).filter(|(_, change)| change.labels > 0) {
        row(&group.to_string(), change);
    }
    row("all", all);
    text
}
