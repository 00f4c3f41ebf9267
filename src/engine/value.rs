//! Values of options: parsing, ranges and errors.

use thiserror::Error;

use crate::text::Quoted;

/// Option or search parameter with a value of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSetting {
    /// Name in the spelling of its table.
    pub(super) name: &'static str,
    /// Value as sent.
    pub(super) found: String,
    pub(super) value: OptionValue,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OptionValue {
    Number(Number),
    Check(bool),
    /// Press of a button, which has no value.
    Press,
    Text,
}

/// Number that is clamped to its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) used: i64,
    /// Message if it was outside its range.
    pub(super) note: Option<String>,
}

impl Number {
    pub(super) fn parse(
        name: &'static str,
        value: Option<&str>,
        min: i64,
        max: i64,
        unit: &'static str,
    ) -> Result<Self, OptionError> {
        const MAX_DIGITS: usize = 40;
        let found = value.ok_or(OptionError::NoValue(name))?;
        let number =
            parse_number(found).ok_or_else(|| OptionError::bad_value(name, found, "an integer"))?;
        let limit = match number {
            _ if number < min => Some("below the minimum"),
            _ if number > max => Some("above the maximum"),
            _ => None,
        };
        let used = number.clamp(min, max);
        let note = limit.map(|limit| {
            let space = if unit.is_empty() { "" } else { " " };
            let digits: String = found.chars().take(MAX_DIGITS).collect();
            format!("{name}: {digits} is {limit} of {used}{space}{unit}, which is used")
        });
        Ok(Self { used, note })
    }
}

/// Reason why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("setoption: unknown option {}", Quoted(.0))]
    Unknown(String),
    /// The value is missing.
    #[error("setoption: {0} needs 'value' and a value")]
    NoValue(&'static str),
    /// The value is of the wrong type.
    #[error("{name}: expected {expected}, found {}", Quoted(.found))]
    BadValue {
        /// Name of the option.
        name: &'static str,
        /// Value sent, in full.
        found: String,
        /// Description of valid values.
        expected: &'static str,
    },
}

impl OptionError {
    pub(super) fn bad_value(name: &'static str, found: &str, expected: &'static str) -> Self {
        Self::BadValue { name, found: found.to_owned(), expected }
    }
}

/// Parses an integer of any length, clamped to an `i64`.
pub fn parse_number(word: &str) -> Option<i64> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    match word.parse() {
        Ok(number) => Some(number),
        Err(error) => match std::num::ParseIntError::kind(&error) {
            PosOverflow => Some(i64::MAX),
            NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}
