//! Tokens of a file: tags, words, comments, glyphs and parentheses.

use std::io::{self, Read};

use super::error::Place;
use super::source::ByteSource;

/// Maximum length of a token, in bytes; the rest is dropped.
const MAX_TOKEN: usize = 1 << 20;

/// First tag of nearly all games. On a new line, it ends a comment without `}`.
const FIRST_TAG: &[u8] = b"[Event \"";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `[name "value"]`
    Tag {
        name: String,
        value: String,
    },
    /// Line that begins like a tag, but is malformed.
    BadTag(String),
    /// Move, move number, result or anything else without blanks.
    Word(String),
    /// Comment in braces or after `;`.
    Comment(String),
    /// Comment without an end before the next game.
    UnclosedComment,
    /// `$` and a number.
    Nag(u16),
    Open,
    Close,
}

pub(super) struct Lexer<R> {
    source: ByteSource<R>,
    tag_line: u64,
}

impl<R: Read> Lexer<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { source: ByteSource::new(reader), tag_line: 0 }
    }

    pub(super) fn offset(&self) -> u64 {
        self.source.offset()
    }

    pub(super) fn place(&self) -> Place {
        self.source.place()
    }

    pub(super) fn next(&mut self) -> io::Result<Option<(Token, Place)>> {
        if self.source.offset() == 0 {
            self.source.skip_mark()?;
        }
        loop {
            let place = self.source.place();
            let may_be_tag = self.source.is_line_blank() || place.line == self.tag_line;
            let Some(byte) = self.source.peek()? else { return Ok(None) };
            let token = match byte {
                b'%' if place.column == 1 => {
                    self.read_line()?;
                    continue;
                }
                b'[' if may_be_tag => self.read_tag()?,
                b'{' => self.read_comment()?,
                b';' => {
                    self.skip(1)?;
                    Token::Comment(single_blanks(&self.read_line()?))
                }
                b'(' => self.single(Token::Open)?,
                b')' => self.single(Token::Close)?,
                b'$' => self.read_nag()?,
                byte if byte.is_ascii_whitespace() || byte == b'}' || byte == 0 => {
                    self.skip(1)?;
                    continue;
                }
                _ => Token::Word(self.read_word()?),
            };
            return Ok(Some((token, place)));
        }
    }

    /// Skips blanks up to a blank line, and returns whether a comment follows.
    pub(super) fn skip_to_comment(&mut self) -> io::Result<bool> {
        loop {
            match self.source.peek()? {
                Some(b'{' | b';') => return Ok(true),
                Some(b'\n') if self.source.is_line_blank() => return Ok(false),
                Some(byte) if byte.is_ascii_whitespace() => self.skip(1)?,
                _ => return Ok(false),
            }
        }
    }

    fn single(&mut self, token: Token) -> io::Result<Token> {
        self.skip(1)?;
        Ok(token)
    }

    fn skip(&mut self, bytes: usize) -> io::Result<()> {
        for _ in 0..bytes {
            self.source.next()?;
        }
        Ok(())
    }

    fn read_line(&mut self) -> io::Result<String> {
        let line = self.source.place().line;
        let mut bytes = Vec::new();
        while self.source.peek()?.is_some() {
            push(&mut bytes, self.source.next()?);
            if self.source.place().line != line {
                break;
            }
        }
        Ok(decode(&bytes))
    }

    /// Reads a tag. Its quotes are often not escaped, so the value ends at a quote that a `]`
    /// follows, or with the line.
    fn read_tag(&mut self) -> io::Result<Token> {
        let line = self.source.place().line;
        self.tag_line = line;
        let mut bytes = Vec::new();
        let mut quotes = 0;
        let mut is_escaped = false;
        let mut may_end = false;
        while let Some(byte) = self.source.peek()? {
            push(&mut bytes, self.source.next()?);
            if self.source.place().line != line {
                break;
            }
            match byte {
                b']' if may_end => break,
                b'"' if !is_escaped => {
                    quotes += 1;
                    may_end = quotes > 1;
                }
                byte if byte.is_ascii_whitespace() => {}
                _ => may_end = false,
            }
            is_escaped = byte == b'\\' && !is_escaped;
        }
        Ok(parse_tag(&decode(&bytes)))
    }

    fn read_comment(&mut self) -> io::Result<Token> {
        self.skip(1)?;
        let mut bytes = Vec::new();
        loop {
            if self.source.place().column == 1 && self.source.looking_at(FIRST_TAG)? {
                return Ok(Token::UnclosedComment);
            }
            match self.source.next()? {
                None => return Ok(Token::UnclosedComment),
                Some(b'}') => break,
                byte => push(&mut bytes, byte),
            }
        }
        Ok(Token::Comment(single_blanks(&decode(&bytes))))
    }

    fn read_nag(&mut self) -> io::Result<Token> {
        self.skip(1)?;
        let mut number: u16 = 0;
        while let Some(digit @ b'0'..=b'9') = self.source.peek()? {
            number = number.saturating_mul(10).saturating_add((digit - b'0').into());
            self.skip(1)?;
        }
        Ok(Token::Nag(number))
    }

    /// Returns whether the promotion of a word such as `e8(Q)` follows.
    fn is_at_promotion(&mut self) -> io::Result<bool> {
        for promotion in [b"(Q)", b"(R)", b"(B)", b"(N)"] {
            if self.source.looking_at(promotion)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read_word(&mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.source.peek()? {
            if byte == b'(' && self.is_at_promotion()? {
                for _ in 0..3 {
                    push(&mut bytes, self.source.next()?);
                }
                continue;
            }
            if byte.is_ascii_whitespace() || b"(){};$".contains(&byte) || byte == 0 {
                break;
            }
            push(&mut bytes, self.source.next()?);
        }
        Ok(decode(&bytes))
    }
}

fn push(bytes: &mut Vec<u8>, byte: Option<u8>) {
    if bytes.len() < MAX_TOKEN {
        bytes.extend(byte);
    }
}

/// Replaces line breaks and any number of blanks by one blank, since the writer wraps comments.
fn single_blanks(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Decodes UTF-8, else Latin-1, the encoding of the standard.
fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

fn parse_tag(text: &str) -> Token {
    let parts = || {
        let inner = text.trim().strip_prefix('[')?;
        let (name, rest) = inner.split_once('"')?;
        let quoted = rest.trim_end().strip_suffix(']').unwrap_or(rest).trim_end();
        let value = quoted.strip_suffix('"').unwrap_or(quoted);
        let name = name.trim();
        let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
        is_name.then(|| (name.to_owned(), unescape(value)))
    };
    match parts() {
        Some((name, value)) => Token::Tag { name, value },
        None => Token::BadTag(text.trim().to_owned()),
    }
}

/// Replaces `\"` by a quote and `\\` by a backslash. Other backslashes stay.
fn unescape(value: &str) -> String {
    let mut text = String::new();
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped =
            (letter == '\\').then(|| letters.next_if(|&next| next == '"' || next == '\\'));
        text.push(escaped.flatten().unwrap_or(letter));
    }
    text
}
