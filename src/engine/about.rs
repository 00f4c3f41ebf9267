//! Version and build of the program.

/// Version, unique for each release.
pub const VERSION: &str = env!("TABIA_VERSION");

/// Authors, as the command `uci` names them.
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

/// Target triple that the program was compiled for.
pub const TARGET: &str = env!("TABIA_TARGET");

/// CPU features compiled in.
pub const CPU_FEATURES: &str = env!("TABIA_FEATURES");

/// States whether debug assertions are compiled in.
pub const PROFILE: &str =
    if cfg!(debug_assertions) { "with debug assertions" } else { "without debug assertions" };
