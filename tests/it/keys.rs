//! The Zobrist key set is fixed, and small subsets are independent.

#[path = "../../examples/keys/statistics.rs"]
mod statistics;

use tabia::zobrist::{self, Key};

use statistics::{rank, report, smallest_dependent_subset};

fn key_set() -> Vec<Key> {
    zobrist::all().collect()
}

/// Books, logs and bug reports name positions by key, so the keys may only change on purpose.
#[test]
fn the_key_table_is_unchanged() {
    // FNV-1a over the keys as little-endian bytes.
    let hash = key_set()
        .iter()
        .flat_map(|key| key.0.to_le_bytes())
        .fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
    assert_eq!(key_set().len(), 12 * 64 + 16 + 8 + 1);
    assert_eq!(format!("{hash:016X}"), "17D6FFEE945A54FE");
}

#[test]
fn no_four_keys_cancel_out() {
    assert_eq!(rank(&key_set()), 64);
    assert_eq!(smallest_dependent_subset(&key_set(), 4), None);
}

#[test]
#[ignore = "all 83 million sets of three keys, about 10 seconds"]
fn no_six_keys_cancel_out() {
    assert_eq!(smallest_dependent_subset(&key_set(), 6), None);
}

#[test]
fn the_report_is_complete_and_reproducible() {
    let lines = report(20_000, 3).expect("little memory");
    let value = |name: &str| {
        let line = lines.iter().find(|line| line.starts_with(name)).expect("a row of this name");
        line.split_whitespace().last().expect("a value").to_owned()
    };
    assert_eq!(value("keys"), "793");
    assert_eq!(value("distinct positions"), "20000");
    assert_eq!(lines.iter().filter(|line| line.starts_with("64 ")).count(), 1);
    let whole = lines.iter().find(|line| line.starts_with("64 ")).expect("the last row");
    assert_eq!(whole.split_whitespace().nth(1), Some("0"));
    assert_eq!(report(20_000, 3).expect("little memory"), lines);
    assert!(report(usize::MAX / 16, 1).is_err());
}
