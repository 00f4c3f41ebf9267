//! Move ordering and the statistics of moves and positions: the move picker, the histories, the
//! correction histories.

mod corrections;
pub(crate) mod history;
mod picker;
mod statistics;

pub(crate) use corrections::{LAST_PLIES, LastMoves, is_informative};
pub(crate) use history::{CONTINUATION_PLIES, ContinuationRows, Histories};
pub(crate) use picker::{MovePicker, PickedMove};
pub(crate) use statistics::PieceTo;
