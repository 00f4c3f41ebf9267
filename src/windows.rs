//! What only Windows needs: reading at an offset, available memory, the system's code page, and the
//! console.
//!
//! Source: <https://learn.microsoft.com/en-us/windows/console/>

#![expect(unsafe_code, reason = "calls of functions of the system")]

use std::fs::File;
use std::io;
use std::os::windows::fs::FileExt as _;
use std::os::windows::io::{AsRawHandle as _, RawHandle};
use std::time::Duration;

use windows_sys::Win32::Foundation::WAIT_TIMEOUT;
use windows_sys::Win32::Globalization::{CP_ACP, MultiByteToWideChar};
use windows_sys::Win32::System::Console::{
    CONSOLE_MODE, ENABLE_ECHO_INPUT, ENABLE_LINE_INPUT, ENABLE_PROCESSED_INPUT,
    ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, INPUT_RECORD, KEY_EVENT, ReadConsoleInputW,
    SetConsoleMode,
};
use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
use windows_sys::Win32::System::Threading::WaitForSingleObject;

/// Fills `bytes` from this offset of the file.
pub(crate) fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = file.seek_read(bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        at += read as u64;
    }
    Ok(())
}

/// Returns the bytes of memory that the system can still give to programs, with its page file.
pub(crate) fn available_memory() -> Option<u64> {
    let length = size_of::<MEMORYSTATUSEX>() as u32;
    let mut status = MEMORYSTATUSEX { dwLength: length, ..MEMORYSTATUSEX::default() };
    // SAFETY: the pointer comes from a mutable reference, and the structure names its own length.
    let is_known = unsafe { GlobalMemoryStatusEx(&mut status) } != 0;
    is_known.then_some(status.ullAvailPageFile)
}

/// Decodes text in the system's code page, in which some GUIs write the names of files.
pub(crate) fn decode_ansi(bytes: &[u8]) -> String {
    // No code page has more UTF-16 units than bytes.
    let mut units = vec![0; bytes.len()];
    let length = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
    // SAFETY: both pointers are valid for `length` elements, which no slice exceeds.
    let count = unsafe {
        MultiByteToWideChar(CP_ACP, 0, bytes.as_ptr(), length, units.as_mut_ptr(), length)
    };
    String::from_utf16_lossy(&units[..usize::try_from(count).unwrap_or(0)])
}

/// Makes the console interpret ANSI escape sequences. Returns false if it cannot.
pub(crate) fn enable_escape_sequences() -> bool {
    let output = io::stdout().as_raw_handle();
    mode(output).is_some_and(|usual| set_mode(output, usual | ENABLE_VIRTUAL_TERMINAL_PROCESSING))
}

/// Returns `None` if the handle is not that of a console.
fn mode(console: RawHandle) -> Option<CONSOLE_MODE> {
    let mut mode = 0;
    // SAFETY: the pointer comes from a mutable reference. The system checks the handle.
    (unsafe { GetConsoleMode(console, &mut mode) } != 0).then_some(mode)
}

fn set_mode(console: RawHandle, mode: CONSOLE_MODE) -> bool {
    // SAFETY: the call takes no pointer to memory. The system checks the handle.
    unsafe { SetConsoleMode(console, mode) != 0 }
}

/// Keys of the console. Until it is dropped, they arrive at once, without an echo, and Ctrl-C is
/// one of them.
pub(crate) struct ConsoleKeys {
    input: RawHandle,
    usual: CONSOLE_MODE,
}

impl ConsoleKeys {
    /// Returns `None` if standard input is not a console.
    pub(crate) fn start() -> Option<Self> {
        let input = io::stdin().as_raw_handle();
        let usual = mode(input)?;
        let lines = ENABLE_LINE_INPUT | ENABLE_ECHO_INPUT | ENABLE_PROCESSED_INPUT;
        set_mode(input, usual & !lines).then_some(Self { input, usual })
    }

    /// Returns the characters that are typed, after waiting for them until the time is over.
    pub(crate) fn read(&self, wait: Duration) -> io::Result<String> {
        let milliseconds = u32::try_from(wait.as_millis()).unwrap_or(u32::MAX);
        // SAFETY: the call takes no pointer to memory. The system checks the handle.
        if unsafe { WaitForSingleObject(self.input, milliseconds) } == WAIT_TIMEOUT {
            return Ok(String::new());
        }
        let mut events = [INPUT_RECORD::default(); 64];
        let mut count = 0;
        // SAFETY: the pointers come from mutable references, and the length is that of the array.
        let is_read = unsafe {
            let length = events.len() as u32;
            ReadConsoleInputW(self.input, events.as_mut_ptr(), length, &mut count)
        };
        if is_read == 0 {
            return Err(io::Error::last_os_error());
        }
        let units: Vec<u16> = events[..count as usize].iter().filter_map(character).collect();
        Ok(String::from_utf16_lossy(&units))
    }
}

impl Drop for ConsoleKeys {
    fn drop(&mut self) {
        set_mode(self.input, self.usual);
    }
}

/// Returns the UTF-16 unit of a pressed key; `None` for other events and keys without a character.
fn character(event: &INPUT_RECORD) -> Option<u16> {
    if u32::from(event.EventType) != KEY_EVENT {
        return None;
    }
    // SAFETY: the type of the event says which field of the union is set, and every bit pattern is
    // a character.
    let (is_down, unit) = unsafe {
        let key = event.Event.KeyEvent;
        (key.bKeyDown != 0, key.uChar.UnicodeChar)
    };
    (is_down && unit != 0).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_has_memory() {
        assert!(available_memory().is_some_and(|bytes| bytes > 1 << 20));
    }

    #[test]
    fn text_in_the_code_page_is_decoded() {
        assert_eq!(decode_ansi(b""), "");
        assert_eq!(decode_ansi(b"C:\\book.bin"), "C:\\book.bin");
        // Each byte of code page 1252 is a character.
        assert_eq!(decode_ansi(b"caf\xe9").chars().count(), 4);
    }

    #[test]
    fn keys_have_the_characters_of_their_events() {
        let mut event = INPUT_RECORD { EventType: KEY_EVENT as u16, ..INPUT_RECORD::default() };
        assert_eq!(character(&event), None);
        event.Event.KeyEvent.bKeyDown = 1;
        assert_eq!(character(&event), None);
        event.Event.KeyEvent.uChar.UnicodeChar = u16::from(b'q');
        assert_eq!(character(&event), Some(u16::from(b'q')));
        event.Event.KeyEvent.bKeyDown = 0;
        assert_eq!(character(&event), None);
        event.EventType = 16;
        assert_eq!(character(&event), None);
    }
}
