//! Checkpoints, from which an interrupted run resumes.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use tabia::files;

use crate::checksum::{self, Checksum, checksum};
use crate::learner::Learner;
use crate::log::LogRow;
use crate::model::ModelParameters;
use crate::recipe::Recipe;

const MAGIC: &[u8; 8] = b"TABIACK5";
/// Maximum size: the parameters have less than 40 MiB, the rest is the log.
const MAX_MIB: u64 = 1024;

/// Identity of a run; checkpoints of other runs are rejected.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RunId {
    /// Checksum of the parsed sections on network, training, distillation and last stage.
    pub recipe: Checksum,
    /// Checksum of the positions.
    pub data: Checksum,
}

impl RunId {
    /// Returns the identity of a recipe with its positions.
    pub fn new(recipe: &Recipe, data: Checksum) -> Self {
        let Recipe { network, training, distillation, last_stage, .. } = recipe;
        let settings = format!("{network:?} {training:?} {distillation:?} {last_stage:?}");
        Self { recipe: checksum([settings.as_bytes()]), data }
    }
}

/// Saves a checkpoint atomically (write, fsync, rename).
pub fn save(path: &Path, id: RunId, learner: &Learner, rows: &[LogRow]) -> io::Result<()> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(id.recipe);
    bytes.extend(id.data);
    bytes.extend(learner.steps.to_le_bytes());
    bytes.extend((rows.len() as u64).to_le_bytes());
    bytes.extend(bytemuck::cast_slice::<LogRow, u8>(rows));
    for part in [&learner.moving, &learner.means, &learner.squares] {
        bytes.extend(part.values().flat_map(|value| value.to_le_bytes()));
    }
    let sum = checksum([&bytes[..]]);
    bytes.extend(sum);
    let new = path.with_extension("checkpoint-new");
    let mut file = File::create(&new)?;
    file.write_all(&bytes)?;
    // Without this, a crash could leave the new name with incomplete contents.
    file.sync_all()?;
    fs::rename(new, path)
}

/// Restores a run and returns its log, empty without a checkpoint.
///
/// # Errors
/// If the file cannot be read, is damaged, or belongs to another version or run.
pub fn restore(path: &Path, id: RunId, learner: &mut Learner) -> io::Result<Vec<LogRow>> {
    let bytes = match files::read(path, MAX_MIB) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        read => read?,
    };
    let damaged = || io::Error::other("damaged checkpoint; delete it to restart the run");
    if !bytes.starts_with(MAGIC) {
        return Err(io::Error::other(
            "checkpoint of another version; delete it to restart the run",
        ));
    }
    let (body, sum) = bytes.split_last_chunk::<{ checksum::LENGTH }>().ok_or_else(damaged)?;
    if checksum([body]) != *sum {
        return Err(damaged());
    }
    let head = [&MAGIC[..], &id.recipe, &id.data].concat();
    let rest = body.strip_prefix(&head[..]).ok_or_else(|| {
        io::Error::other("checkpoint of another run; delete it to start this one")
    })?;
    read(rest, learner).ok_or_else(damaged)
}

/// Reads the rest of a checkpoint; `None` if its length is wrong.
fn read(mut rest: &[u8], learner: &mut Learner) -> Option<Vec<LogRow>> {
    let mut number = || {
        let (head, tail) = rest.split_first_chunk()?;
        rest = tail;
        Some(u64::from_le_bytes(*head))
    };
    let (steps, count) = (number()?, number()?);
    let length = usize::try_from(count).ok()?.checked_mul(size_of::<LogRow>())?;
    let (rows, values) = rest.split_at_checked(length)?;
    let per_part = learner.moving.values().count() * size_of::<f32>();
    if values.len() != 3 * per_part {
        return None;
    }
    let parts = [&mut learner.moving, &mut learner.means, &mut learner.squares];
    for (part, bytes) in parts.into_iter().zip(values.chunks_exact(per_part)) {
        fill(part, bytes);
    }
    learner.network.round_from(&learner.moving);
    learner.steps = steps;
    Some(rows.chunks_exact(size_of::<LogRow>()).map(bytemuck::pod_read_unaligned).collect())
}

fn fill(parameters: &mut ModelParameters, bytes: &[u8]) {
    let (words, _) = bytes.as_chunks();
    for (value, word) in parameters.values_mut().zip(words) {
        *value = f32::from_le_bytes(*word);
    }
}
