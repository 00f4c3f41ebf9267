//! Tokens of a file: tags, words, comments, glyphs and parentheses.

use std::io::{self, Read};

use crate::files::without_control;

use super::error::Place;
use super::source::{CharSource, is_blank};

/// Maximum length of a token, in bytes; the rest is dropped.
const MAX_TOKEN: usize = 1 << 20;

/// First tag of nearly all games. On a new line, it ends a comment without `}`.
const FIRST_TAG: &str = "[Event \"";

/// Maximum length of `<…>`, in characters.
const MAX_RESERVED: usize = 200;

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
    source: CharSource<R>,
    tag_line: u64,
    /// First character that was replaced, or that is an unusual blank between words.
    mended: Option<(&'static str, Place)>,
}

impl<R: Read> Lexer<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { source: CharSource::new(reader), tag_line: 0, mended: None }
    }

    pub(super) fn offset(&self) -> u64 {
        self.source.offset()
    }

    pub(super) fn place(&self) -> Place {
        self.source.place()
    }

    /// Returns what was unusual in the text since the last call, with its place.
    pub(super) fn take_mended(&mut self) -> impl Iterator<Item = (String, Place)> + use<R> {
        let encoding = self.source.take_encoding();
        let encoding =
            encoding.map(|(encoding, place)| (format!("read as text in {encoding}"), place));
        let mended = self.mended.take().map(|(text, place)| (text.to_owned(), place));
        encoding.into_iter().chain(mended)
    }

    pub(super) fn next(&mut self) -> io::Result<Option<(Token, Place)>> {
        loop {
            let place = self.source.place();
            let may_be_tag = self.source.is_line_blank() || place.line == self.tag_line;
            let Some(letter) = self.source.peek()? else { return Ok(None) };
            let token = match letter {
                '%' if place.column == 1 => {
                    self.read_line()?;
                    continue;
                }
                '[' if may_be_tag => self.read_tag()?,
                '{' => self.read_comment()?,
                ';' => {
                    self.source.next()?;
                    Token::Comment(single_blanks(&self.read_line()?))
                }
                '(' => self.single(Token::Open)?,
                ')' => self.single(Token::Close)?,
                '$' => self.read_nag()?,
                '<' if self.skip_reserved()? => continue,
                '}' => {
                    self.source.next()?;
                    continue;
                }
                _ if is_blank(letter) => {
                    self.skip_blank(letter)?;
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
                Some('{' | ';') => return Ok(true),
                Some('\n') if self.source.is_line_blank() => return Ok(false),
                Some(letter) if is_blank(letter) => self.skip_blank(letter)?,
                _ => return Ok(false),
            }
        }
    }

    fn single(&mut self, token: Token) -> io::Result<Token> {
        self.source.next()?;
        Ok(token)
    }

    fn skip_blank(&mut self, letter: char) -> io::Result<()> {
        // The end-of-file character of DOS, and zeros, are not worth a note.
        if !letter.is_ascii() {
            self.mended.get_or_insert(("blanks other than those of ASCII", self.source.place()));
        }
        self.source.next()?;
        Ok(())
    }

    /// Skips `<…>`, which the standard reserves, and returns whether it is there.
    fn skip_reserved(&mut self) -> io::Result<bool> {
        let Some(length) = self.source.distance_to('>', MAX_RESERVED)? else { return Ok(false) };
        for _ in 0..=length {
            self.source.next()?;
        }
        Ok(true)
    }

    /// Adds the next character to a text. Controls and noncharacters are replaced, so that no
    /// output has them.
    fn push_next(&mut self, text: &mut String) -> io::Result<()> {
        let place = self.source.place();
        let Some(letter) = self.source.next()? else { return Ok(()) };
        // Tags have no tabs; elsewhere they are blanks.
        let shown = if letter == '\t' { ' ' } else { without_control(letter) };
        if shown == char::REPLACEMENT_CHARACTER && shown != letter {
            self.mended.get_or_insert(("control characters replaced by U+FFFD", place));
        }
        if text.len() < MAX_TOKEN {
            text.push(shown);
        }
        Ok(())
    }

    /// Adds the printable characters of ASCII that follow and are part of a token.
    fn push_ascii(&mut self, text: &mut String, is_part: impl Fn(u8) -> bool) {
        let room = MAX_TOKEN.saturating_sub(text.len());
        self.source.read_ascii(text, room, is_part);
    }

    fn read_line(&mut self) -> io::Result<String> {
        let line = self.source.place().line;
        let mut text = String::new();
        while self.source.peek()?.is_some() {
            self.push_ascii(&mut text, |_| true);
            self.push_next(&mut text)?;
            if self.source.place().line != line {
                break;
            }
        }
        Ok(text)
    }

    /// Reads a tag. Its quotes are often not escaped, so the value ends at a quote that a `]`
    /// follows, or with the line.
    fn read_tag(&mut self) -> io::Result<Token> {
        let line = self.source.place().line;
        self.tag_line = line;
        let mut text = String::new();
        let mut quotes = 0;
        let mut is_escaped = false;
        let mut may_end = false;
        while let Some(letter) = self.source.peek()? {
            self.push_next(&mut text)?;
            if self.source.place().line != line {
                break;
            }
            match letter {
                ']' if may_end => break,
                '"' if !is_escaped => {
                    quotes += 1;
                    may_end = quotes > 1;
                }
                letter if letter.is_whitespace() => {}
                _ => may_end = false,
            }
            is_escaped = letter == '\\' && !is_escaped;
        }
        Ok(parse_tag(&text))
    }

    fn read_comment(&mut self) -> io::Result<Token> {
        self.source.next()?;
        let mut text = String::new();
        loop {
            if self.source.place().column == 1 && self.source.looking_at(FIRST_TAG)? {
                return Ok(Token::UnclosedComment);
            }
            self.push_ascii(&mut text, |byte| byte != b'}');
            match self.source.peek()? {
                None => return Ok(Token::UnclosedComment),
                Some('}') => break,
                Some(_) => self.push_next(&mut text)?,
            }
        }
        self.source.next()?;
        Ok(Token::Comment(single_blanks(&text)))
    }

    fn read_nag(&mut self) -> io::Result<Token> {
        self.source.next()?;
        let mut number: u16 = 0;
        while let Some(digit @ '0'..='9') = self.source.peek()? {
            number = number.saturating_mul(10).saturating_add((digit as u8 - b'0').into());
            self.source.next()?;
        }
        Ok(Token::Nag(number))
    }

    /// Returns whether the promotion of a word such as `e8(Q)` follows.
    fn is_at_promotion(&mut self) -> io::Result<bool> {
        for piece in "QRBNqrbn♕♖♗♘♛♜♝♞".chars() {
            if self.source.looking_at(&format!("({piece})"))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read_word(&mut self) -> io::Result<String> {
        let mut text = String::new();
        loop {
            self.push_ascii(&mut text, |byte| byte != b' ' && !b"(){};$".contains(&byte));
            let Some(letter) = self.source.peek()? else { break };
            if letter == '(' && self.is_at_promotion()? {
                for _ in 0..3 {
                    self.push_next(&mut text)?;
                }
                continue;
            }
            if is_blank(letter) || "(){};$".contains(letter) {
                break;
            }
            self.push_next(&mut text)?;
        }
        Ok(text)
    }
}

/// Replaces line breaks and any number of blanks by one blank, since the writer wraps comments.
fn single_blanks(text: &str) -> String {
    let mut single = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !single.is_empty() {
            single.push(' ');
        }
        single.push_str(word);
    }
    single
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
