//! The pool of search threads (lazy SMP), and the ways to run a search: in the pool, on the calling
//! thread, recorded.
//!
//! Each thread deepens iteratively (`iterate.rs`). At the end the threads vote (`vote.rs`).

mod iterate;
mod local;
#[cfg(feature = "tree")]
mod record;
mod run;
mod solo;
mod threads;
mod vote;

#[cfg(feature = "tree")]
pub use record::record;
pub use run::{run, run_until};
pub use solo::SoloSearch;
pub use threads::{PoolError, STACK_BYTES, SearchHandle, SearchPool};
