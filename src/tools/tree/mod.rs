//! Tree and statistics of a small search (feature `tree`): a page in HTML and a table.

mod page;
mod run;
mod selection;
mod statistics;
mod words;

pub use run::{TreeError, TreeOptions, run};
