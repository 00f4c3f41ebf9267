//! Plot of a training run.

use std::path::Path;

use plotters::chart::DualCoordChartContext;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::log::LogRow;

type DrawError = Box<dyn std::error::Error>;

const SIZE: (u32, u32) = (960, 540);
/// Room for the legend above the curves, as a part of their range.
const LEGEND_ROOM: f64 = 0.3;
const RATE: RGBColor = RGBColor(150, 150, 150);

/// Name, colour and value of a loss.
type LossCurve = (&'static str, RGBColor, fn(&LogRow) -> f64);

const LOSSES: [LossCurve; 3] = [
    ("training", RGBColor(31, 119, 180), |row| row.training_loss),
    ("held out", RGBColor(214, 85, 30), |row| row.held_out_loss),
    ("off-line", RGBColor(44, 140, 60), |row| row.off_line_loss),
];

type Chart<'a, 'b> = DualCoordChartContext<'a, SVGBackend<'b>, Axes, Axes>;
type Axes = Cartesian2d<RangedCoordf64, RangedCoordf64>;

/// Draws the losses and the learning rate over the epochs into an SVG file.
pub fn draw(rows: &[LogRow], title: &str, path: &Path) -> Result<(), DrawError> {
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
    draw_axes(&mut chart)?;
    draw_lines(&mut chart, rows, high)?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 14))
        .background_style(WHITE.mix(0.85))
        .draw()?;
    root.present()?;
    Ok(())
}

fn draw_axes(chart: &mut Chart<'_, '_>) -> Result<(), DrawError> {
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
        .y_label_formatter(&|rate| format!("{rate:.1e}"))
        .label_style(("sans-serif", 14))
        .draw()?;
    Ok(())
}

fn draw_lines(chart: &mut Chart<'_, '_>, rows: &[LogRow], high: f64) -> Result<(), DrawError> {
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
    for (name, colour, loss) in LOSSES {
        let points = rows.iter().map(|row| (row.epochs, loss(row)));
        let shown: Vec<_> = points.filter(|(_, loss)| *loss > 0.0 && *loss <= high).collect();
        if !shown.is_empty() {
            let series = LineSeries::new(shown, colour.stroke_width(2));
            chart.draw_series(series)?.label(name).legend(line(colour));
        }
    }
    Ok(())
}

/// Leaves out the first losses, those of the untrained network, which would flatten the rest.
fn loss_range(rows: &[LogRow]) -> (f64, f64) {
    let settled = &rows[rows.len() / 20..];
    let all = || settled.iter().flat_map(|row| LOSSES.map(|(_, _, loss)| loss(row)));
    let losses = || all().filter(|loss| *loss > 0.0);
    let low = losses().fold(f64::INFINITY, f64::min);
    let high = losses().fold(0.0, f64::max);
    let range = (high - low).max(1e-6);
    if low.is_finite() { (low - 0.06 * range, high + LEGEND_ROOM * range) } else { (0.0, 1.0) }
}
