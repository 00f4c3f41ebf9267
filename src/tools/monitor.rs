//! Messages and progress that a tool shows beside its result.

/// Receiver of a tool's messages and progress.
pub trait Monitor {
    /// Shows a line of text.
    fn message(&mut self, text: &str);

    /// Shows the share done, from 0 to 1 if known, and the current step in a few words.
    fn progress(&mut self, share: Option<f64>, step: &str);
}
