//! Date of a game.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the date in UTC as in PGN: `2026.11.22`.
pub(super) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date_of_day(since.as_secs() / 86_400)
}

/// Returns the date `day` days after 1 January 1970.
fn date_of_day(mut day: u64) -> String {
    let mut year = 1970;
    let length = |year: u64| {
        let is_leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        if is_leap { 366 } else { 365 }
    };
    while day >= length(year) {
        day -= length(year);
        year += 1;
    }
    let february = length(year) - 337;
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!("{year}.{month:02}.{:02}", day + 1)
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
