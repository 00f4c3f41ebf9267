//! Histogram of a number, over all positions and over the kept ones.

use std::io::{self, Write};

use super::percent;

pub(super) struct Histogram {
    name: &'static str,
    /// First number of each row, ascending. The first one is the least possible number.
    edges: &'static [u32],
    all: Vec<u64>,
    kept: Vec<u64>,
}

impl Histogram {
    pub(super) fn new(name: &'static str, edges: &'static [u32]) -> Self {
        Self { name, edges, all: vec![0; edges.len()], kept: vec![0; edges.len()] }
    }

    pub(super) fn add(&mut self, value: u32, is_kept: bool) {
        let row = self.edges.partition_point(|&edge| edge <= value) - 1;
        self.all[row] += 1;
        self.kept[row] += u64::from(is_kept);
    }

    /// Writes for each row its share of all and of the kept positions, and the share of its own
    /// positions that is kept.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n{:<16}{:>8}{:>8}{:>12}", self.name, "all", "kept", "share kept")?;
        let total_all: u64 = self.all.iter().sum();
        let total_kept: u64 = self.kept.iter().sum();
        for (row, &edge) in self.edges.iter().enumerate() {
            let range = match self.edges.get(row + 1) {
                Some(next) if *next == edge + 1 => format!("{edge}"),
                Some(next) => format!("{edge}-{}", next - 1),
                None => format!("{edge}-"),
            };
            let (all, kept) = (self.all[row], self.kept[row]);
            writeln!(
                out,
                "{range:<16}{:>8}{:>8}{:>12}",
                percent(all, total_all),
                percent(kept, total_kept),
                percent(kept, all)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_begin_at_their_edges() {
        let mut histogram = Histogram::new("ply", &[0, 1, 16]);
        for (value, is_kept) in [(0, false), (1, true), (15, false), (16, true), (9999, true)] {
            histogram.add(value, is_kept);
        }
        assert_eq!((&histogram.all[..], &histogram.kept[..]), (&[1, 2, 2][..], &[0, 1, 2][..]));
        let mut report = Vec::new();
        histogram.write(&mut report).expect("a vector takes every byte");
        let report = String::from_utf8(report).expect("the report is text");
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            report.lines().skip(2).map(words).collect::<Vec<_>>(),
            ["0 20.0 % 0.0 % 0.0 %", "1-15 40.0 % 33.3 % 50.0 %", "16- 40.0 % 66.7 % 100.0 %"]
        );
    }
}
