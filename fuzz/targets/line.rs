//! Parsing of one line of UCI: errors are short and on one line.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let line = String::from_utf8_lossy(data);
    for error in tabia::uci::errors_in(&line) {
        assert!(error.lines().count() == 1 && error.chars().count() < 1000, "{error}");
    }
});
