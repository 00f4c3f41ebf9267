//! Games in Portable Game Notation (PGN): reading and writing.
//!
//! The reader takes games from a file of any size, one at a time, and accepts what programs write
//! and people type: any line ends, comments in braces and after `;`, nested variations, numeric
//! glyphs and their signs, lines with `%`, missing tags, text in UTF-8 or Latin-1. A game that
//! cannot be read is an error with its place, and the reader continues with the next one.
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
//!
//! | file | contents |
//! |---|---|
//! | `game.rs` | a game: tags, moves with comments and variations, result |
//! | `source.rs`, `lexer.rs` | bytes with their place; words, comments and tags |
//! | `builder.rs`, `reader.rs` | a game from its tokens; the games of a file |
//! | `writer.rs` | a game as text |
//! | `error.rs` | errors and notes, with their place |

mod builder;
mod error;
mod game;
mod lexer;
mod reader;
mod source;
#[cfg(test)]
mod tests;
mod writer;

pub use error::{ErrorKind, Note, PgnError};
pub use game::{GameMove, PgnGame, PgnLine, PgnResult, Tags};
pub use reader::Reader;
