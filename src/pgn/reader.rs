//! Games of a file, one after the other.

use std::io::{self, Read};

use crate::types::Color;

use super::builder::Builder;
use super::error::{ErrorKind, PgnError, Place};
use super::game::{PgnGame, PgnResult};
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
    /// Error of the file met while a game was skipped.
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
                return builder.finish(place).map_err(|kind| Failure::at(place, kind));
            };
            let fail = |kind| Failure::at(place, kind);
            if let Token::Tag { name, .. } = &token
                && builder.is_over_before(name)
            {
                self.next = Some((token, place));
                return builder.finish(place).map_err(fail);
            }
            if self.lexer.offset() - start > MAX_GAME_BYTES {
                return Err(fail(ErrorKind::TooLong));
            }
            match token {
                Token::Tag { name, value } => builder.tag(name, value),
                Token::BadTag(text) => {
                    let text: String = text.chars().take(60).collect();
                    builder.note(place, format!("ignored, not a tag: {}", text.escape_debug()));
                }
                Token::UnclosedComment => return Err(fail(ErrorKind::UnclosedComment)),
                Token::Comment(text) => builder.comment(text),
                Token::Nag(nag) => builder.nag(nag),
                Token::Word(_) | Token::Open | Token::Close if !builder.is_in_moves() => {
                    // Kept also if the game fails here: it may be the result that ends the game.
                    self.next = Some((token, place));
                    builder.begin_moves(place).map_err(fail)?;
                }
                Token::Open => builder.open(place),
                Token::Close => builder.close(place),
                Token::Word(word) => match builder.word(place, &word) {
                    Ok(true) => return builder.finish(place).map_err(fail),
                    Ok(false) => {}
                    Err(kind) => return Err(Failure { place, mv: builder.next_number(), kind }),
                },
            }
        }
    }

    /// Skips the rest of a game that cannot be read.
    fn skip_game(&mut self) {
        let mut depth = 0_usize;
        loop {
            let (token, place) = match self.next_token() {
                Ok(Some(found)) => found,
                Ok(None) => {
                    self.is_at_end = true;
                    return;
                }
                Err(error) => {
                    self.read_error = Some((self.lexer.place(), error));
                    return;
                }
            };
            match token {
                Token::Tag { .. } => {
                    self.next = Some((token, place));
                    return;
                }
                Token::Word(word) if depth == 0 && PgnResult::parse(&word).is_some() => return,
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
}

impl Failure {
    fn at(place: Place, kind: ErrorKind) -> Self {
        Self { place, kind, mv: None }
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
            Err(Failure { place: Place { line, column }, kind, mv }) => {
                match kind {
                    ErrorKind::Io(_) => self.is_at_end = true,
                    _ => self.skip_game(),
                }
                Some(Err(PgnError { game: self.games, mv, line, column, kind }))
            }
        }
    }
}
