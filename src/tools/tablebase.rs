//! Tablebase results of a position and its moves, in words.

use std::cmp::Reverse;

use serde::Serialize;
use thiserror::Error;

use crate::board::{Board, FenStyle};
use crate::tablebase::{KnownMove, Tablebases, Wdl};
use crate::types::CastlingRights;

use super::json;

/// Reason why there is no result.
#[derive(Debug, Error)]
pub enum LookupError {
    /// No tables in this list of folders; the reason if a folder or a file was rejected.
    #[error(
        "no tablebases found in '{0}'{suffix}",
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
    let (tables, inventory) = Tablebases::open(folders);
    if tables.largest() == 0 {
        let first = inventory.rejected.first();
        let reason = first.map(|(path, error)| format!("{}: {error}", path.display()));
        return Err(LookupError::NoTables(folders.to_owned(), reason));
    }
    let pieces = board.occupied().count();
    if pieces > tables.largest() {
        return Err(LookupError::TooManyPieces { pieces, largest: tables.largest() });
    }
    if board.castling_rights() != CastlingRights::NONE {
        return Err(LookupError::Castling);
    }
    let missing = || LookupError::Missing(tables.take_errors().map(|(_, first)| first));
    let wdl = tables.probe_wdl(&mut board.clone()).ok_or_else(missing)?;
    let dtz = tables.probe_dtz(&mut board.clone());
    let legal = board.legal_moves();
    let mut moves = tables.known_moves(board, &legal, true).ok_or_else(missing)?;
    moves.sort_by_key(|known| Reverse(known.rank()));
    // The results of the moves allow for the halfmove clock.
    let wdl = moves.first().map_or(wdl, |best| best.wdl);
    if json {
        let record = |known: &KnownMove| KnownMoveRecord {
            san: board.san(known.mv),
            uci: known.mv.display(false).to_string(),
            wdl: key(known.wdl),
            dtz: known.dtz,
        };
        sink(&json::line(
            "tablebase",
            &TablebaseRecord {
                fen: board.fen(FenStyle::Standard),
                wdl: key(wdl),
                dtz,
                moves: moves.iter().map(record).collect(),
            },
        ));
        return Ok(());
    }
    table(board, (wdl, dtz), &moves).iter().for_each(|line| sink(line));
    Ok(())
}

/// Returns the lines of a table of known moves, below the result of the position.
pub(crate) fn table(
    board: &Board,
    (wdl, dtz): (Wdl, Option<i32>),
    moves: &[KnownMove],
) -> Vec<String> {
    let distance = |dtz: Option<i32>| dtz.map_or("-".to_owned(), |plies| plies.abs().to_string());
    let side = board.side_to_move();
    let row = |known: &KnownMove| {
        let san = board.san(known.mv);
        format!("  {san:<8} {:>5}  {}", distance(known.dtz), words(known.wdl))
    };
    let mut lines = vec![format!("{side} to move: {}, DTZ {}", words(wdl), distance(dtz))];
    if !moves.is_empty() {
        lines.extend([String::new(), format!("  {:<8} {:>5}  result for {side}", "move", "DTZ")]);
        lines.extend(moves.iter().map(row));
    }
    lines.push("\nDTZ: plies to the next capture or pawn move that keeps the result".to_owned());
    lines
}

const fn words(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "win",
        Wdl::CursedWin => "draw by the fifty-move rule, else a win",
        Wdl::Draw => "draw",
        Wdl::BlessedLoss => "draw by the fifty-move rule, else a loss",
        Wdl::Loss => "loss",
    }
}

/// Returns the name of a result in JSON.
const fn key(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "win",
        Wdl::CursedWin => "cursed-win",
        Wdl::Draw => "draw",
        Wdl::BlessedLoss => "blessed-loss",
        Wdl::Loss => "loss",
    }
}
