//! Date and time of a game, in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400;

/// Returns the date as in PGN: `2026.11.22`.
pub(super) fn today() -> String {
    date_of_day(now().as_secs() / DAY)
}

/// Returns date and time to the microsecond, for the name of a file: `2026.11.22-18.03.59.012345`.
pub(super) fn time_stamp() -> String {
    stamp_of(now())
}

/// Returns the time since the start of 1970.
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn stamp_of(time: Duration) -> String {
    let (day, second) = (time.as_secs() / DAY, time.as_secs() % DAY);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let micros = time.subsec_micros();
    format!("{}-{hour:02}.{minute:02}.{second:02}.{micros:06}", date_of_day(day))
}

/// Returns the date `day` days after 1 January 1970.
fn date_of_day(mut day: u64) -> String {
    let (mut year, mut month) = (1970, 1);
    while day >= days_of(year, month) {
        day -= days_of(year, month);
        (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    }
    format!("{year}.{month:02}.{:02}", day + 1)
}

fn days_of(year: u64, month: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        for (day, date) in [
            (0, "1970.01.01"),
            (31, "1970.02.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (20_779, "2026.11.22"),
            (47_540, "2100.02.28"),
            (47_541, "2100.03.01"),
        ] {
            assert_eq!(date_of_day(day), date);
        }
        let time = Duration::from_secs(20_779 * DAY + 64_999) + Duration::from_micros(7);
        assert_eq!(stamp_of(time), "2026.11.22-18.03.19.000007");
    }
}
