//! Consoles of Windows.

use std::io;
use std::time::Duration;

pub(crate) use crossterm::ansi_support::supports_ansi;
use crossterm::event::{self, Event, KeyCode, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// True where keys can be read without a prompt.
pub(crate) const HAS_KEYS: bool = true;

/// No-op: the next write notices a closed output.
pub(crate) fn watch_output() {}

/// Terminal mode in which keys arrive at once, without an echo, and Ctrl-C is one of them, until
/// this is dropped.
pub(crate) struct SingleKeys(());

impl SingleKeys {
    /// Returns `None` if the console's modes cannot be set.
    pub(crate) fn enable() -> Option<Self> {
        enable_raw_mode().ok().map(Self)
    }
}

impl Drop for SingleKeys {
    fn drop(&mut self) {
        // A console that is gone needs no modes.
        let _ = disable_raw_mode();
    }
}

/// Waits at most `timeout` for a key. Returns its bytes, possibly none.
///
/// # Errors
/// If reading fails.
pub(crate) fn read_keys(timeout: Duration) -> io::Result<Vec<u8>> {
    let typed = if event::poll(timeout)? { character(&event::read()?) } else { None };
    Ok(typed.map(|typed| typed.to_string().into_bytes()).unwrap_or_default())
}

/// Returns the character of a pressed key; `None` for other events and keys without a character.
fn character(event: &Event) -> Option<char> {
    let key = event.as_key_press_event()?;
    // AltGr is Ctrl with Alt.
    let modifiers = key.modifiers - KeyModifiers::SHIFT;
    match (key.code, modifiers == KeyModifiers::CONTROL) {
        (KeyCode::Enter, _) => Some('\r'),
        (KeyCode::Backspace, _) => Some('\x08'),
        (KeyCode::Char('c' | 'C'), true) => Some('\x03'),
        (KeyCode::Char('d' | 'D'), true) => Some('\x04'),
        (KeyCode::Char(typed), false) => Some(typed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyEvent, KeyEventKind};

    use super::*;

    #[test]
    fn key_events_have_characters() {
        let pressed = |code, modifiers| character(&Event::Key(KeyEvent::new(code, modifiers)));
        let (none, shift) = (KeyModifiers::NONE, KeyModifiers::SHIFT);
        let (control, alt_gr) = (KeyModifiers::CONTROL, KeyModifiers::CONTROL | KeyModifiers::ALT);
        for (code, modifiers, expected) in [
            (KeyCode::Enter, none, Some('\r')),
            (KeyCode::Backspace, none, Some('\x08')),
            (KeyCode::Char('d'), none, Some('d')),
            (KeyCode::Char('N'), shift, Some('N')),
            (KeyCode::Char('@'), alt_gr, Some('@')),
            (KeyCode::Char('c'), control, Some('\x03')),
            (KeyCode::Char('C'), control | shift, Some('\x03')),
            (KeyCode::Char('d'), control, Some('\x04')),
            (KeyCode::Char('x'), control, None),
            (KeyCode::Up, none, None),
        ] {
            assert_eq!(pressed(code, modifiers), expected, "{code:?} {modifiers:?}");
        }
        let release = KeyEvent::new_with_kind(KeyCode::Enter, none, KeyEventKind::Release);
        assert_eq!(character(&Event::Key(release)), None);
        assert_eq!(character(&Event::FocusGained), None);
    }
}
