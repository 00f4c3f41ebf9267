//! Results of an earlier run, from its JSON lines.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde::Deserialize;

use crate::files;

const MAX_MIB: u64 = 64;

#[derive(Clone, PartialEq, Eq, Deserialize, Debug)]
pub(super) struct EarlierResult {
    pub(super) id: String,
    pub(super) solved: bool,
    pub(super) points: u32,
}

/// Results by the names of the positions.
pub(super) struct EarlierRun(HashMap<String, EarlierResult>);

impl EarlierRun {
    /// Reads the JSON lines of a run; other lines are skipped.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let text = files::read_text(path, MAX_MIB)?;
        let results = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        let results: HashMap<String, EarlierResult> =
            results.map(|result: EarlierResult| (result.id.clone(), result)).collect();
        if results.is_empty() {
            let message = "it has no results, expected the output of 'tabia epd … --json'";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(Self(results))
    }

    pub(super) fn get(&self, id: &str) -> Option<&EarlierResult> {
        self.0.get(id)
    }
}
