//! Messages and progress of a tool on standard error.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::text::clock;
use crate::tools::Monitor;

/// Minimum time between two updates.
const INTERVAL: Duration = Duration::from_millis(100);
const ESTIMATE_AFTER: Duration = Duration::from_secs(2);
/// Characters of the bar.
const BAR: usize = 24;
/// Characters of the line, so that it does not wrap.
const WIDTH: usize = 78;

/// True while the last line of the terminal shows the progress.
static HAS_BAR: AtomicBool = AtomicBool::new(false);

/// Removes the progress line. Text on standard output must not share the line with it.
pub(super) fn clear() {
    if HAS_BAR.swap(false, Ordering::Relaxed) {
        let _ = write!(io::stderr(), "\r{:WIDTH$}\r", "");
    }
}

/// Monitor on standard error. Progress is shown only at a terminal.
pub(super) struct StderrMonitor {
    is_terminal: bool,
    start: Instant,
    updated: Option<Instant>,
}

impl StderrMonitor {
    pub(super) fn new() -> Self {
        let is_terminal = io::stderr().is_terminal();
        Self { is_terminal, start: Instant::now(), updated: None }
    }
}

impl Monitor for StderrMonitor {
    fn message(&mut self, text: &str) {
        clear();
        // Without standard error, the result still goes to its output.
        let _ = writeln!(io::stderr(), "{text}");
    }

    fn progress(&mut self, share: Option<f64>, step: &str) {
        let now = Instant::now();
        if !self.is_terminal || self.updated.is_some_and(|last| now - last < INTERVAL) {
            return;
        }
        self.updated = Some(now);
        HAS_BAR.store(true, Ordering::Relaxed);
        let line = progress_line(share, step, now - self.start);
        let _ = write!(io::stderr(), "\r{line:<WIDTH$}");
        let _ = io::stderr().flush();
    }
}

impl Drop for StderrMonitor {
    fn drop(&mut self) {
        clear();
    }
}

fn progress_line(share: Option<f64>, step: &str, elapsed: Duration) -> String {
    let line = match share.map(|share| share.clamp(0.0, 1.0)) {
        None => format!("{} {step}", clock(elapsed)),
        Some(share) => {
            let full = (share * BAR as f64) as usize;
            let left = if share > 0.0 && elapsed >= ESTIMATE_AFTER {
                clock(elapsed.mul_f64(1.0 / share - 1.0)) + " left"
            } else {
                String::new()
            };
            let (done, rest) = ("#".repeat(full), ".".repeat(BAR - full));
            format!("[{done}{rest}] {:>3.0} %  {left:<12} {step}", share * 100.0)
        }
    };
    line.chars().take(WIDTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_shows_share_rest_and_step() {
        let line = |share, seconds| {
            progress_line(share, "game 1, position 3 of 4", Duration::from_secs(seconds))
        };
        assert_eq!(
            line(Some(0.75), 90),
            "[##################......]  75 %  0:30 left    game 1, position 3 of 4"
        );
        assert_eq!(
            line(Some(0.0), 1),
            "[........................]   0 %               game 1, position 3 of 4"
        );
        assert_eq!(line(None, 3661), "1:01:01 game 1, position 3 of 4");
        assert!(line(Some(1e-6), 9_000).len() <= WIDTH);
    }
}
