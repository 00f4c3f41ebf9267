//! Builds a game from its tokens.

use crate::board::{Board, GameResult, SanError, Termination, fen, plain_signs};
use crate::text::brief;
use crate::types::{Color, Move};

use super::error::{ErrorKind, Note, PgnError, Place};
use super::game::{CHESS960, GameMove, PgnGame, PgnLine, Tags, parse_result, result_text};

/// Deeper variations are dropped.
pub(crate) const MAX_NESTING: usize = 100;
/// Maximum number of plies from the start, also in variations: more than twice the longest game
/// that the rules allow.
const MAX_PLIES: usize = 40_000;

/// Further notes of a game are not kept.
const MAX_NOTES: usize = 100;
/// Further variations of a game are dropped. Opening trees in one game have some thousands.
const MAX_VARIATIONS: usize = 100_000;

const FIRST_TAG: &str = "Event";
const FEN: &str = "FEN";
/// Tags that are read, in the case of the standard.
const READ_TAGS: [&str; 6] = [FIRST_TAG, "White", "Black", "Result", FEN, "Variant"];

/// Values of the tag `Variant` for chess, in lower case; the last three are unknown values.
const CHESS: [&str; 8] =
    ["chess", "standard", "normal", "from position", "classical", "", "?", "-"];

/// Words of old notations, without the signs at their end; `N` and `D` are a novelty and a diagram.
/// `resigns` alone does not name the winner.
const IGNORED_WORDS: [&str; 13] = [
    "e.p", "ep", "ch", "check", "dis", "dbl", "double", "mate", "n", "d", "resigns", "resigned",
    "agreed",
];

const NULL_MOVES: [&str; 5] = ["--", "Z0", "0000", "@@@@", "null"];

/// Signs of glyphs, besides those at the end of moves.
const SIGNS: [(&str, u16); 14] = [
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("+/=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("=/+", 15),
    ("⩱", 15),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+-", 18),
    ("-+", 19),
];

/// Signs of the glyphs 1 to 6.
pub(super) const JUDGEMENTS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Part of a variation that is not read.
struct Skipped {
    /// Open parentheses, its own included.
    depth: usize,
    /// True if the variation is cut at a fault, false if it is dropped as a whole.
    is_cut: bool,
}

pub(super) struct Builder {
    number: usize,
    tags: Tags,
    fen_place: Option<Place>,
    notes: Vec<Note>,
    /// True if a note says that signs were replaced.
    has_note_of_signs: bool,
    /// Position after the last move of the innermost line; `None` before the movetext.
    board: Option<Board>,
    start: Option<Board>,
    plies: usize,
    /// The game and the variations that are open.
    lines: Vec<PgnLine>,
    /// Number of variations that were opened and not dropped.
    variations: usize,
    skipped: Option<Skipped>,
    /// Result after the last move; `Some(None)` for `*`.
    result: Option<Option<GameResult>>,
}

impl Builder {
    pub(super) fn new(number: usize) -> Self {
        Self {
            number,
            tags: Tags::default(),
            fen_place: None,
            notes: Vec::new(),
            has_note_of_signs: false,
            board: None,
            start: None,
            plies: 0,
            lines: vec![PgnLine::default()],
            variations: 0,
            skipped: None,
            result: None,
        }
    }

    pub(super) fn is_in_moves(&self) -> bool {
        self.board.is_some()
    }

    pub(super) fn has_tags(&self) -> bool {
        !self.tags.is_empty()
    }

    /// Returns the number of open parentheses.
    pub(super) fn depth(&self) -> usize {
        // A variation that was cut is open in both.
        let skipped =
            self.skipped.as_ref().map_or(0, |skipped| skipped.depth - usize::from(skipped.is_cut));
        self.lines.len() - 1 + skipped
    }

    /// Returns number and side of the next move.
    pub(super) fn next_number(&self) -> Option<(u32, Color)> {
        let board = self.board.as_ref()?;
        Some((board.fullmove_number(), board.side_to_move()))
    }

    /// Returns whether a tag of this name belongs to the next game.
    pub(super) fn is_over_before(&self, tag: &str) -> bool {
        self.is_in_moves() || (tag == FIRST_TAG && self.tags.get(FIRST_TAG).is_some())
    }

    /// Adds a tag. A tag that is read gets the case of the standard, unless it is there already.
    pub(super) fn tag(&mut self, place: Place, mut name: String, value: String) {
        let known = READ_TAGS.into_iter().find(|known| known.eq_ignore_ascii_case(&name));
        if let Some(known) = known.filter(|known| *known != name && self.tags.get(known).is_none())
        {
            self.note(place, format!("the tag {name} is read as {known}"));
            name = known.to_owned();
        }
        if name == FEN {
            self.fen_place.get_or_insert(place);
        }
        self.tags.add(name, value);
    }

    pub(super) fn note(&mut self, place: Place, text: impl Into<String>) {
        self.add_note(place, text.into(), false);
    }

    /// Notes a correction that is a guess.
    pub(super) fn note_guess(&mut self, place: Place, text: impl Into<String>) {
        self.add_note(place, text.into(), true);
    }

    fn add_note(&mut self, place: Place, text: String, is_guess: bool) {
        let text = match self.notes.len() {
            0..MAX_NOTES => text,
            MAX_NOTES => format!("more than {MAX_NOTES} faults, the rest is not reported"),
            _ => return,
        };
        self.notes.push(Note { line: place.line, text, is_guess });
    }

    /// Sets up the start position. An error comes with its place.
    pub(super) fn begin_moves(&mut self, place: Place) -> Result<(), (Place, ErrorKind)> {
        if let Some(variant) = self.tags.get("Variant") {
            let name = variant.to_lowercase();
            if !CHESS.iter().chain(&CHESS960).any(|known| *known == name) {
                return Err((place, ErrorKind::Variant(variant.to_owned())));
            }
        }
        let place = self.fen_place.unwrap_or(place);
        let (board, corrections) = match self.tags.get(FEN) {
            Some(text) => fen::parse(text).map_err(|error| (place, ErrorKind::Fen(error)))?,
            None => (Board::startpos(), Vec::new()),
        };
        for correction in corrections {
            self.note(place, format!("FEN: {correction}"));
        }
        self.start = Some(board.clone());
        self.board = Some(board);
        Ok(())
    }

    fn line(&mut self) -> &mut PgnLine {
        self.lines.last_mut().expect("the line of the game is always open")
    }

    pub(super) fn comment(&mut self, text: String) {
        if self.skipped.is_some() || text.is_empty() {
            return;
        }
        let line = self.line();
        match line.moves.last_mut() {
            Some(last) => last.comments.push(text),
            None => line.comments.push(text),
        }
    }

    pub(super) fn nag(&mut self, nag: u16) {
        if self.skipped.is_none()
            && let Some(last) = self.line().moves.last_mut()
            && !last.nags.contains(&nag)
        {
            last.nags.push(nag);
        }
    }

    /// Returns why a variation cannot begin here; `None` if it can.
    fn reason_to_drop(&mut self) -> Option<String> {
        if self.lines.len() > MAX_NESTING {
            Some(format!("nested more than {MAX_NESTING} deep"))
        } else if self.line().moves.is_empty() {
            Some("there is no move before it".to_owned())
        } else if self.variations == MAX_VARIATIONS {
            Some(format!("more than {MAX_VARIATIONS} in a game"))
        } else {
            None
        }
    }

    pub(super) fn open(&mut self, place: Place) {
        if let Some(skipped) = &mut self.skipped {
            skipped.depth += 1;
        } else if let Some(reason) = self.reason_to_drop() {
            self.note(place, format!("variation dropped: {reason}"));
            self.skipped = Some(Skipped { depth: 1, is_cut: false });
        } else {
            self.take_back(1);
            self.variations += 1;
            self.lines.push(PgnLine::default());
        }
    }

    pub(super) fn close(&mut self, place: Place) {
        let is_cut = match &mut self.skipped {
            Some(skipped) if skipped.depth > 1 => {
                skipped.depth -= 1;
                return;
            }
            Some(skipped) => skipped.is_cut,
            None if self.lines.len() == 1 => return self.note(place, "')' without '('"),
            None => true,
        };
        self.skipped = None;
        if is_cut {
            self.close_variation();
        }
    }

    fn close_variation(&mut self) {
        let Some(variation) = self.lines.pop() else { return };
        self.take_back(variation.moves.len());
        let parent = self.line().moves.last_mut().expect("a variation follows a move");
        let mv = parent.mv;
        if variation.moves.is_empty() {
            parent.comments.extend(variation.comments);
        } else {
            parent.variations.push(variation);
        }
        self.make(mv);
    }

    fn board(&mut self) -> &mut Board {
        self.board.as_mut().expect("the movetext has begun")
    }

    fn make(&mut self, mv: Option<Move>) {
        self.board().make_move_or_null(mv);
        self.plies += 1;
    }

    fn take_back(&mut self, plies: usize) {
        (0..plies).for_each(|_| self.board().unmake_move());
        self.plies -= plies;
    }

    /// Adds a word of the movetext. Returns whether it ends the game.
    pub(super) fn word(&mut self, place: Place, word: &str) -> Result<bool, ErrorKind> {
        if self.skipped.is_some() {
            return Ok(false);
        }
        let is_variation = self.lines.len() > 1;
        if let Some(result) = parse_result(word) {
            if !is_variation {
                self.result = Some(result);
            }
            return Ok(!is_variation);
        }
        let word = without_number(word);
        if let Some(nag) = glyph(word) {
            self.nag(nag);
            return Ok(false);
        }
        let unmarked = word.trim_end_matches(['!', '?']);
        let plain = plain_signs(unmarked);
        let is_null_move = NULL_MOVES.iter().any(|known| known.eq_ignore_ascii_case(&plain));
        if is_ignored(word) && !is_null_move {
            return Ok(false);
        }
        let parsed = if !is_null_move {
            self.parse_move(unmarked).map(Some)
        } else if self.board().in_check() {
            Err(SanError::Illegal(word.to_owned()))
        } else {
            Ok(None)
        };
        if parsed.is_ok() && plain != unmarked && !self.has_note_of_signs {
            self.has_note_of_signs = true;
            self.note(place, format!("{} is read as {plain}", brief(unmarked)));
        }
        match parsed {
            Ok(mv) => self.add_move(mv, glyph(&word[unmarked.len()..])).map(|()| false),
            Err(error) if is_variation => {
                self.note(place, format!("variation cut: {error}"));
                self.skipped = Some(Skipped { depth: 1, is_cut: true });
                Ok(false)
            }
            Err(error) => Err(ErrorKind::Move(error)),
        }
    }

    /// Parses a move, also with `N` or `D` for a novelty or a diagram at its end.
    fn parse_move(&mut self, text: &str) -> Result<Move, SanError> {
        let board = &*self.board();
        board.parse_san(text).or_else(|error| {
            let Some(shorter) = text.strip_suffix(['N', 'D']) else { return Err(error) };
            board.parse_san(shorter).map_err(|_| error)
        })
    }

    fn add_move(&mut self, mv: Option<Move>, nag: Option<u16>) -> Result<(), ErrorKind> {
        if self.plies >= MAX_PLIES {
            return Err(ErrorKind::TooLong);
        }
        self.make(mv);
        let mut made = GameMove::new(mv);
        made.nags.extend(nag);
        self.line().moves.push(made);
        Ok(())
    }

    /// Returns the game, after its moves.
    pub(super) fn finish(mut self, place: Place) -> PgnGame {
        if self.lines.len() > 1 {
            self.note(place, "a variation has no ')'");
        }
        let stated = self.tags.get("Result").and_then(parse_result);
        self.close_variations();
        self.note_contradictions(place, stated);
        let result = self.result.or(stated).flatten();
        self.into_game(result, None)
    }

    /// Returns the moves before a fault as a game; the error if there are none.
    pub(super) fn cut(
        mut self,
        error: PgnError,
        found: Option<Option<GameResult>>,
    ) -> Result<PgnGame, PgnError> {
        self.skipped = None;
        self.close_variations();
        if self.line().moves.is_empty() {
            return Err(error);
        }
        let PgnError { line, column, kind, .. } = &error;
        let text = format!("The game is cut short here: line {line}, column {column}: {kind}");
        self.comment(text);
        let stated = || self.tags.get("Result").and_then(parse_result);
        let result = found.or_else(stated).flatten();
        Ok(self.into_game(result, Some(error)))
    }

    fn close_variations(&mut self) {
        while self.lines.len() > 1 {
            self.close_variation();
        }
    }

    fn into_game(mut self, result: Option<GameResult>, cut: Option<PgnError>) -> PgnGame {
        let line = std::mem::take(self.line());
        let start = self.start.unwrap_or_else(Board::startpos);
        let Self { number, tags, notes, .. } = self;
        PgnGame { number, tags, start, line, result, notes, cut }
    }

    /// Notes where the result after the last move differs from the tag or from the last position.
    fn note_contradictions(&mut self, place: Place, stated: Option<Option<GameResult>>) {
        let Some(result) = self.result else { return };
        let text = result_text(result);
        if let Some(tag) = stated.filter(|&tag| tag != result) {
            let tag = result_text(tag);
            self.note(place, format!("the tag Result is {tag}, but the moves end with {text}"));
        }
        let Some(outcome) = self.board.as_ref().and_then(Board::outcome) else { return };
        let has_no_move =
            matches!(outcome.termination, Termination::Checkmate | Termination::Stalemate);
        if has_no_move && result != Some(outcome.result) {
            let end = outcome.termination.text();
            self.note(place, format!("the last move is {end}, but the moves end with {text}"));
        }
    }
}

/// Returns the word without a move number and its dots.
pub fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_number = !word.starts_with('0') && (rest.is_empty() || rest.starts_with(['.', '…']));
    if is_number { rest } else { word }.trim_start_matches(['.', '…'])
}

fn glyph(sign: &str) -> Option<u16> {
    match JUDGEMENTS.iter().position(|known| *known == sign) {
        Some(index) => Some(index as u16 + 1),
        None => SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, nag)| *nag),
    }
}

pub(super) fn is_ignored(word: &str) -> bool {
    let word = word.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    word.is_empty() || IGNORED_WORDS.iter().any(|ignored| ignored.eq_ignore_ascii_case(word))
}
