//! Date of a game.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the date in UTC as in PGN: `2026.11.22`.
pub(super) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date_of_day(since.as_secs() / 86_400)
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
    }
}
