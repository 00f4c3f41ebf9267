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
    /// Error against Stockfish with five divisors, as [`crate::judge`] defines it; 0 without a
    /// judge, as are the next two.
    pub error: f64,
    /// The same with one divisor.
    pub error_one: f64,
    /// Progress over the network that the run starts from.
    pub progress: f64,
}

/// Formats the rows as CSV.
pub fn csv(rows: &[LogRow]) -> String {
    let mut text = String::from(
        "step,epochs,rate,training_loss,held_out_loss,off_line_loss,error,error_one,progress\n",
    );
    for row in rows {
        let LogRow { step, epochs, rate, training_loss, held_out_loss, off_line_loss, .. } = row;
        let LogRow { error, error_one, progress, .. } = row;
        let losses = format!("{training_loss:.8},{held_out_loss:.8},{off_line_loss:.8}");
        let judged = format!("{error:.8},{error_one:.8},{progress:.5}");
        writeln!(text, "{step},{epochs:.3},{rate:.4e},{losses},{judged}")
            .expect("strings take any text");
    }
    text
}
