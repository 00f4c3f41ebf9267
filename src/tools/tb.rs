//! Look-up of a position in tables that are opened for it.

use serde::Serialize;
use thiserror::Error;

use crate::board::{Board, FenStyle};
use crate::tablebase::{KnownMove, Tablebases};
use crate::text::{Quoted, ShownPath};
use crate::types::CastlingRights;

use super::json;

/// Reason why there is no result.
#[derive(Debug, Error)]
pub enum LookupError {
    /// No tables in this list of folders; the reason if a folder or a file was rejected.
    #[error(
        "no tablebases found in {}{suffix}",
        Quoted(.0),
        suffix = .1.as_ref().map_or(String::new(), |reason| format!(": {reason}"))
    )]
    NoTables(String, Option<String>),
    /// The position has more pieces than any table.
    #[error("{pieces} pieces, but the largest table has {largest}")]
    TooManyPieces {
        /// Pieces on the board.
        pieces: usize,
        /// Pieces of the largest table.
        largest: usize,
    },
    /// Positions with castling rights are in no table.
    #[error("positions with castling rights are in no table")]
    Castling,
    /// The table for this material is missing, or damaged as described.
    #[error("{}", .0.as_deref().unwrap_or("the table of this position is missing"))]
    Missing(Option<String>),
}

/// Record documented in docs/json.md.
#[derive(Serialize)]
struct TablebaseRecord {
    fen: String,
    wdl: &'static str,
    dtz: Option<i32>,
    moves: Vec<KnownMoveRecord>,
}

#[derive(Serialize)]
struct KnownMoveRecord {
    san: String,
    uci: String,
    wdl: &'static str,
    dtz: Option<i32>,
}

/// Opens the tables of these folders.
///
/// # Errors
/// If there are none.
pub fn open_tables(folders: &str) -> Result<Tablebases, LookupError> {
    let (tables, inventory) = Tablebases::open(folders);
    if tables.largest() == 0 {
        let first = inventory.rejected.first();
        let reason = first.map(|(path, error)| format!("{}: {error}", ShownPath(path)));
        return Err(LookupError::NoTables(folders.to_owned(), reason));
    }
    Ok(tables)
}

/// Looks up a position and its moves in these folders. Results are for the side to move.
///
/// # Errors
/// If the tables do not have the position.
pub fn look_up(
    board: &Board,
    folders: &str,
    json: bool,
    sink: &mut dyn FnMut(&str),
) -> Result<(), LookupError> {
    let tables = open_tables(folders)?;
    let pieces = board.occupied().count();
    if pieces > tables.largest() {
        return Err(LookupError::TooManyPieces { pieces, largest: tables.largest() });
    }
    if board.castling_rights() != CastlingRights::NONE {
        return Err(LookupError::Castling);
    }
    let missing = || LookupError::Missing(tables.take_errors().map(|(_, first)| first));
    let answer = tables.answer(board, true).ok_or_else(missing)?;
    if answer.moves.is_empty() && board.has_legal_move() {
        return Err(missing());
    }
    if json {
        let record = |known: &KnownMove| KnownMoveRecord {
            san: board.san(known.mv),
            uci: known.mv.display(false).to_string(),
            wdl: known.wdl.name(),
            dtz: known.dtz,
        };
        sink(&json::line(
            "tablebase",
            &TablebaseRecord {
                fen: board.fen(FenStyle::Standard),
                wdl: answer.wdl.name(),
                dtz: answer.dtz,
                moves: answer.moves.iter().map(record).collect(),
            },
        ));
    } else {
        sink(&answer.table(board));
    }
    Ok(())
}
