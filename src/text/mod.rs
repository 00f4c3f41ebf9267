//! Text for people that knows nothing of chess: quoting of input, suggestions for misspelt words,
//! layout, durations and shares.

mod layout;
mod quoted;
mod suggest;

pub(crate) use layout::{clock, fitted, short, wrapped};
pub use layout::{escaped, percent};
pub(crate) use quoted::brief;
pub use quoted::{Quoted, ShownPath, visible};
pub(crate) use suggest::suggest;
