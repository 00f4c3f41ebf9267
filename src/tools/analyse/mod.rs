//! Analysis of games: evaluates every position, rates every move.
//!
//! | file | contents |
//! |---|---|
//! | `analysis.rs` | evaluates and rates a game |
//! | `judge.rs` | winning chances, accuracy, judgements |
//! | `claims.rs` | facts about a bad move that its lines prove |
//! | `sentences.rs` | those facts in words |
//! | `annotate.rs` | adds the analysis to the game |
//! | `records.rs` | JSON and the table of players |
//! | `chart.rs` | table, chart and bad moves in characters |
//! | `picture.rs` | the winning chances as SVG |
//! | `review.rs` | the same for positions that somebody else has searched |
//! | `run.rs` | all games of a file |

mod analysis;
mod annotate;
mod chart;
mod claims;
mod judge;
mod picture;
mod records;
mod review;
mod run;
mod sentences;

pub use chart::chart;
pub(super) use judge::{Judgement, winning_chances};
pub(super) use records::OtherLineRecord;
pub use review::{FoundLine, ReviewError, review};
pub use run::{AnalyseError, AnalyseOptions, run};
