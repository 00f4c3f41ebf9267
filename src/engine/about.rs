//! Who made this binary, and how it was built.

/// The version, unique for each release.
pub const VERSION: &str = env!("TABIA_VERSION");

/// The people behind it.
pub const AUTHORS: &str = "the Tabia authors";

/// The answer to who this is, in one line.
pub const ABOUT: &str = concat!(
    "Tabia ",
    env!("TABIA_VERSION"),
    " by the Tabia authors, licence ",
    env!("CARGO_PKG_LICENSE")
);

/// The compiler and its version.
pub const COMPILER: &str = env!("TABIA_RUSTC");

/// The target triple.
pub const TARGET: &str = env!("TABIA_TARGET");

/// The processor features compiled in.
pub const CPU_FEATURES: &str = env!("TABIA_FEATURES");

/// Which checks were compiled in.
pub const PROFILE: &str =
    if cfg!(debug_assertions) { "with debug assertions" } else { "without debug assertions" };
