//! Games as bytes: the shard files and the model that compresses the games (docs/data-format.md).
//!
//! | file | contents |
//! |---|---|
//! | `shard.rs`, `writer.rs`, `bytes.rs` | shard files |
//! | `model.rs`, `order.rs`, `coder.rs` | the games of a block |
//! | `packing.rs` | packed pieces of training records |

mod bytes;
mod coder;
mod model;
mod order;
mod packing;
mod shard;
mod writer;

pub use packing::PackedPieces;
pub use shard::{
    Damage, DamageKind, Shard, ShardBlock, ShardBlocks, ShardError, ShardHeader, Version,
    encode_block,
};
pub(super) use writer::ShardWriter;
pub use writer::WriteError;
