//! Version and build of the program.

/// Version, with the commit in builds from a repository that are no release.
pub const VERSION: &str = env!("TABIA_VERSION");

/// Name and version in one line.
pub const NAME_AND_VERSION: &str = concat!("tabia ", env!("TABIA_VERSION"));

/// Authors in the reply to `uci`.
pub const AUTHORS: &str = "the Tabia authors";

/// Name, version, authors and licence in one line.
pub const ABOUT: &str = concat!(
    "Tabia ",
    env!("TABIA_VERSION"),
    " by the Tabia authors, licence ",
    env!("CARGO_PKG_LICENSE")
);

/// Compiler and its version.
pub const COMPILER: &str = env!("TABIA_RUSTC");

/// Target triple of the build.
pub const TARGET: &str = env!("TABIA_TARGET");

/// CPU features compiled in.
pub const CPU_FEATURES: &str = env!("TABIA_FEATURES");

/// States whether debug assertions are compiled in.
pub const PROFILE: &str =
    if cfg!(debug_assertions) { "with debug assertions" } else { "without debug assertions" };
