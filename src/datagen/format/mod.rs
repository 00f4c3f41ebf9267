//! Games as bytes: the shard files and the model that compresses the games (docs/data-format.md).
//!
//! | file | contents |
//! |---|---|
//! | `shard.rs`, `shard_writer.rs`, `bytes.rs` | shard files |
//! | `model.rs`, `order.rs`, `coder.rs` | the games of a block |
//! | `packing.rs` | packed pieces of training records |

mod bytes;
mod coder;
mod model;
mod order;
mod packing;
mod shard;
mod shard_writer;

pub use packing::PackedPieces;
pub use shard::{
    Damage, DamageKind, Shard, ShardBlock, ShardBlocks, ShardError, ShardHeader, encode_block,
};
pub(super) use shard_writer::ShardWriter;
pub use shard_writer::WriteError;

use super::options::GameOptions;

/// Version of the format.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Version {
    /// Every ply after the opening is a label. No longer written. It is read for the recipes in
    /// `nets/` whose games have it.
    One = 1,
    /// Each ply has a label flag. Labels may have interior labels.
    Two = 2,
}

impl Version {
    /// Version that is written.
    pub const NEWEST: Self = Self::Two;

    const fn from_number(number: u16) -> Option<Self> {
        match number {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            _ => None,
        }
    }

    const fn option_count(self) -> usize {
        match self {
            Self::One => GameOptions::VERSION_1,
            Self::Two => GameOptions::TABLE.len(),
        }
    }
}
