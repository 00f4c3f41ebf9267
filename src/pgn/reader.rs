//! Games of a file, one after the other.

use std::io::{self, Read};

use crate::types::Color;

use super::builder::Builder;
use super::error::{ErrorKind, PgnError, Place};
use super::game::{PgnGame, parse_result};
use super::lexer::{Lexer, Token};

const MAX_GAME_BYTES: u64 = 8 << 20;

/// Iterator over the games of a file, which keeps one game in memory.
///
/// Returns an error for each game that cannot be read and continues with the next. Ends after an
/// error of the file itself.
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// Token to be read again.
    next: Option<(Token, Place)>,
    games: usize,
    /// Error of the file met after a game, which the next one gets.
    read_error: Option<(Place, io::Error)>,
    is_at_end: bool,
}

impl<R: Read> Reader<R> {
    /// Creates a reader, which buffers its input.
    pub fn new(reader: R) -> Self {
        Self { lexer: Lexer::new(reader), next: None, games: 0, read_error: None, is_at_end: false }
    }

    /// Returns the number of bytes read for the games so far.
    pub fn bytes_read(&self) -> u64 {
        self.lexer.offset()
    }

    fn next_token(&mut self) -> io::Result<Option<(Token, Place)>> {
        match self.next.take() {
            Some(token) => Ok(Some(token)),
            None => self.lexer.next(),
        }
    }

    fn read_game(&mut self) -> Result<Option<PgnGame>, Failure> {
        let start = self.lexer.offset();
        let mut builder = Builder::new(self.games);
        loop {
            let found = self.next_token();
            let place = self.lexer.place();
            let Some((token, place)) =
                found.map_err(|error| Failure::at(place, ErrorKind::Io(error)))?
            else {
                self.is_at_end = true;
                return Ok(builder.finish(place)?);
            };
            if let Token::Tag { name, .. } = &token
                && builder.is_over_before(name)
            {
                self.next = Some((token, place));
                return Ok(builder.finish(place)?);
            }
            if self.lexer.offset() - start > MAX_GAME_BYTES {
                // The token still counts: it may be the result, or close a variation.
                self.next = Some((token, place));
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
                    self.next = Some((token, place));
                    builder.begin_moves(place)?;
                }
                Token::Open => builder.open(place),
                Token::Close => builder.close(place),
                Token::Word(word) => match builder.word(place, &word) {
                    Ok(true) => {
                        self.read_last_comments(|text| builder.comment(text));
                        return Ok(builder.finish(place)?);
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
                token => {
                    self.next = Some((token, place));
                    return;
                }
            }
        }
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

    /// Skips the rest of a game that cannot be read, from within `depth` parentheses.
    fn skip_game(&mut self, mut depth: usize) {
        while let Some((token, place)) = self.token_between_games() {
            match token {
                Token::Tag { .. } => {
                    self.next = Some((token, place));
                    return;
                }
                Token::Word(word) if depth == 0 && parse_result(&word).is_some() => {
                    return self.read_last_comments(drop);
                }
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
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
        let game = match self.read_error.take() {
            Some((place, error)) => Err(Failure::at(place, ErrorKind::Io(error))),
            None => self.read_game(),
        };
        match game {
            Ok(game) => game.map(Ok),
            Err(Failure { place: Place { line, column }, kind, mv, depth }) => {
                match kind {
                    ErrorKind::Io(_) => self.is_at_end = true,
                    _ => self.skip_game(depth),
                }
                Some(Err(PgnError { game: self.games, mv, line, column, kind }))
            }
        }
    }
}
