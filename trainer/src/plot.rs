//! The course of a run as a picture.

use std::path::Path;

use plotters::prelude::*;

use crate::log::Row;

type DrawError = Box<dyn std::error::Error>;

const SIZE: (u32, u32) = (960, 540);
const TRAINING: RGBColor = RGBColor(31, 119, 180);
const HELD_OUT: RGBColor = RGBColor(214, 85, 30);
const RATE: RGBColor = RGBColor(150, 150, 150);

/// Draws training loss, loss on the positions held out and learning rate over the epochs into an SVG file.
///
/// # Errors
/// If the file cannot be written.
pub fn draw(rows: &[Row], title: &str, path: &Path) -> Result<(), DrawError> {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let end = rows.last().map_or(1.0, |row| row.epochs);
    let (low, high) = loss_range(rows);
    let fastest = rows.iter().map(|row| row.rate).fold(f64::MIN_POSITIVE, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .right_y_label_area_size(76)
        .build_cartesian_2d(0.0..end, low..high)?
        .set_secondary_coord(0.0..end, 0.0..fastest * 1.02);
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.1))
        .x_desc("epochs")
        .y_desc("loss: mean power of the error in winning chance")
        .y_label_formatter(&|loss| format!("{loss:.4}"))
        .label_style(("sans-serif", 14))
        .draw()?;
    chart
        .configure_secondary_axes()
        .y_desc("learning rate")
        .y_label_formatter(&|rate| format!("{rate:.0e}"))
        .label_style(("sans-serif", 14))
        .draw()?;
    let in_sight = |(_, loss): &(f64, f64)| *loss <= high;
    let line = |colour: RGBColor| {
        move |(x, y)| PathElement::new([(x, y), (x + 24, y)], colour.stroke_width(2))
    };
    chart
        .draw_secondary_series(LineSeries::new(
            rows.iter().map(|row| (row.epochs, row.rate)),
            RATE.stroke_width(1),
        ))?
        .label("learning rate")
        .legend(line(RATE));
    chart
        .draw_series(LineSeries::new(
            rows.iter().map(|row| (row.epochs, row.training_loss)).filter(in_sight),
            TRAINING.stroke_width(2),
        ))?
        .label("training")
        .legend(line(TRAINING));
    chart
        .draw_series(LineSeries::new(
            rows.iter().map(|row| (row.epochs, row.held_out_loss)).filter(in_sight),
            HELD_OUT.stroke_width(2),
        ))?
        .label("held out")
        .legend(line(HELD_OUT));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 14))
        .background_style(WHITE.mix(0.85))
        .draw()?;
    root.present()?;
    Ok(())
}

/// The part of the losses worth seeing: the very first ones, of a network that knows nothing, would press the rest flat.
fn loss_range(rows: &[Row]) -> (f64, f64) {
    let settled = &rows[rows.len() / 20..];
    let losses = || settled.iter().flat_map(|row| [row.training_loss, row.held_out_loss]);
    let low = losses().fold(f64::INFINITY, f64::min);
    let high = losses().fold(0.0, f64::max);
    let room = (high - low).max(1e-6) * 0.06;
    if low.is_finite() { (low - room, high + room) } else { (0.0, 1.0) }
}
