//! Encodings of text files: UTF-8, UTF-16 in both byte orders, and Windows-1252 where a text is no
//! UTF-8. Windows-1252 is Latin-1 with signs in place of some controls.
//! Source: <https://encoding.spec.whatwg.org/#legacy-single-byte-encodings>

use std::fmt;

/// Characters of the bytes 0x80 to 0x9F in Windows-1252. Five have none and stay controls.
const SIGNS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Encoding of a text, or of a part of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// UTF-8, of which ASCII is a part.
    Utf8,
    /// Text that is no UTF-8.
    Windows1252,
    /// UTF-16, the low byte of each unit first.
    Utf16Le,
    /// UTF-16, the high byte of each unit first.
    Utf16Be,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::Windows1252 => "Windows-1252",
            Self::Utf16Le | Self::Utf16Be => "UTF-16",
        })
    }
}

impl Encoding {
    /// Number of bytes that hold every character.
    pub(crate) const MAX_BYTES: usize = 4;

    /// Returns the encoding of a text by its first four bytes: by its byte order mark, or by the
    /// zero bytes of ASCII in UTF-16. UTF-8 if neither is there.
    pub(crate) fn of(start: &[u8]) -> Self {
        if start.starts_with(b"\xFF\xFE") {
            return Self::Utf16Le;
        } else if start.starts_with(b"\xFE\xFF") {
            return Self::Utf16Be;
        }
        let zeros = start.iter().take(4).map(|&byte| byte == 0);
        match zeros.collect::<Vec<bool>>()[..] {
            [false, true] | [false, true, false, true] => Self::Utf16Le,
            [true, false] | [true, false, true, false] => Self::Utf16Be,
            _ => Self::Utf8,
        }
    }

    /// Decodes the first character of some bytes, and returns it with its number of bytes and its
    /// encoding: a byte of UTF-8 that is wrong is one of Windows-1252. A wrong unit of UTF-16 is
    /// U+FFFD. Returns `None` if there are no bytes.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<(char, usize, Self)> {
        let (letter, length) = match self {
            Self::Utf8 | Self::Windows1252 => return decode_byte(bytes),
            Self::Utf16Le => decode_unit(bytes, u16::from_le_bytes),
            Self::Utf16Be => decode_unit(bytes, u16::from_be_bytes),
        }?;
        Some((letter, length, self))
    }
}

fn decode_byte(bytes: &[u8]) -> Option<(char, usize, Encoding)> {
    let first = *bytes.first()?;
    let length = match first {
        0..0x80 => return Some((first.into(), 1, Encoding::Utf8)),
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    };
    let text = bytes.get(..length).and_then(|letter| str::from_utf8(letter).ok());
    match text.and_then(|text| text.chars().next()) {
        Some(letter) => Some((letter, length, Encoding::Utf8)),
        None => Some((of_windows(first), 1, Encoding::Windows1252)),
    }
}

fn of_windows(byte: u8) -> char {
    match byte {
        0x80..0xA0 => SIGNS[usize::from(byte - 0x80)],
        _ => byte.into(),
    }
}

fn decode_unit(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<(char, usize)> {
    let (units, rest) = bytes.as_chunks::<2>();
    if units.is_empty() {
        return (!rest.is_empty()).then_some((char::REPLACEMENT_CHARACTER, 1));
    }
    let letter = char::decode_utf16(units.iter().map(|&bytes| unit(bytes))).next()?;
    let letter = letter.unwrap_or(char::REPLACEMENT_CHARACTER);
    Some((letter, 2 * letter.len_utf16()))
}

/// Returns U+FFFD for a control other than a tab or a line break, and for a noncharacter. No output
/// of the program may have one that comes from a file.
pub(crate) fn without_control(letter: char) -> char {
    let is_control = letter.is_control() && !matches!(letter, '\t' | '\n' | '\r');
    let is_noncharacter =
        matches!(letter, '\u{fdd0}'..='\u{fdef}') || letter as u32 & 0xFFFE == 0xFFFE;
    if is_control || is_noncharacter { char::REPLACEMENT_CHARACTER } else { letter }
}

/// Decodes a text without byte order marks and controls. The end-of-file character of DOS is a
/// blank: programs that join files leave it and the marks between them.
pub(super) fn decode(bytes: Vec<u8>) -> String {
    let encoding = Encoding::of(&bytes);
    let text = match String::from_utf8(bytes) {
        Ok(text) if encoding == Encoding::Utf8 => text,
        other => {
            let bytes = other.map_or_else(|error| error.into_bytes(), String::into_bytes);
            let mut rest = &bytes[..];
            let letters = std::iter::from_fn(|| {
                let (letter, length, _) = encoding.decode(rest)?;
                rest = &rest[length..];
                Some(letter)
            });
            letters.collect()
        }
    };
    // Most texts need no copy.
    if is_clean(text.as_bytes()) { text } else { text.chars().filter_map(mended).collect() }
}

/// Returns whether bytes are a text in UTF-8 in which [`decode`] changes nothing.
pub(super) fn is_clean(bytes: &[u8]) -> bool {
    let is_kept = |letter| mended(letter) == Some(letter);
    Encoding::of(bytes) == Encoding::Utf8
        && str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_kept))
}

fn mended(letter: char) -> Option<char> {
    match letter {
        '\u{feff}' => None,
        '\x1a' => Some(' '),
        _ => Some(without_control(letter)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn texts_are_read_in_their_encoding() {
        for text in ["", "é", "a", "[Event \"Gr\u{fc}nfeld ♘ 𝄞\"]\n"] {
            for mark in ["", "\u{feff}"] {
                let marked = format!("{mark}{text}");
                assert_eq!(decode(marked.clone().into_bytes()), text);
                if text.is_ascii() || !mark.is_empty() || text.len() > 4 {
                    assert_eq!(decode(utf16(&marked, u16::to_le_bytes)), text);
                    assert_eq!(decode(utf16(&marked, u16::to_be_bytes)), text);
                }
            }
        }
        // One wrong byte does not change the characters beside it.
        assert_eq!(decode(b"\xC3\xA9 \x96 \xC3\xBC".to_vec()), "é – ü");
        assert_eq!(decode(b"\xFCb\xE9\x81".to_vec()), "übé\u{fffd}");
        // Files that were joined.
        assert_eq!(decode("\u{feff}a\n\u{feff}b\n\x1a".into()), "a\nb\n ");
    }

    #[test]
    fn wrong_units_are_replaced() {
        assert_eq!(decode(b"\xFF\xFEa\0\0\xD8b\0c".to_vec()), "a\u{fffd}b\u{fffd}");
        assert_eq!(decode(b"\xFE\xFF\0a\xDC\0\0b\xD8".to_vec()), "a\u{fffd}b\u{fffd}");
        assert_eq!(decode(b"\0".to_vec()), "\u{fffd}");
        assert_eq!(decode(b"a\0\0\0\x1b\t\n".to_vec()), "a\u{fffd}\u{fffd}\u{fffd}\u{fffd}\t\n");
    }
}
