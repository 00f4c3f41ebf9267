//! Fits the win/draw/loss model of the evaluation, a [`ChanceModel`], to games.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use tabia::datagen::{Game, Label};
use tabia::eval::chances::{ChanceModel, REFERENCE_MATERIAL, logistic, material, powers};

use super::{DataError, for_each_game, open, percent};

/// Width of the score buckets, in hundredths of a pawn.
const STEP: i32 = 4;
/// Largest score that counts, of either sign: nearly all games with larger ones are won.
const MAX_SCORE: i32 = 2000;
/// Three of the slope, then three of the gap.
const PARAMETERS: usize = 6;
/// Divisor of scores, for parameters of similar magnitude.
const UNIT: f64 = 1000.0;

/// Positions that the side to move lost, drew and won, by material and score bucket.
type Counts = BTreeMap<(u32, i32), [u64; 3]>;

/// Fits the model to the results by maximum likelihood. Writes it to `out` with a table of results
/// and chances. Returns whether no shard is damaged.
///
/// # Errors
/// If a file is not a shard, if there are too few games, or if `out` cannot be written.
pub fn chances(files: &[PathBuf], out: &mut dyn Write) -> Result<bool, DataError> {
    let mut counts = Counts::new();
    let mut is_intact = true;
    for path in files {
        is_intact &= for_each_game(path, &open(path)?, out, |_, game| {
            count(game, &mut counts);
            Ok(())
        })?;
    }
    let model = fit(&counts).ok_or(DataError::TooFewGames)?;
    writeln!(out, "slope {:?}", model.slope)?;
    writeln!(out, "gap   {:?}", model.gap)?;
    let even = model.even_score(REFERENCE_MATERIAL);
    writeln!(out, "score of an even chance to win with material {REFERENCE_MATERIAL}: {even:.1}")?;
    write_table(&counts, &model, out)?;
    Ok(is_intact)
}

fn count(game: &Game, counts: &mut Counts) {
    game.for_each_label(|Label { board, score, .. }| {
        if score.0.abs() <= MAX_SCORE {
            let result = match game.verdict.result.winner() {
                None => 1,
                Some(color) if color == board.side_to_move() => 2,
                Some(_) => 0,
            };
            // To the nearest, so that the buckets are symmetric around zero.
            let step = (f64::from(score.0) / f64::from(STEP)).round() as i32;
            counts.entry((material(board), step)).or_default()[result] += 1;
        }
    });
}

/// Fits by *Fisher scoring*: Newton's method with the expected curvature instead of the observed
/// one. The likelihood is concave. Returns `None` if a result has too few positions or the model is
/// not sound.
/// Source: P. McCullagh and J. A. Nelder, "Generalized Linear Models", 2nd edition, 1989, 2.5.
fn fit(counts: &Counts) -> Option<ChanceModel> {
    const ITERATIONS: usize = 50;
    const MIN_POSITIONS: u64 = 1000;
    let of_result = |result: usize| counts.values().map(|results| results[result]).sum::<u64>();
    if (0..3).any(|result| of_result(result) < MIN_POSITIONS) {
        return None;
    }
    let mut parameters = [2.0 * UNIT / 400.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    for _ in 0..ITERATIONS {
        let mut gradient = [0.0; PARAMETERS];
        let mut curvature = [[0.0; PARAMETERS]; PARAMETERS];
        for (&(material, step), results) in counts {
            let score = f64::from(step * STEP) / UNIT;
            add(&parameters, material, score, results, &mut gradient, &mut curvature);
        }
        let change = solve(curvature, gradient);
        parameters.iter_mut().zip(change).for_each(|(parameter, change)| *parameter += change);
    }
    let [a, b, c, gap @ ..] = parameters;
    let model = ChanceModel { slope: [a, b, c].map(|parameter| parameter / UNIT), gap };
    let is_sound = model.even_score(REFERENCE_MATERIAL) > 0.0
        && parameters.iter().all(|parameter| parameter.is_finite());
    is_sound.then_some(model)
}

/// Adds gradient and expected curvature of the log-likelihood at one material and score.
fn add(
    parameters: &[f64; PARAMETERS],
    material: u32,
    score: f64,
    results: &[u64; 3],
    gradient: &mut [f64; PARAMETERS],
    curvature: &mut [[f64; PARAMETERS]; PARAMETERS],
) {
    let [a, b, c] = powers(material);
    // The log-odds of winning and of losing are linear in the parameters.
    let inputs = [score, -score].map(|score| [a * score, b * score, c * score, -a, -b, -c]);
    let chance = |input: &[f64; PARAMETERS]| {
        logistic(input.iter().zip(parameters).map(|(input, parameter)| input * parameter).sum())
    };
    let [win, loss] = inputs.each_ref().map(chance);
    let slopes = |input: [f64; PARAMETERS], chance: f64| input.map(|x| x * chance * (1.0 - chance));
    let (win_slopes, loss_slopes) = (slopes(inputs[0], win), slopes(inputs[1], loss));
    let draw_slopes = std::array::from_fn(|index| -win_slopes[index] - loss_slopes[index]);
    let total = results.iter().sum::<u64>() as f64;
    let draw = 1.0 - win - loss;
    let parts = [(loss, loss_slopes), (draw, draw_slopes), (win, win_slopes)];
    for ((chance, slopes), &count) in parts.into_iter().zip(results) {
        let chance = chance.max(1e-9);
        for (row, slope) in slopes.iter().enumerate() {
            gradient[row] += count as f64 * slope / chance;
            for (column, other) in slopes.iter().enumerate() {
                curvature[row][column] += total * slope * other / chance;
            }
        }
    }
}

/// Solves `matrix · x = right` by Gaussian elimination without pivoting. The matrix must be
/// positive definite.
fn solve(
    mut matrix: [[f64; PARAMETERS]; PARAMETERS],
    mut right: [f64; PARAMETERS],
) -> [f64; PARAMETERS] {
    for pivot in 0..PARAMETERS {
        let (pivot_row, pivot_right) = (matrix[pivot], right[pivot]);
        for (index, (row, right)) in matrix.iter_mut().zip(&mut right).enumerate() {
            if index != pivot {
                let factor = row[pivot] / pivot_row[pivot];
                row.iter_mut().zip(pivot_row).for_each(|(entry, other)| *entry -= factor * other);
                *right -= factor * pivot_right;
            }
        }
    }
    std::array::from_fn(|row| right[row] / matrix[row][row])
}

/// Writes the results and the model's chances for each range of material and score.
fn write_table(counts: &Counts, model: &ChanceModel, out: &mut dyn Write) -> io::Result<()> {
    const MATERIALS: [u32; 5] = [0, 20, 40, 60, 79];
    const SCORES: [i32; 10] = [-MAX_SCORE, -800, -300, -150, -50, 50, 150, 300, 800, MAX_SCORE + 1];
    writeln!(
        out,
        "\nmaterial     score   positions      win    model     draw    model     loss    model"
    )?;
    for materials in MATERIALS.windows(2) {
        for scores in SCORES.windows(2) {
            let (mut found, mut expected) = ([0; 3], [0.0; 3]);
            for (&(material, step), results) in counts {
                let score = step * STEP;
                let is_here = (materials[0]..materials[1]).contains(&material)
                    && (scores[0]..scores[1]).contains(&score);
                if is_here {
                    let total = results.iter().sum::<u64>() as f64;
                    let win = model.win(score.into(), material);
                    let loss = model.win((-score).into(), material);
                    for (index, chance) in [loss, 1.0 - win - loss, win].into_iter().enumerate() {
                        found[index] += results[index];
                        expected[index] += total * chance;
                    }
                }
            }
            let total: u64 = found.iter().sum();
            write!(
                out,
                "{:>2} - {:<2} {:>10} {total:>11}",
                materials[0],
                materials[1] - 1,
                format!("{} …", scores[0])
            )?;
            for index in [2, 1, 0] {
                let share = percent(found[index], total);
                let model_share = percent(expected[index] as u64, total);
                write!(out, " {share:>8} {model_share:>8}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the counts that a model predicts.
    fn counts(model: &ChanceModel) -> Counts {
        let mut counts = Counts::new();
        for material in (6..79).step_by(4) {
            for step in -200..200 {
                let score = f64::from(step * STEP);
                let (win, loss) = (model.win(score, material), model.win(-score, material));
                let many = [loss, 1.0 - win - loss, win].map(|chance| (1e6 * chance) as u64);
                counts.insert((material, step), many);
            }
        }
        counts
    }

    #[test]
    fn fit_recovers_the_model_behind_the_results() {
        let model = ChanceModel { slope: [0.02, -0.012, 0.004], gap: [1.2, 0.7, -0.3] };
        let found = fit(&counts(&model)).expect("there are enough results");
        assert_eq!(fit(&Counts::new()), None);
        for material in [10, 30, REFERENCE_MATERIAL, 78] {
            for score in [-500.0, -90.0, 0.0, 40.0, 300.0] {
                let (found, expected) = (found.win(score, material), model.win(score, material));
                assert!((found - expected).abs() < 1e-4, "{material}, {score}: {found} {expected}");
            }
        }
    }

    #[test]
    fn solve_returns_the_solution() {
        let mut matrix = [[0.5; PARAMETERS]; PARAMETERS];
        (0..PARAMETERS).for_each(|index| matrix[index][index] = index as f64 + 2.0);
        let x = [1.0, -2.0, 3.0, 0.0, 0.5, 7.0];
        let right = matrix.map(|row| row.iter().zip(x).map(|(entry, x)| entry * x).sum());
        let found = solve(matrix, right);
        assert!(found.iter().zip(x).all(|(found, x)| (found - x).abs() < 1e-9), "{found:?}");
    }
}
