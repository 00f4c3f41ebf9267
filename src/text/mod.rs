//! Text for people that knows nothing of chess: quoting of input, suggestions for misspelt words,
//! layout, durations and shares.

mod layout;
mod number;
mod quoted;
mod suggest;

pub use layout::escaped;
pub(crate) use layout::{short, wrapped};
pub(crate) use number::clock;
pub use number::percent;
pub use quoted::Quoted;
pub(crate) use quoted::brief;
pub(crate) use suggest::suggest;
