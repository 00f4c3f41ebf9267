//! Durations and shares.

use std::time::Duration;

/// Formats a duration: `0:30`, `1:01:01`.
pub(crate) fn clock(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Formats a share, from 0 to 1: `12.5 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_shown_if_there_are_any() {
        let texts = [0, 62, 3599, 3661].map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(texts, ["0:00", "1:02", "59:59", "1:01:01"]);
    }

    #[test]
    fn shares_have_a_decimal() {
        assert_eq!([0.0, 0.125, 1.0].map(percent), ["0.0 %", "12.5 %", "100.0 %"]);
    }
}
