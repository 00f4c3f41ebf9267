//! Date, time and age of a game as text. Date and time are in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

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

/// Formats an age in its largest unit: `2 hours ago`.
pub(super) fn age_text(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let (count, unit) = match minutes {
        0 => return "just now".to_owned(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_has_date_and_time() {
        let time = UNIX_EPOCH + Duration::from_micros(1_795_370_599_000_007);
        assert_eq!(stamp_of(time), "2026.11.22-18.03.19.000007");
        assert_eq!(stamp_of(UNIX_EPOCH - Duration::from_secs(1)), stamp_of(UNIX_EPOCH));
    }

    #[test]
    fn ages_have_one_unit() {
        let texts = [59, 60, 7_100, 7_200, 172_800].map(|age| age_text(Duration::from_secs(age)));
        assert_eq!(texts, ["just now", "1 minute ago", "1 hour ago", "2 hours ago", "2 days ago"]);
    }
}
