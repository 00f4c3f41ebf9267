//! Log of a training run.

use std::fmt::Write as _;

use bytemuck::{Pod, Zeroable};

/// One row of the log.
#[derive(Copy, Clone, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct LogRow {
    /// Number of steps taken.
    pub step: u64,
    /// Epochs completed, as a fraction.
    pub epochs: f64,
    /// Learning rate of the last step.
    pub rate: f64,
    /// Mean loss in the steps since the previous row.
    pub training_loss: f64,
    /// Mean loss over the held-out positions.
    pub held_out_loss: f64,
    /// Mean loss over the off-line test set; 0 without one.
    pub off_line_loss: f64,
}

/// Formats the rows as CSV.
pub fn csv(rows: &[LogRow]) -> String {
    let mut text = String::from("step,epochs,rate,training_loss,held_out_loss,off_line_loss\n");
    for LogRow { step, epochs, rate, training_loss, held_out_loss, off_line_loss } in rows {
        let losses = format!("{training_loss:.8},{held_out_loss:.8},{off_line_loss:.8}");
        writeln!(text, "{step},{epochs:.3},{rate:.4e},{losses}").expect("strings take any text");
    }
    text
}
