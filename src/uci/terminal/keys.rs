//! Keys pressed while there is no prompt: to stop a search, or typed ahead.

use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Polling interval of the flag.
const INTERVAL: Duration = Duration::from_millis(10);

/// True where keys can be read without a prompt.
pub(super) const HAS_KEYS: bool = cfg!(any(unix, windows));

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
}

impl Keyboard {
    /// Gives the terminal its usual modes for a prompt, and takes them back right after it: a key
    /// must not become a signal before the search of the prompt's line.
    pub(super) fn suspended<T>(&mut self, prompt: impl FnOnce() -> T) -> T {
        self.single_keys = None;
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
                CTRL_C => {
                    self.typed.clear();
                    return Some(KeyPress::Stop);
                }
                CTRL_D => return Some(KeyPress::End),
                BACKSPACE | DELETE => _ = self.typed.pop(),
                b'\r' | b'\n' => {
                    let line = self.take_typed();
                    let is_stop = matches!(line.trim(), "" | "stop");
                    return Some(if is_stop { KeyPress::Stop } else { KeyPress::Line(line) });
                }
                _ => self.typed.push(byte),
            }
        }
        None
    }

    /// Takes the unfinished line, which the next prompt shows.
    pub(super) fn take_typed(&mut self) -> String {
        String::from_utf8_lossy(&mem::take(&mut self.typed)).into_owned()
    }

    /// Waits for a key while the flag is true.
    #[cfg(unix)]
    pub(super) fn wait(&mut self, is_watching: &AtomicBool) -> Option<KeyPress> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        use rustix::io::{Errno, read};

        let stdin = std::io::stdin();
        let interval = Timespec::try_from(INTERVAL).ok();
        let mut key = self.next();
        while key.is_none() && is_watching.load(Ordering::Relaxed) {
            let mut inputs = [PollFd::new(&stdin, PollFlags::IN)];
            let mut bytes = [0; 256];
            let received = match poll(&mut inputs, interval.as_ref()) {
                Ok(0) => continue,
                Ok(_) => read(&stdin, &mut bytes),
                Err(error) => Err(error),
            };
            key = match received {
                Err(Errno::INTR) => None,
                Ok(0) | Err(_) => Some(KeyPress::End),
                Ok(length) => {
                    self.unread.extend(&bytes[..length]);
                    self.next()
                }
            };
        }
        key
    }

    /// Waits for a key while the flag is true.
    #[cfg(windows)]
    pub(super) fn wait(&mut self, is_watching: &AtomicBool) -> Option<KeyPress> {
        use crossterm::event::{poll, read};

        let mut key = self.next();
        while key.is_none() && is_watching.load(Ordering::Relaxed) {
            let event = match poll(INTERVAL) {
                Ok(false) => continue,
                Ok(true) => read(),
                Err(error) => Err(error),
            };
            key = match event {
                Err(_) => Some(KeyPress::End),
                Ok(event) => {
                    if let Some(typed) = character(&event) {
                        self.unread.extend(typed.encode_utf8(&mut [0; 4]).bytes());
                    }
                    self.next()
                }
            };
        }
        key
    }

    /// Waits while the flag is true: here only Ctrl-C ends a search, and the program with it.
    #[cfg(not(any(unix, windows)))]
    pub(super) fn wait(&mut self, is_watching: &AtomicBool) -> Option<KeyPress> {
        while is_watching.load(Ordering::Relaxed) {
            std::thread::sleep(INTERVAL);
        }
        None
    }
}

/// Until it is dropped, keys arrive at once, without an echo, and Ctrl-C is one of them.
struct SingleKeys {
    #[cfg(unix)]
    usual: rustix::termios::Termios,
}

#[cfg(unix)]
impl SingleKeys {
    fn enable() -> Option<Self> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

        let stdin = std::io::stdin();
        let usual = tcgetattr(&stdin).ok()?;
        let mut single_keys = usual.clone();
        single_keys.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        tcsetattr(&stdin, OptionalActions::Now, &single_keys).ok()?;
        Some(Self { usual })
    }
}

#[cfg(unix)]
impl Drop for SingleKeys {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};

        // A terminal that is gone needs no modes.
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &self.usual);
    }
}

#[cfg(windows)]
impl SingleKeys {
    fn enable() -> Option<Self> {
        crossterm::terminal::enable_raw_mode().ok().map(|()| Self {})
    }
}

#[cfg(windows)]
impl Drop for SingleKeys {
    fn drop(&mut self) {
        // A console that is gone needs no modes.
        let _ = crossterm::terminal::disable_raw_mode();
    }
}

#[cfg(not(any(unix, windows)))]
impl SingleKeys {
    fn enable() -> Option<Self> {
        None
    }
}

/// Returns the character of a pressed key; `None` for other events and keys without a character.
#[cfg(windows)]
fn character(event: &crossterm::event::Event) -> Option<char> {
    use crossterm::event::{KeyCode, KeyModifiers};

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
    }

    #[cfg(windows)]
    #[test]
    fn key_events_have_characters() {
        use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

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
