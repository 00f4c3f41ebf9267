//! The machine: what operating systems and hosts do differently, and what the engine asks of them.
//!
//! `unix.rs`, `windows.rs` and `other.rs` have the same items, which are about files. `terminal`
//! has keys and the end of the output, for the program only. The other files hold a subject each:
//! the memory that is available, the limit on the size of files, huge pages, prefetching, the
//! clock, standard output.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod clock;
mod file_size;
mod huge_pages;
mod memory;
#[cfg(not(any(unix, windows)))]
mod other;
#[cfg(feature = "cli")]
pub(crate) mod output;
mod prefetch;
#[cfg(feature = "cli")]
pub(crate) mod terminal;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::{Instant, set_clock};
pub use file_size::survive_file_size_limit;
pub(crate) use huge_pages::advise_huge_pages;
pub use memory::Room;
#[cfg(not(any(unix, windows)))]
pub(crate) use other::*;
pub(crate) use prefetch::prefetch;
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;

/// True if the host can start threads.
pub(crate) const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));
