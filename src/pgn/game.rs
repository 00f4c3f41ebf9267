//! A game with its tags, variations and comments.

use crate::board::{Board, FenStyle, GameResult, plain_signs};
use crate::types::{CastlingSide, Color, File, Move, Square};

use super::error::{Note, PgnError};

/// Game of a file.
#[derive(Debug)]
pub struct PgnGame {
    /// Number of the game in its file, from 1.
    pub number: usize,
    /// Tags in the order of the file.
    pub tags: Tags,
    /// Position before the first move.
    pub start: Board,
    /// Moves of the game.
    pub line: PgnLine,
    /// Result after the last move, or that of the tag if it is missing; `None` for a game without a
    /// known result.
    pub result: Option<GameResult>,
    /// Faults that the reader corrected.
    pub notes: Vec<Note>,
    /// Fault at which the game is cut short: the moves are those before it.
    pub cut: Option<PgnError>,
}

/// Values of the tag `Variant` for Chess960, in lower case.
pub(super) const CHESS960: [&str; 5] =
    ["chess960", "chess 960", "fischerandom", "fischerrandom", "freestyle"];

impl PgnGame {
    /// Makes a game of these legal moves. Sets the tag `Result`, and `Variant`, `SetUp` and `FEN`
    /// as the start position needs them.
    pub fn played(
        start: Board,
        moves: &[Move],
        mut tags: Tags,
        result: Option<GameResult>,
    ) -> Self {
        tags.set("Result", result_text(result));
        let fen = start.fen(FenStyle::Standard);
        if fen != Board::startpos().fen(FenStyle::Standard) {
            if has_chess960_castling(&start) {
                tags.set("Variant", "Chess960");
            }
            tags.set("SetUp", "1");
            tags.set("FEN", &fen);
        }
        let moves = moves.iter().map(|&mv| GameMove::new(Some(mv))).collect();
        let line = PgnLine { comments: Vec::new(), moves };
        Self { number: 1, tags, start, line, result, notes: Vec::new(), cut: None }
    }

    /// Returns number and side of a move, by the plies of the game before it. Null moves count.
    pub fn number_of(&self, ply: usize) -> (u32, Color) {
        let side = self.start.side_to_move();
        let number = (ply + usize::from(side == Color::Black)) / 2;
        let number = self.start.fullmove_number().saturating_add(number as u32);
        (number, if ply.is_multiple_of(2) { side } else { !side })
    }

    /// Returns whether the tag `Variant` names Chess960.
    pub fn is_chess960(&self) -> bool {
        let variant = self.tags.get("Variant").map(str::to_lowercase);
        variant.is_some_and(|variant| CHESS960.contains(&variant.as_str()))
    }
}

/// Returns whether a side may castle from other squares than in standard chess.
fn has_chess960_castling(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rook = |side| board.castling_rook_of(color, side).map(Square::file);
        let rooks = CastlingSide::ALL.map(rook);
        let is_standard = rooks[CastlingSide::King as usize].is_none_or(|file| file == File::H)
            && rooks[CastlingSide::Queen as usize].is_none_or(|file| file == File::A);
        let can_castle = rooks.iter().any(Option::is_some);
        can_castle && !(is_standard && board.king_square(color).file() == File::E)
    })
}

/// Moves of a game or of a variation.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct PgnLine {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// Moves in the order of play.
    pub moves: Vec<GameMove>,
}

/// Move of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameMove {
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    /// Numeric annotation glyphs (NAGs), such as 4 for `??`.
    pub nags: Vec<u16>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// Alternatives to the move.
    pub variations: Vec<PgnLine>,
}

impl GameMove {
    /// Creates a move without annotations.
    pub fn new(mv: Option<Move>) -> Self {
        Self { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }

    /// Returns the move in SAN, `--` for a null move, in the position before it.
    pub fn san(&self, board: &Board) -> String {
        self.mv.map_or("--".to_owned(), |mv| board.san(mv))
    }
}

/// Tags of a game: names with values.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// Returns the value of the first tag of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets the value of a tag, or adds the tag.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.add(name.to_owned(), value.to_owned()),
        }
    }

    pub(super) fn add(&mut self, name: String, value: String) {
        self.0.push((name, value));
    }

    /// Returns whether there are no tags.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Results as programs and people write them, with the dash of ASCII.
const RESULTS: [(&[&str], Option<GameResult>); 4] = [
    (&["1-0", "1:0", "Black resigns", "White wins"], Some(GameResult::WhiteWins)),
    (&["0-1", "0:1", "White resigns", "Black wins"], Some(GameResult::BlackWins)),
    (
        &["1/2-1/2", "1/2", "1/2:1/2", "½-½", "½", "½:½", "0.5-0.5", "0.5:0.5", "0,5-0,5", "draw"],
        Some(GameResult::Draw),
    ),
    (&["*"], None),
];

/// Parses a result. Returns `Some(None)` for `*`, an unfinished game or an unknown result.
pub fn parse_result(text: &str) -> Option<Option<GameResult>> {
    let plain = plain_signs(text.trim_end_matches('.'));
    let known = |(words, _): &&(&[&str], _)| words.iter().any(|w| w.eq_ignore_ascii_case(&plain));
    RESULTS.iter().find(known).map(|(_, result)| *result)
}

/// Returns the text of a result, `*` for `None`.
pub fn result_text(result: Option<GameResult>) -> &'static str {
    result.map_or("*", GameResult::text)
}
