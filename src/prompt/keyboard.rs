//! Keys pressed while there is no prompt: to stop a search, or typed ahead.

use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::platform::terminal::{SingleKeys, read_keys};

/// Polling interval of the flag.
const INTERVAL: Duration = Duration::from_millis(10);

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum KeyPress {
    /// Ctrl-C, Enter, or `stop` with Enter.
    Stop,
    Line(String),
    /// Ctrl-D, or the end of the input.
    End,
}

/// Reads keys of the terminal while there is no prompt.
#[derive(Default)]
pub(super) struct Keyboard {
    /// `None` at a prompt, and if the modes cannot be set.
    single_keys: Option<SingleKeys>,
    unread: VecDeque<u8>,
    /// Bytes of an unfinished line.
    typed: Vec<u8>,
    escape: Escape,
}

/// Progress within an escape sequence, which an arrow key sends.
#[derive(Copy, Clone, Default)]
enum Escape {
    #[default]
    None,
    Begun,
    Inside,
}

impl Keyboard {
    /// Gives the terminal its usual modes for a prompt, and takes them back right after it: a key
    /// must not become a signal before the search of the prompt's line.
    pub(super) fn suspended<T>(&mut self, prompt: impl FnOnce() -> T) -> T {
        self.single_keys = None;
        self.escape = Escape::None;
        let result = prompt();
        self.single_keys = SingleKeys::enable();
        result
    }

    /// Returns the next key of those read; an unfinished line stays in `typed`.
    pub(super) fn next(&mut self) -> Option<KeyPress> {
        const CTRL_C: u8 = 3;
        const CTRL_D: u8 = 4;
        const BACKSPACE: u8 = 8;
        const DELETE: u8 = 127;
        while let Some(byte) = self.unread.pop_front() {
            match byte {
                _ if self.is_in_escape_sequence(byte) => {}
                CTRL_C => {
                    self.typed.clear();
                    return Some(KeyPress::Stop);
                }
                CTRL_D => return Some(KeyPress::End),
                BACKSPACE | DELETE => self.erase(),
                b'\r' | b'\n' => {
                    let line = self.take_typed();
                    let is_stop = matches!(line.trim(), "" | "stop");
                    return Some(if is_stop { KeyPress::Stop } else { KeyPress::Line(line) });
                }
                _ if byte.is_ascii_control() => {}
                _ => self.typed.push(byte),
            }
        }
        None
    }

    /// Returns whether the next byte belongs to an escape sequence: ESC, `[` or `O`, parameters and
    /// a final byte.
    fn is_in_escape_sequence(&mut self, byte: u8) -> bool {
        const ESCAPE: u8 = 27;
        let (next, is_inside) = match (self.escape, byte) {
            (_, ESCAPE) => (Escape::Begun, true),
            (Escape::Begun, b'[' | b'O') | (Escape::Inside, b'0'..=b'?') => (Escape::Inside, true),
            (Escape::Inside, b'@'..=b'~') => (Escape::None, true),
            _ => (Escape::None, false),
        };
        self.escape = next;
        is_inside
    }

    /// Removes the last character typed.
    fn erase(&mut self) {
        let is_continuation = |byte: u8| byte & 0xC0 == 0x80;
        while self.typed.pop().is_some_and(is_continuation) {}
    }

    /// Takes the unfinished line, which the next prompt shows.
    pub(super) fn take_typed(&mut self) -> String {
        String::from_utf8_lossy(&mem::take(&mut self.typed)).into_owned()
    }

    /// Waits for a key while the flag is true.
    pub(super) fn wait(&mut self, is_watching: &AtomicBool) -> Option<KeyPress> {
        let mut key = self.next();
        while key.is_none() && is_watching.load(Ordering::Relaxed) {
            key = match read_keys(INTERVAL) {
                Ok(bytes) => {
                    if bytes.is_empty() {
                        // The bytes of a sequence arrive together: this was the key Esc.
                        self.escape = Escape::None;
                    }
                    self.unread.extend(bytes);
                    self.next()
                }
                Err(_) => Some(KeyPress::End),
            };
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> (Vec<KeyPress>, String) {
        let unread = bytes.iter().copied().collect();
        let mut keys = Keyboard { unread, ..Keyboard::default() };
        (std::iter::from_fn(|| keys.next()).collect(), keys.take_typed())
    }

    #[test]
    fn enter_and_control_keys_act() {
        for (bytes, expected) in [
            (&b"\r"[..], KeyPress::Stop),
            (b"\n", KeyPress::Stop),
            (b" stop\r", KeyPress::Stop),
            (b"ab\x03", KeyPress::Stop),
            (b"x\x04", KeyPress::End),
        ] {
            assert_eq!(keys(bytes).0, [expected], "{bytes:?}");
        }
    }

    #[test]
    fn what_is_typed_ahead_is_kept() {
        let line = |text: &str| KeyPress::Line(text.to_owned());
        assert_eq!(keys(b"d\re4\rNf"), (vec![line("d"), line("e4")], "Nf".to_owned()));
        assert_eq!(keys(b"dx\x7f\r"), (vec![line("d")], String::new()));
        assert_eq!(keys("dé\x7f\r".as_bytes()), (vec![line("d")], String::new()));
    }

    #[test]
    fn arrows_and_other_control_keys_type_nothing() {
        for bytes in [&b"\x1b[A\r"[..], b"\x1bOB\r", b"\x1b[1;5C\r", b"\x1b\r", b"\x0b\t\r"] {
            assert_eq!(keys(bytes), (vec![KeyPress::Stop], String::new()), "{bytes:?}");
        }
    }
}
