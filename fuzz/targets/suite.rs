//! Perft suites: any text is refused with its line, or its counts at depth 1 are checked.

#![no_main]

use std::sync::atomic::AtomicBool;

use libfuzzer_sys::fuzz_target;
use tabia::tools::perft::check_suite;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let mut lines = 0;
    let is_right = check_suite(&text, Some(1), &AtomicBool::new(false), &mut |line| {
        assert_eq!(line.lines().count(), 1);
        lines += 1;
    });
    match is_right {
        Ok(_) => assert!(lines > 0),
        Err(error) => assert!(error.to_string().lines().count() == 1),
    }
});
