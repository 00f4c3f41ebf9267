//! Date and time of a game, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

use humantime::format_rfc3339_micros;

/// Returns the date as in PGN: `2026.11.22`.
pub(super) fn today() -> String {
    time_stamp().chars().take("2026.11.22".len()).collect()
}

/// Returns date and time to the microsecond, for the name of a file: `2026.11.22-18.03.59.012345`.
pub(super) fn time_stamp() -> String {
    stamp_of(SystemTime::now())
}

fn stamp_of(time: SystemTime) -> String {
    let text = format_rfc3339_micros(time.max(UNIX_EPOCH)).to_string();
    // Names of files have no colons on Windows.
    text.trim_end_matches('Z').replace(['-', ':'], ".").replace('T', "-")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_stamp_has_date_and_time() {
        let time = UNIX_EPOCH + Duration::from_micros(1_795_370_599_000_007);
        assert_eq!(stamp_of(time), "2026.11.22-18.03.19.000007");
        assert_eq!(stamp_of(UNIX_EPOCH - Duration::from_secs(1)), stamp_of(UNIX_EPOCH));
    }
}
