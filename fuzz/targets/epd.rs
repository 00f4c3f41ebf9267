//! Lines of EPD suites: a task is described by an operation that is read as the same task.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia::board::FenStyle;
use tabia::tools::epd::{EpdPosition, EpdTask};

fuzz_target!(|data: &[u8]| {
    let line = String::from_utf8_lossy(data);
    match EpdPosition::parse(&line) {
        Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        Ok(EpdPosition { task: EpdTask::Points(_), .. }) => {}
        Ok(EpdPosition { board, task, .. }) => {
            let fen = board.fen(FenStyle::Shredder);
            let again = EpdPosition::parse(&format!("{fen} {};", task.describe(&board)));
            assert_eq!(again.map(|position| position.task), Ok(task));
        }
    }
});
