//! Games of a file, one after the other.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::board::{GameResult, plain_signs};
use crate::types::Color;

use super::builder::{Builder, is_ignored};
use super::error::{ErrorKind, PgnError, Place};
use super::game::{PgnGame, parse_result};
use super::lexer::{Lexer, Token};

const MAX_GAME_BYTES: u64 = 8 << 20;

/// First words of results that have several.
const RESULT_STARTS: [&str; 6] = ["White", "Black", "1", "0", "0.5", "0,5"];

/// Iterator over the games of a file, which keeps one game in memory.
///
/// A fault among the moves cuts its game short ([`PgnGame::cut`]). Returns an error for each game
/// without a move that can be read. The next game is read in both cases. Ends after an error of the
/// file itself.
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// Tokens to be read again.
    ahead: VecDeque<(Token, Place)>,
    games: usize,
    /// Error of the file met after a game, which the next one gets.
    read_error: Option<(Place, io::Error)>,
    is_at_end: bool,
}

impl<R: Read> Reader<R> {
    /// Creates a reader, which buffers its input.
    pub fn new(reader: R) -> Self {
        Self {
            lexer: Lexer::new(reader),
            ahead: VecDeque::new(),
            games: 0,
            read_error: None,
            is_at_end: false,
        }
    }

    /// Returns the number of bytes read for the games so far.
    pub fn bytes_read(&self) -> u64 {
        self.lexer.offset()
    }

    /// Returns the next token. A result of several words, `White resigns` or `1 - 0`, is one.
    fn next_token(&mut self) -> io::Result<Option<(Token, Place)>> {
        let next = match self.ahead.pop_front() {
            Some(token) => Some(token),
            None => self.lexer.next()?,
        };
        let Some((Token::Word(word), place)) = &next else { return Ok(next) };
        if !RESULT_STARTS.iter().any(|start| word.eq_ignore_ascii_case(start)) {
            return Ok(next);
        }
        let Some(second) = self.word_ahead(0)? else { return Ok(next) };
        let (result, words) = if plain_signs(second) != "-" {
            (format!("{word} {second}"), 1)
        } else if let Some(third) = self.word_ahead(1)? {
            (format!("{word}-{third}"), 2)
        } else {
            return Ok(next);
        };
        if parse_result(&result).is_none() {
            return Ok(next);
        }
        self.ahead.drain(..words);
        Ok(Some((Token::Word(result), *place)))
    }

    /// Returns the token at this index of those ahead if it is a word.
    fn word_ahead(&mut self, index: usize) -> io::Result<Option<&str>> {
        if self.ahead.len() <= index {
            self.ahead.extend(self.lexer.next()?);
        }
        Ok(match self.ahead.get(index) {
            Some((Token::Word(word), _)) => Some(word),
            _ => None,
        })
    }

    fn read_game(&mut self) -> Result<Option<PgnGame>, PgnError> {
        let mut builder = Builder::new(self.games);
        let end = match self.read_error.take() {
            Some((place, error)) => Err(Failure::at(place, ErrorKind::Io(error))),
            None => self.read_moves(&mut builder),
        };
        for (text, place) in self.lexer.take_mended() {
            builder.note(place, text);
        }
        match end {
            Ok(place) if builder.is_in_moves() => Ok(Some(builder.finish(place))),
            Ok(_) => Ok(None),
            Err(Failure { place: Place { line, column }, kind, mv, depth }) => {
                let error = PgnError { game: self.games, mv, line, column, kind };
                if let ErrorKind::Io(_) = error.kind {
                    self.is_at_end = true;
                    return Err(error);
                }
                let result = self.skip_game(depth, builder.is_in_moves());
                builder.cut(error, result).map(Some)
            }
        }
    }

    /// Reads tags and moves up to the result, or the place where the next game begins or the file
    /// ends, and returns that place. There are no moves if the file has only comments left.
    fn read_moves(&mut self, builder: &mut Builder) -> Result<Place, Failure> {
        let start = self.lexer.offset();
        loop {
            let found = self.next_token();
            let place = self.lexer.place();
            let Some((token, place)) =
                found.map_err(|error| Failure::at(place, ErrorKind::Io(error)))?
            else {
                self.is_at_end = true;
                if builder.has_tags() && !builder.is_in_moves() {
                    builder.begin_moves(place)?;
                }
                return Ok(place);
            };
            if let Token::Tag { name, .. } = &token
                && builder.is_over_before(name)
            {
                self.ahead.push_front((token, place));
                if !builder.is_in_moves() {
                    builder.begin_moves(place)?;
                }
                return Ok(place);
            }
            if self.lexer.offset() - start > MAX_GAME_BYTES {
                // The token still counts: it may be the result, or close a variation.
                self.ahead.push_front((token, place));
                let failure = Failure::at(place, ErrorKind::TooLong);
                return Err(Failure { depth: builder.depth(), ..failure });
            }
            match token {
                Token::Tag { name, value } => builder.tag(place, name, value),
                Token::BadTag(text) => {
                    let text: String = text.chars().take(60).collect();
                    builder.note(place, format!("ignored, not a tag: {}", text.escape_debug()));
                }
                Token::UnclosedComment => {
                    return Err(Failure::at(place, ErrorKind::UnclosedComment));
                }
                Token::Comment(text) => builder.comment(text),
                Token::Nag(nag) => builder.nag(nag),
                Token::Word(_) | Token::Open | Token::Close if !builder.is_in_moves() => {
                    // Kept also if the game fails here: it may be the result that ends the game.
                    self.ahead.push_front((token, place));
                    builder.begin_moves(place)?;
                }
                Token::Open => builder.open(place),
                Token::Close => builder.close(place),
                Token::Word(word) => match builder.word(place, &word) {
                    Ok(true) => {
                        self.read_last_comments(|text| builder.comment(text));
                        self.keep_back_moves(builder);
                        return Ok(place);
                    }
                    Ok(false) => {}
                    Err(kind) => {
                        let (mv, depth) = (builder.next_number(), builder.depth());
                        return Err(Failure { place, kind, mv, depth });
                    }
                },
            }
        }
    }

    /// Reads the comments after a result, up to a blank line. They belong to its game.
    fn read_last_comments(&mut self, mut add: impl FnMut(String)) {
        let start = self.lexer.offset();
        while self.is_before_comment()
            && let Some((token, place)) = self.token_between_games()
        {
            match token {
                Token::Comment(text) if self.lexer.offset() - start <= MAX_GAME_BYTES => add(text),
                Token::Comment(_) => {}
                token => return self.ahead.push_front((token, place)),
            }
        }
    }

    /// Skips what follows the result of a game up to the next one, and notes the first move there.
    /// The comments before the next game belong to it.
    fn keep_back_moves(&mut self, builder: &mut Builder) {
        let start = self.lexer.offset();
        let mut kept = Vec::new();
        let (mut depth, mut is_noted) = (0_usize, false);
        while let Some((token, place)) = self.token_between_games() {
            let is_next_game = match &token {
                Token::Tag { .. } | Token::BadTag(_) | Token::UnclosedComment => true,
                Token::Word(word) => depth == 0 && is_first_move(word),
                _ => false,
            };
            if is_next_game {
                kept.push((token, place));
                break;
            }
            match token {
                Token::Comment(_) if self.lexer.offset() - start <= MAX_GAME_BYTES => {
                    kept.push((token, place));
                    continue;
                }
                Token::Comment(_) | Token::Nag(_) => continue,
                Token::Word(word) if is_ignored(&word) || parse_result(&word).is_some() => continue,
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            kept.clear();
            if !std::mem::replace(&mut is_noted, true) {
                builder.note_guess(place, "moves after the result are left out");
            }
        }
        kept.into_iter().rev().for_each(|token| self.ahead.push_front(token));
    }

    fn is_before_comment(&mut self) -> bool {
        let found = self.lexer.skip_to_comment();
        found.unwrap_or_else(|error| {
            self.read_error = Some((self.lexer.place(), error));
            false
        })
    }

    /// Returns the next token. An error of the file is kept for the next game.
    fn token_between_games(&mut self) -> Option<(Token, Place)> {
        match self.next_token() {
            Ok(found) => {
                self.is_at_end = found.is_none();
                found
            }
            Err(error) => {
                self.read_error = Some((self.lexer.place(), error));
                None
            }
        }
    }

    /// Skips the rest of a game that cannot be read, from within `depth` parentheses. Returns its
    /// result, if there is one. The next token may begin another game if this one had begun.
    fn skip_game(&mut self, mut depth: usize, had_begun: bool) -> Option<Option<GameResult>> {
        let mut may_begin = had_begun;
        while let Some((token, place)) = self.token_between_games() {
            let is_next_game = match &token {
                Token::Tag { .. } => true,
                Token::Word(word) => may_begin && depth == 0 && is_first_move(word),
                _ => false,
            };
            if is_next_game {
                self.ahead.push_front((token, place));
                return None;
            }
            may_begin = true;
            match token {
                Token::Word(word) if depth == 0 && parse_result(&word).is_some() => {
                    self.read_last_comments(drop);
                    return parse_result(&word);
                }
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }
}

/// Returns whether a word begins a game without tags: White's first move, or its number.
fn is_first_move(word: &str) -> bool {
    let number = word.strip_prefix('1').unwrap_or_default();
    let is_black = number.starts_with("..") || number.starts_with('…');
    (word == "1" || number.starts_with('.')) && !is_black
}

struct Failure {
    place: Place,
    kind: ErrorKind,
    mv: Option<(u32, Color)>,
    /// Number of open parentheses.
    depth: usize,
}

impl Failure {
    fn at(place: Place, kind: ErrorKind) -> Self {
        Self { place, kind, mv: None, depth: 0 }
    }
}

impl From<(Place, ErrorKind)> for Failure {
    fn from((place, kind): (Place, ErrorKind)) -> Self {
        Self::at(place, kind)
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_at_end {
            return None;
        }
        self.games += 1;
        self.read_game().transpose()
    }
}
