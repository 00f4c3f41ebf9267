//! Files of PGN: a game that is read and printed is read as the same game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia::pgn::Reader;

fuzz_target!(|data: &[u8]| {
    for game in Reader::new(data) {
        match game {
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
            Ok(game) => {
                let text = game.to_string();
                let mut again = Reader::new(text.as_bytes());
                let second = again.next().map(|game| game.map(|game| game.to_string()));
                assert_eq!(second.and_then(Result::ok).as_ref(), Some(&text));
                assert!(again.next().is_none());
            }
        }
    }
});
