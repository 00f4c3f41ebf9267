//! Panics on purpose, to test that the engine plays on (feature `inject-panic`).
//!
//! The environment variable `INJECT_PANIC` lists them as PLACE:NUMBER, separated by commas:
//!
//! | place | what panics |
//! |---|---|
//! | a number | this thread of each search, at its node NUMBER; the main thread is 0 |
//! | `go` | the engine, when it starts search NUMBER |
//! | `end` | the engine, before it sends the move of search NUMBER |

use std::env;
use std::sync::LazyLock;

#[derive(PartialEq, Eq)]
pub(crate) enum PanicPlace {
    Thread(usize),
    Go,
    End,
}

static PANICS: LazyLock<Vec<(PanicPlace, u64)>> = LazyLock::new(|| {
    let list = env::var("INJECT_PANIC").unwrap_or_default();
    let items = list.split(',').filter(|item| !item.is_empty());
    items.map(|item| parse(item).expect("INJECT_PANIC lists PLACE:NUMBER")).collect()
});

fn parse(item: &str) -> Option<(PanicPlace, u64)> {
    let (place, number) = item.split_once(':')?;
    let place = match place {
        "go" => PanicPlace::Go,
        "end" => PanicPlace::End,
        thread => PanicPlace::Thread(thread.parse().ok()?),
    };
    Some((place, number.parse().ok()?))
}

/// Panics if `INJECT_PANIC` lists this place and number.
pub(crate) fn panic_at(place: PanicPlace, number: u64) {
    assert!(!PANICS.contains(&(place, number)), "injected");
}
