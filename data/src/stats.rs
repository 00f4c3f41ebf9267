//! Statistics of shards.

use std::io::{self, Write};
use std::path::PathBuf;

use tabia::board::GameResult;
use tabia::datagen::{BackRanks, Ending, Game, KeepFilter};
use tabia::text::{ShownPath, visible};

use super::histogram::Histogram;
use super::{DataError, for_each_game, open, percent};

struct Stats {
    filter: KeepFilter,
    bytes: u64,
    games: u64,
    chess960: u64,
    random_plies: u64,
    plies: u64,
    labels: u64,
    interior: u64,
    kept: u64,
    kept_interior: u64,
    results: [u64; GameResult::ALL.len()],
    endings: [u64; Ending::ALL.len()],
    scores: Histogram,
    pieces: Histogram,
    by_ply: Histogram,
}

impl Stats {
    fn new(filter: KeepFilter) -> Self {
        const SCORES: &[u32] = &[0, 25, 50, 100, 200, 400, 800, 1600, 3200, 10_000];
        const PIECES: &[u32] = &[2, 4, 8, 12, 16, 20, 24, 28, 32];
        const PLIES: &[u32] = &[0, 16, 32, 48, 64, 80, 96, 128, 160, 200, 300];
        Self {
            filter,
            bytes: 0,
            games: 0,
            chess960: 0,
            random_plies: 0,
            plies: 0,
            labels: 0,
            interior: 0,
            kept: 0,
            kept_interior: 0,
            results: [0; GameResult::ALL.len()],
            endings: [0; Ending::ALL.len()],
            scores: Histogram::new("score, any sign", SCORES),
            pieces: Histogram::new("pieces", PIECES),
            by_ply: Histogram::new("ply", PLIES),
        }
    }

    fn count(&mut self, game: &Game) {
        self.games += 1;
        self.chess960 += u64::from(game.back_ranks != BackRanks::STANDARD);
        self.random_plies += game.opening.len() as u64;
        self.plies += game.plies.len() as u64;
        self.results[game.verdict.result as usize] += 1;
        self.endings[usize::from(game.verdict.ending.number())] += 1;
        game.for_each_label(|label| {
            let is_kept = self.filter.keeps(label);
            self.labels += 1;
            self.kept += u64::from(is_kept);
            self.scores.add(label.score.0.unsigned_abs(), is_kept);
            self.pieces.add(label.board.occupied().count() as u32, is_kept);
            self.by_ply.add(label.ply as u32, is_kept);
        });
        game.for_each_interior_label(|label| {
            self.interior += 1;
            self.kept_interior += u64::from(self.filter.keeps(label));
        });
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut row = |name: &str, value: String| writeln!(out, "{name:<24}{value:>14}");
        row("games", self.games.to_string())?;
        row("of them Chess960", percent(self.chess960, self.games))?;
        row("random plies", self.random_plies.to_string())?;
        row("plies after them", self.plies.to_string())?;
        row("per game", decimals(self.plies, self.games))?;
        row("labels", self.labels.to_string())?;
        row("kept labels", self.kept.to_string())?;
        row("share kept", percent(self.kept, self.labels))?;
        row("interior labels", self.interior.to_string())?;
        row("kept interior labels", self.kept_interior.to_string())?;
        row("bytes", self.bytes.to_string())?;
        row("bytes per label", decimals(self.bytes, self.labels + self.interior))?;
        let [black, draws, white] = self.results;
        row("White wins", percent(white, self.games))?;
        row("draws", percent(draws, self.games))?;
        row("Black wins", percent(black, self.games))?;
        for (ending, count) in Ending::ALL.into_iter().zip(self.endings) {
            row(ending.text(), percent(count, self.games))?;
        }
        [&self.scores, &self.pieces, &self.by_ply].iter().try_for_each(|table| table.write(out))
    }
}

fn decimals(dividend: u64, divisor: u64) -> String {
    let thousandths = u128::from(dividend) * 1000 / u128::from(divisor.max(1));
    format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
}

/// Writes counts of games, results, endings and bytes of all shards together, and histograms of the
/// labels of played positions by score, pieces and ply: all, and those that the filter keeps.
/// Returns whether no shard is damaged.
///
/// # Errors
/// If a file is not a shard, or if `out` cannot be written.
pub fn stats(
    files: &[PathBuf],
    filter: KeepFilter,
    out: &mut dyn Write,
) -> Result<bool, DataError> {
    let mut stats = Stats::new(filter);
    let mut is_intact = true;
    for path in files {
        let shard = open(path)?;
        stats.bytes += shard.size() as u64;
        let header = &shard.header;
        writeln!(
            out,
            "{}: version {}, {}, seed {}, from game {}, {} nodes",
            ShownPath(path),
            header.version as u16,
            visible(&header.engine),
            header.seed,
            header.first_game,
            header.options.nodes
        )?;
        is_intact &= for_each_game(path, &shard, out, |_, game| {
            stats.count(game);
            Ok(())
        })?;
    }
    stats.write(out)?;
    Ok(is_intact)
}
