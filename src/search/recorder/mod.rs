//! Recorder of a search: the nodes of its tree, and counts for each iteration.
//!
//! Only a build with the feature `tree` records. Without it, [`Recorder`] is empty and its methods
//! do nothing (`off.rs`), so that the search calls them without conditions and at no cost.

#[cfg(feature = "tree")]
mod counts;
#[cfg(not(feature = "tree"))]
mod off;
#[cfg(feature = "tree")]
mod on;
mod reasons;
#[cfg(feature = "tree")]
mod tree;

#[cfg(feature = "tree")]
pub use counts::IterationCounts;
#[cfg(not(feature = "tree"))]
pub(crate) use off::Recorder;
#[cfg(feature = "tree")]
pub(crate) use on::Recorder;
pub use reasons::{NodeEnding, Pruning};
#[cfg(feature = "tree")]
pub use tree::{NodeKind, RecordedNode, SearchTree};
