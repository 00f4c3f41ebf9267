//! Search for a mate.

use serde::Serialize;

use crate::board::{Board, FenStyle, numbered_line, san_line};
use crate::search::PoolError;
use crate::text::wrapped;
use crate::types::Depth;

use super::WIDTH;
use super::analyser::{Analyser, SearchSetup};
use super::json;

/// Record documented in docs/json.md.
#[derive(Serialize)]
struct MateRecord {
    fen: String,
    mate: Option<i32>,
    line: Vec<String>,
    depth: Depth,
    nodes: u64,
}

/// Searches a position for a mate of either side and writes the result. Returns whether the side to
/// move mates within `moves`; the limits of `setup` hold too.
///
/// # Errors
/// If the search cannot be prepared.
pub fn find_mate(
    board: &Board,
    moves: u32,
    mut setup: SearchSetup,
    json: bool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, PoolError> {
    setup.limits.mate = Some(moves);
    let found = Analyser::new(&setup)?.search(board);
    let side = board.side_to_move();
    let score = found.outcome.score;
    let line = if score.is_mate() { found.best_line() } else { Vec::new() };
    let depth = found.depth();
    let nodes = found.outcome.nodes;
    let is_found = score.mate_moves().is_some_and(|mate| mate > 0 && mate as u32 <= moves);
    if json {
        sink(&json::line(
            "mate",
            &MateRecord {
                fen: board.fen(FenStyle::Standard),
                mate: score.for_white(side).mate_moves(),
                line: san_line(board, &line),
                depth,
                nodes,
            },
        ));
        return Ok(is_found);
    }
    let winner = |mate: i32| if mate > 0 { side } else { !side };
    sink(&match score.mate_moves() {
        Some(0) => format!("{side} is mated"),
        Some(mate) => {
            format!("{} mates in {}: depth {depth}, nodes {nodes}", winner(mate), mate.abs())
        }
        None if !board.has_legal_move() => format!("{side} is stalemated"),
        None => format!("no mate found: depth {depth}, nodes {nodes}"),
    });
    wrapped(&numbered_line(board, &line), "  ", WIDTH).iter().for_each(|line| sink(line));
    Ok(is_found)
}
