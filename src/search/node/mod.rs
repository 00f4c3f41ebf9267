//! The search of a node: the methods of [`Searcher`], the search of one thread.
//!
//! `search_node` in `alphabeta.rs` is the table of contents of a node. The methods call each other
//! across the files, because the search is recursive; what the files import from each other forms
//! no cycle.

mod alphabeta;
mod best_move;
mod entry;
mod evaluation;
mod history_updates;
mod logarithms;
mod mate_line;
mod probcut;
mod pruning;
mod quiescence;
mod reductions;
mod sampler;
mod searcher;
mod singular;
mod tablebases;

pub(crate) use evaluation::raw_evaluation;
pub(crate) use sampler::LineSampler;
pub(crate) use searcher::{Searcher, ThreadMemory};
