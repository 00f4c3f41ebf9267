//! What is written down while a network learns.

use std::fmt::Write as _;

use bytemuck::{Pod, Zeroable};

/// A moment of a run.
#[derive(Copy, Clone, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Row {
    /// Steps taken.
    pub step: u64,
    /// Epochs gone by.
    pub epochs: f64,
    /// The learning rate of the last step.
    pub rate: f64,
    /// The mean loss in the steps since the row before.
    pub training_loss: f64,
    /// The mean loss over the positions held out.
    pub held_out_loss: f64,
    /// The mean loss over the off-line test set; 0 without one.
    pub off_line_loss: f64,
}

/// Returns the rows as CSV.
pub fn csv(rows: &[Row]) -> String {
    let mut text = String::from("step,epochs,rate,training_loss,held_out_loss,off_line_loss\n");
    for Row { step, epochs, rate, training_loss, held_out_loss, off_line_loss } in rows {
        let losses = format!("{training_loss:.8},{held_out_loss:.8},{off_line_loss:.8}");
        writeln!(text, "{step},{epochs:.3},{rate:.4e},{losses}").expect("strings take any text");
    }
    text
}
