//! Interface to JavaScript: the functions of the host, and those that it calls.
//!
//! Text goes in by `input`, which returns the address to copy it to, then `execute` or `ask`. It
//! comes out by the host's `write`, which copies it before it returns. All text is UTF-8.

#![expect(unsafe_code, reason = "the host's functions, and names that the host looks up")]

use std::cell::RefCell;
use std::time::Duration;

use tabia::platform::set_clock;
use tabia::rules;
use tabia::uci::{Host, LocalSession};

#[link(wasm_import_module = "host")]
// SAFETY: the host is JavaScript, which has no access to this memory but by checked copies. It
// only reads the bytes that `write` names. It may call the functions below from `write`, `signal`
// and `now`: they then panic at the borrowed cell.
unsafe extern "C" {
    /// Returns the time in milliseconds since a fixed moment.
    safe fn now() -> f64;
    /// Takes a line of output.
    safe fn write(text: *const u8, length: usize);
    /// Returns what came during a search since the last call: 1 for `stop`, 2 for `ponderhit`,
    /// else 0.
    safe fn signal() -> u32;
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Option<LocalSession>> = const { RefCell::new(None) };
}

struct Browser;

impl Host for Browser {
    fn write(&mut self, line: &str) {
        write(line.as_ptr(), line.len());
    }

    fn next_line(&mut self) -> Option<String> {
        match signal() {
            1 => Some("stop".to_owned()),
            2 => Some("ponderhit".to_owned()),
            _ => None,
        }
    }
}

/// Prepares for a text of `length` bytes and returns the address to copy it to.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

fn taken_input() -> String {
    let bytes = INPUT.with_borrow_mut(std::mem::take);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Executes the lines of the input, with their searches. Returns 0 after `quit`, else 1.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn execute() -> u32 {
    let input = taken_input();
    SESSION.with_borrow_mut(|session| {
        let session = session.get_or_insert_with(|| {
            set_clock(|| Duration::from_secs_f64(now().max(0.0) / 1000.0));
            std::panic::set_hook(Box::new(|report| {
                let report = report.to_string().replace('\n', " ");
                Browser.write(&format!("info string error: {report}"));
            }));
            LocalSession::new().expect("the host has 32 MiB of memory")
        });
        u32::from(session.execute(&input, &mut Browser))
    })
}

/// Answers the question of the input, in JSON, by one line of JSON.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    Browser.write(&rules::answer(&taken_input()));
}
