//! Searches the positions of a suite.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::FenStyle;
use crate::eval::chances::normalised;
use crate::files;
use crate::platform::Room;
use crate::search::{Info, PoolError};
use crate::text::{ShownPath, percent, short};
use crate::tools::Monitor;
use crate::tools::analyser::{Analyser, Finding, SearchSetup};
use crate::tools::json::{self, ScoreRecord};
use crate::types::{Depth, Score};

use super::position::EpdPosition;

/// Maximum size of a suite, and of an earlier run.
const MAX_MIB: u64 = 64;
const MAX_LINE_BYTES: usize = 1 << 20;
/// Letters of a name that are shown.
const MAX_ID: usize = 20;

/// Suite, search and output of a run.
#[derive(Clone, Debug)]
pub struct EpdOptions {
    /// File of the suite; `-` for standard input.
    pub suite: PathBuf,
    /// Limits and resources of each search.
    pub setup: SearchSetup,
    /// JSON lines of an earlier run to compare with.
    pub compare: Option<PathBuf>,
    /// Writes JSON lines instead of the table.
    pub json: bool,
    /// Counts a line that cannot be run as a failure.
    pub strict: bool,
}

/// Reason why a suite is not searched.
#[derive(Debug, Error)]
pub enum EpdError {
    /// The search cannot be prepared.
    #[error(transparent)]
    Setup(PoolError),
    /// A file cannot be read.
    #[error("cannot read {}: {}", ShownPath(.0), .1)]
    Read(PathBuf, io::Error),
    /// The suite has no positions.
    #[error("no positions found")]
    Empty,
}

/// Record documented in docs/json.md.
#[derive(Serialize)]
struct PositionRecord {
    id: String,
    fen: String,
    task: String,
    solved: bool,
    points: u32,
    most_points: u32,
    san: Option<String>,
    score: ScoreRecord,
    /// Time and nodes after which the search kept a solution.
    solution_ms: Option<f64>,
    solution_nodes: Option<u64>,
    depth: Depth,
    time_ms: f64,
    nodes: u64,
    earlier_solved: Option<bool>,
}

/// Result of a position in an earlier run.
#[derive(Clone, PartialEq, Eq, Deserialize, Debug)]
struct EarlierResult {
    id: String,
    solved: bool,
    points: u32,
}

/// Sums of a run, documented in docs/json.md.
#[derive(Clone, Default, PartialEq, Serialize, Debug)]
struct Summary {
    positions: usize,
    solved: usize,
    points: u64,
    most_points: u64,
    solution_ms: Option<f64>,
    time_ms: f64,
    nodes: u64,
    /// Lines that cannot be run.
    left_out: usize,
    compared: Option<Compared>,
}

/// Differences from an earlier run, among the common positions.
#[derive(Clone, Default, PartialEq, Serialize, Debug)]
struct Compared {
    positions: usize,
    points: i64,
    gained: Vec<String>,
    lost: Vec<String>,
}

/// Searches each position of a suite. The sink receives a row for each, then the sums; the monitor
/// the lines that cannot be run. Returns false if there are any and the options are strict.
///
/// # Errors
/// If the search cannot be prepared, a file cannot be read, or there are no positions.
pub fn run(
    options: &EpdOptions,
    sink: &mut dyn FnMut(&str),
    monitor: &mut dyn Monitor,
) -> Result<bool, EpdError> {
    let failed = |path: &PathBuf, error| EpdError::Read(path.clone(), error);
    let suite = &options.suite;
    let text = files::read_text_or_stdin(suite, MAX_MIB).map_err(|error| failed(suite, error))?;
    // A position takes many times its line.
    let bytes = text.lines().count() * 2 * size_of::<(String, EpdPosition)>();
    Room::check(bytes as u64).map_err(|error| failed(suite, error))?;
    let (positions, faults) = parse(&text);
    for (line, fault) in &faults {
        monitor.message(&format!("error: line {line}: {fault}"));
    }
    if positions.is_empty() {
        return Err(EpdError::Empty);
    }
    let earlier = match &options.compare {
        Some(path) => Some(read_earlier(path).map_err(|error| failed(path, error))?),
        None => None,
    };
    let mut analyser = Analyser::new(&options.setup).map_err(EpdError::Setup)?;
    let mut summary =
        Summary { compared: earlier.is_some().then(Compared::default), ..Summary::default() };
    summary.left_out = faults.len();
    if !options.json {
        sink(&header());
    }
    let mut solution_times = Vec::new();
    for (index, (id, position)) in positions.iter().enumerate() {
        monitor.progress(Some(index as f64 / positions.len() as f64), &short(id, MAX_ID));
        analyser.clear();
        let found = analyser.search(&position.board);
        let before = earlier.as_ref().and_then(|run| run.get(id));
        let record = PositionRecord::new(id, position, &found, before);
        summary.add(&record, before);
        solution_times.extend(record.solution_ms);
        sink(&if options.json { json::line("epd", &record) } else { record.row() });
    }
    let count = solution_times.len();
    let mean = || solution_times.iter().sum::<f64>() / count as f64;
    summary.solution_ms = (count > 0).then(|| (mean() * 1e3).round() / 1e3);
    summary.time_ms = (summary.time_ms * 1e3).round() / 1e3;
    sink(&if options.json { json::line("epd summary", &summary) } else { summary.text() });
    Ok(!options.strict || faults.is_empty())
}

/// Positions with their names, and lines that cannot be run with the reason.
type Suite = (Vec<(String, EpdPosition)>, Vec<(usize, String)>);

/// Parses a suite; skips empty lines and comments, which begin with `#`, `;` or `%`. Positions with
/// no name, or a repeated one, get their number.
fn parse(text: &str) -> Suite {
    let mut positions = Vec::new();
    let mut faults = Vec::new();
    let mut names = HashSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.trim_start().starts_with(['#', ';', '%']) {
            continue;
        }
        if line.len() > MAX_LINE_BYTES {
            let reason = format!("longer than the maximum of {} KiB", MAX_LINE_BYTES >> 10);
            faults.push((number, reason));
            continue;
        }
        let position = match EpdPosition::parse(line) {
            Ok(position) => position,
            Err(error) => {
                faults.push((number, error.to_string()));
                continue;
            }
        };
        let number = format!("#{}", positions.len() + 1);
        let id = match position.id.clone() {
            Some(id) if names.insert(id.clone()) => id,
            Some(id) => format!("{id} {number}"),
            None => number,
        };
        positions.push((id, position));
    }
    (positions, faults)
}

/// Reads the results of an earlier run by the names of its positions, from its JSON lines; skips
/// other lines.
fn read_earlier(path: &Path) -> io::Result<HashMap<String, EarlierResult>> {
    let text = files::read_text(path, MAX_MIB)?;
    let results: HashMap<String, EarlierResult> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .map(|result: EarlierResult| (result.id.clone(), result))
        .collect();
    if results.is_empty() {
        let message = "it has no results, expected the output of 'tabia epd … --json'";
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(results)
}

impl PositionRecord {
    fn new(
        id: &str,
        position: &EpdPosition,
        found: &Finding,
        before: Option<&EarlierResult>,
    ) -> Self {
        let EpdPosition { board, task, .. } = position;
        let most_points = task.most_points();
        let points_of = |mv, score: Score| task.points(mv, score.mate_moves());
        let points = points_of(found.outcome.best, found.outcome.score);
        let is_solved = points == most_points;
        let is_solution =
            |info: &Info| points_of(info.pv.first().copied(), info.score) == most_points;
        let solution = is_solved.then(|| solution_info(&found.infos, is_solution)).flatten();
        let last = found.infos.last();
        let white = normalised(found.outcome.score).for_white(board.side_to_move());
        Self {
            id: id.to_owned(),
            fen: board.fen(FenStyle::Standard),
            task: task.describe(board),
            solved: is_solved,
            points,
            most_points,
            san: found.outcome.best.map(|mv| board.san(mv)),
            score: ScoreRecord::for_white(white),
            solution_ms: solution.map(|info| milliseconds(info.time)),
            solution_nodes: solution.map(|info| info.nodes),
            depth: last.map_or(0, |info| info.depth),
            time_ms: last.map_or(0.0, |info| milliseconds(info.time)),
            nodes: found.outcome.nodes,
            earlier_solved: before.map(|result| result.solved),
        }
    }

    fn row(&self) -> String {
        let Self { id, task, depth, .. } = self;
        let mark = match (self.solved, self.points) {
            (true, _) => "yes",
            (false, 0) => "NO",
            (false, _) => "part",
        };
        let change = match (self.earlier_solved, self.solved) {
            (Some(false), true) => "gained",
            (Some(true), false) => "lost",
            _ => "",
        };
        let san = self.san.as_deref().unwrap_or("-");
        let time = self.solution_ms.map_or("-".to_owned(), seconds);
        let nodes = self.solution_nodes.map_or("-".to_owned(), |nodes| nodes.to_string());
        let row = format!(
            "{:<20} {mark:<6} {san:<7} {:<16} {depth:>5} {time:>8} {nodes:>10} {change}",
            short(id, MAX_ID),
            short(task, 16),
        );
        row.trim_end().to_owned()
    }
}

fn header() -> String {
    format!(
        "{:<20} {:<6} {:<7} {:<16} {:>5} {:>8} {:>10}",
        "position", "solved", "move", "wanted", "depth", "after s", "nodes"
    )
}

/// Returns the first line of the final run of lines that are all solutions.
fn solution_info(infos: &[Info], is_solution: impl Fn(&Info) -> bool) -> Option<&Info> {
    let unsolved = infos.iter().rposition(|info| !is_solution(info));
    infos.get(unsolved.map_or(0, |index| index + 1))
}

impl Summary {
    fn add(&mut self, record: &PositionRecord, before: Option<&EarlierResult>) {
        self.positions += 1;
        self.solved += usize::from(record.solved);
        self.points += u64::from(record.points);
        self.most_points += u64::from(record.most_points);
        self.time_ms += record.time_ms;
        self.nodes += record.nodes;
        if let (Some(compared), Some(before)) = (&mut self.compared, before) {
            compared.positions += 1;
            compared.points += i64::from(record.points) - i64::from(before.points);
            match (before.solved, record.solved) {
                (false, true) => compared.gained.push(record.id.clone()),
                (true, false) => compared.lost.push(record.id.clone()),
                _ => {}
            }
        }
    }

    fn text(&self) -> String {
        let Self { positions, solved, points, most_points, nodes, .. } = self;
        let share = percent(*solved as f64 / (*positions).max(1) as f64);
        let mut text = format!("\nSolved {solved} of {positions} ({share})");
        if *most_points != *positions as u64 {
            text += &format!(", {points} of {most_points} points");
        }
        if self.left_out > 0 {
            text += &format!(", lines left out: {}", self.left_out);
        }
        if let Some(time) = self.solution_ms {
            text += &format!(", on average after {} s", seconds(time));
        }
        text += &format!("\nTime {} s, nodes {nodes}", seconds(self.time_ms));
        if let Some(Compared { positions, points, gained, lost }) = &self.compared {
            let (gain, loss) = (gained.len(), lost.len());
            text += &format!(
                "\nCompared with the earlier run: {positions} positions, gained {gain}, lost \
                 {loss}, points {points:+}"
            );
        }
        text
    }
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn seconds(milliseconds: f64) -> String {
    format!("{:.2}", milliseconds / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;";
        let text = format!(
            "# a suite\n; of\n % four\n{line} id \"a\";\n8/8 w - - bm e4;\n{line}\n{line} id \"a\";\n\
             {line} bm{};",
            " e4".repeat(400_000)
        );
        let (positions, faults) = parse(&text);
        let names: Vec<&str> = positions.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(names, ["a", "#2", "a #3"]);
        assert!(faults.len() == 2 && faults[0].1.starts_with("bad FEN"), "{faults:?}");
        assert_eq!(faults[1], (8, "longer than the maximum of 1024 KiB".to_owned()));
        assert_eq!(parse("# nothing\n").0.len(), 0);
    }
}
