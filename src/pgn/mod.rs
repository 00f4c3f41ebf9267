//! Games in Portable Game Notation (PGN): reading and writing.
//!
//! The reader takes games one at a time from a file of any size. It accepts any line ends, comments
//! in braces and after `;`, nested variations, numeric glyphs (NAGs) and their signs, lines with
//! `%`, missing tags, and text in UTF-8 or Latin-1.
//!
//! Source: S. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994,
//! <https://www.chessprogramming.org/Portable_Game_Notation>
//!
//! ```
//! use tabia::pgn::Reader;
//!
//! let text = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4 {a gambit} exf4 (2... d5) *";
//! let game = Reader::new(text.as_bytes()).next().expect("a game").expect("a legal game");
//! assert_eq!(game.tags.get("White"), Some("Anderssen"));
//! assert_eq!(game.line.moves.len(), 4);
//! assert!(game.to_string().contains("2. f4 {a gambit} 2... exf4 (2... d5) *"));
//! ```

#![forbid(unsafe_code)]

mod builder;
mod error;
mod game;
mod lexer;
mod reader;
mod source;
mod writer;

pub(crate) use builder::MAX_NESTING;
pub use builder::without_number;
pub use error::{ErrorKind, Note, PgnError};
pub use game::{GameMove, PgnGame, PgnLine, Tags, parse_result, result_text};
pub use reader::Reader;
