//! Text for people that knows nothing of chess: quoting of input, suggestions for misspelt words.

mod quoted;
mod suggest;

pub use quoted::Quoted;
pub(crate) use suggest::suggest;
