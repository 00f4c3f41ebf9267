//! Basic types of the board: squares, pieces, moves and scores.

mod bitboard;
mod castling;
mod enum_map;
mod index_enum;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::Bitboard;
pub use castling::{CastlingRights, CastlingSide};
pub use enum_map::{ColorMap, EnumMap, Indexed, PieceMap, PieceTypeMap, SquareMap};
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Color, Piece, PieceType};
pub use score::{Bound, Depth, MAX_PLY, Score};
pub use square::{Direction, File, Rank, Square};
