//! Messages and progress that a tool shows beside its result.

/// Receiver of messages and of the progress of a tool. The result goes elsewhere.
pub trait Monitor {
    /// Shows a line of text.
    fn message(&mut self, text: &str);

    /// Shows how far the tool is: the share that is done, from 0 to 1, if it is known, and the
    /// current step in a few words.
    fn progress(&mut self, share: Option<f64>, step: &str);
}
