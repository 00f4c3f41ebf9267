//! Distances on the board that endings depend on.

use crate::types::Square;

/// Returns the king moves from a square to the edge.
pub(super) fn moves_to_edge(square: Square) -> i32 {
    let steps = |index: i32| index.min(7 - index);
    steps(square.file() as i32).min(steps(square.rank() as i32))
}

/// Returns the files plus ranks between two squares.
pub(super) fn steps(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files + ranks
}

/// Returns the files plus ranks to the nearest central square.
pub(super) fn center_distance(square: Square) -> i32 {
    let steps = |index: i32| (3 - index).max(index - 4);
    steps(square.file() as i32) + steps(square.rank() as i32)
}

/// Returns the files plus ranks to the nearest corner of the colour.
pub(super) fn corner_distance(square: Square, is_dark: bool) -> i32 {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    // Zero on the diagonal between the other two corners.
    let off_diagonal = if is_dark { file + rank - 7 } else { file - rank };
    7 - off_diagonal.abs()
}
