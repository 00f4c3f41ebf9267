//! The pool of search threads (lazy SMP), and the ways to run a search: in the pool, on the calling
//! thread, recorded.
//!
//! Each thread deepens iteratively (`iterate.rs`). At the end the threads vote (`vote.rs`).

mod blocking;
mod iterate;
mod local_worker;
#[cfg(feature = "tree")]
mod record;
mod solo;
mod threads;
mod vote;

pub use blocking::{run, run_until};
#[cfg(feature = "tree")]
pub use record::record;
pub use solo::SoloSearch;
pub use threads::{PoolError, STACK_BYTES, SearchHandle, SearchPool};
