//! Words of a command, from a line or from the command line.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::engine::value::parse_number;
use crate::platform::Instant;

use super::error::CommandError;

/// Cursor over the words of a command.
pub(crate) struct Words<'a> {
    source: WordSource<'a>,
    /// Time at which the words were read.
    pub(crate) received: Instant,
    /// Errors that do not prevent the command.
    pub(crate) errors: Vec<CommandError>,
}

#[derive(Copy, Clone)]
enum WordSource<'a> {
    Line(&'a str),
    /// Arguments of the program, one word each.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only the program has them"))]
    Arguments(&'a [String]),
}

impl<'a> Words<'a> {
    pub(crate) fn of_line(line: &'a str, received: Instant) -> Self {
        // PowerShell starts piped text with a byte order mark.
        let line = line.trim_start_matches('\u{feff}').trim();
        Self { source: WordSource::Line(line), received, errors: Vec::new() }
    }

    #[cfg(feature = "cli")]
    pub(crate) fn of_arguments(arguments: &'a [String], received: Instant) -> Self {
        Self { source: WordSource::Arguments(arguments), received, errors: Vec::new() }
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.split().map(|(word, _)| word)
    }

    /// Consumes and returns the remaining text.
    pub(crate) fn rest(&mut self) -> String {
        match std::mem::replace(&mut self.source, WordSource::Line("")) {
            WordSource::Line(line) => line.to_owned(),
            WordSource::Arguments(arguments) => arguments.join(" "),
        }
    }

    fn split(&self) -> Option<(&'a str, WordSource<'a>)> {
        match self.source {
            WordSource::Line(line) => {
                let end = line.find(char::is_whitespace).unwrap_or(line.len());
                let (word, rest) = line.split_at(end);
                (!word.is_empty()).then_some((word, WordSource::Line(rest.trim_start())))
            }
            WordSource::Arguments(arguments) => {
                let (word, rest) = arguments.split_first()?;
                Some((word, WordSource::Arguments(rest)))
            }
        }
    }

    /// Returns the next word; in a line, text in double quotes is one word.
    fn next_quoted(&mut self) -> Option<&'a str> {
        if let WordSource::Line(line) = self.source
            && let Some(quoted) = line.strip_prefix('"')
        {
            let (word, rest) = quoted.split_once('"').unwrap_or((quoted, ""));
            self.source = WordSource::Line(rest.trim_start());
            return Some(word);
        }
        self.next()
    }

    /// Parses the next word as a path. Replaced bytes mean that it was not UTF-8.
    pub(crate) fn path(
        &mut self,
        command: &'static str,
        expected: &'static str,
    ) -> Result<PathBuf, CommandError> {
        let word = self.next_quoted().filter(|path| !path.is_empty());
        let path = word.ok_or(CommandError::Missing { command, expected })?;
        if path.contains(char::REPLACEMENT_CHARACTER) {
            return Err(CommandError::NotUtf8 { command, path: path.to_owned() });
        }
        Ok(PathBuf::from(path))
    }

    pub(crate) fn number(
        &mut self,
        place: &str,
        range: RangeInclusive<u64>,
    ) -> Result<u64, CommandError> {
        number_in(place, self.next().unwrap_or_default(), range)
    }

    pub(crate) fn optional_number(
        &mut self,
        place: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, CommandError> {
        self.peek().is_some().then(|| self.number(place, range)).transpose()
    }
}

/// Parses a number, of which `place` names the command and the argument.
pub(crate) fn number_in(
    place: &str,
    found: &str,
    range: RangeInclusive<u64>,
) -> Result<u64, CommandError> {
    if let Some(number) = found.parse().ok().filter(|number| range.contains(number)) {
        return Ok(number);
    }
    let (place, found) = (place.to_owned(), found.to_owned());
    // An integer may be negative or too large for the type.
    Err(if parse_number(&found).is_some() {
        let (min, max) = range.into_inner();
        CommandError::OutOfRange { place, found, min, max }
    } else {
        CommandError::NotANumber { place, found }
    })
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.split()?;
        self.source = rest;
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_line_are_separated_by_white_space() {
        let words: Vec<_> = Words::of_line("\u{feff}\t go  depth\t3 \r", Instant::now()).collect();
        assert_eq!(words, ["go", "depth", "3"]);
        assert_eq!(Words::of_line(" \t ", Instant::now()).next(), None);
    }

    #[test]
    fn the_rest_keeps_its_white_space() {
        let mut words = Words::of_line("value C:\\my  book.bin ", Instant::now());
        assert_eq!(words.next(), Some("value"));
        assert_eq!(words.rest(), "C:\\my  book.bin");
        assert_eq!(words.next(), None);
    }

    #[test]
    fn paths_may_contain_blanks() {
        let arguments = ["a  b".to_owned(), "c".to_owned()];
        let mut of_line = Words::of_line("\"a  b\" c", Instant::now());
        let mut of_arguments = Words::of_arguments(&arguments, Instant::now());
        for words in [&mut of_line, &mut of_arguments] {
            assert_eq!(words.path("", "").ok(), Some(PathBuf::from("a  b")));
            assert_eq!(words.next(), Some("c"));
            assert!(words.path("", "").is_err());
        }
    }

    #[test]
    fn numbers_are_checked_against_their_range() {
        let number = |word| Words::of_line(word, Instant::now()).number("place", 1..=9);
        assert_eq!(number("9"), Ok(9));
        for (word, message) in [
            ("", "place: expected a number"),
            ("x", "place: expected a number, found 'x'"),
            ("-1", "place: expected 1 to 9, found '-1'"),
            ("99999999999999999999", "place: expected 1 to 9, found '99999999999999999999'"),
        ] {
            assert_eq!(number(word).expect_err("invalid").to_string(), message);
        }
    }
}
