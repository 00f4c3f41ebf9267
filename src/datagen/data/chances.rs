//! What scores mean for the result, learnt from games: the numbers of a [`ChanceModel`].

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::datagen::{Game, GameResult};
use crate::eval::chances::{ChanceModel, USUAL_MATERIAL, logistic, material, powers};
use crate::types::Color;

use super::histogram::percent;
use super::{DataError, open, walk};

/// Scores count in steps of so many hundredths of a pawn.
const STEP: i32 = 4;
/// Scores of either sign beyond this are left out: games are ended soon after them, and nearly all are won.
const MAX_SCORE: i32 = 2000;
/// The numbers of a model, those of the slope before those of the gap.
const NUMBERS: usize = 6;
/// The model has a score in thousands here, so that its numbers are of about one size.
const UNIT: f64 = 1000.0;

/// How often the side to move has lost, drawn and won, by material and by score in steps.
type Counts = BTreeMap<(u32, i32), [u64; 3]>;

/// Finds the model under which the results of the games in the shards are most likely, and shows it beside the results.
/// Whether every shard was read to its end.
///
/// # Errors
/// If a file is no shard.
pub fn chances(
    files: &[PathBuf],
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&str),
) -> Result<bool, DataError> {
    let mut counts = Counts::new();
    let mut is_whole = true;
    for path in files {
        is_whole &= walk(path, &open(path)?, stop, sink, |_, game| {
            count(game, &mut counts);
            Ok(())
        })
        .map_err(|error| DataError::Write(path.clone(), error))?;
    }
    let Some(model) = fit(&counts) else {
        sink("there are too few games to learn from");
        return Ok(false);
    };
    sink(&format!("slope {:?}", model.slope));
    sink(&format!("gap   {:?}", model.gap));
    let even = model.even_score(USUAL_MATERIAL);
    sink(&format!("an even chance of winning with material {USUAL_MATERIAL}: {even:.1}"));
    show(&counts, &model, sink);
    Ok(is_whole)
}

/// Counts the positions of a game.
fn count(game: &Game, counts: &mut Counts) {
    game.replay(|board, _, found| {
        if found.score.0.abs() <= MAX_SCORE {
            let result = match (game.verdict.result, board.side_to_move()) {
                (GameResult::Draw, _) => 1,
                (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => 2,
                _ => 0,
            };
            // Steps lie evenly on both sides of zero.
            let step = (f64::from(found.score.0) / f64::from(STEP)).round() as i32;
            counts.entry((material(board), step)).or_default()[result] += 1;
        }
    });
}

/// The most likely model: its likelihood has one top, which *Fisher's scoring* climbs, Newton's method with the
/// curvature to be expected in the place of the one found. `None` if there are so few results that any model would do.
/// Source: P. McCullagh and J. A. Nelder, "Generalized Linear Models", 2nd edition, 1989, 2.5.
fn fit(counts: &Counts) -> Option<ChanceModel> {
    const ROUNDS: usize = 50;
    /// Fewer positions of one result say nothing.
    const FEWEST: u64 = 1000;
    let of_result = |result: usize| counts.values().map(|results| results[result]).sum::<u64>();
    if (0..3).any(|result| of_result(result) < FEWEST) {
        return None;
    }
    let mut numbers = [2.0 * UNIT / 400.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    for _ in 0..ROUNDS {
        let (mut gradient, mut curvature) = ([0.0; NUMBERS], [[0.0; NUMBERS]; NUMBERS]);
        for (&(material, step), results) in counts {
            let score = f64::from(step * STEP) / UNIT;
            add(&numbers, material, score, results, &mut gradient, &mut curvature);
        }
        let change = solve(curvature, gradient);
        numbers.iter_mut().zip(change).for_each(|(number, change)| *number += change);
    }
    let [a, b, c, gap @ ..] = numbers;
    let model = ChanceModel { slope: [a, b, c].map(|number| number / UNIT), gap };
    let is_sound =
        model.even_score(USUAL_MATERIAL) > 0.0 && numbers.iter().all(|number| number.is_finite());
    is_sound.then_some(model)
}

/// Adds how the logarithm of the likelihood of some results changes with each number, and how sharply it is curved.
fn add(
    numbers: &[f64; NUMBERS],
    material: u32,
    score: f64,
    results: &[u64; 3],
    gradient: &mut [f64; NUMBERS],
    curvature: &mut [[f64; NUMBERS]; NUMBERS],
) {
    let [a, b, c] = powers(material);
    // Winning and losing: the logarithm of the odds, and with it the chance, is linear in the numbers.
    let inputs = [score, -score].map(|score| [a * score, b * score, c * score, -a, -b, -c]);
    let chance = |input: &[f64; NUMBERS]| {
        logistic(input.iter().zip(numbers).map(|(input, number)| input * number).sum())
    };
    let [win, loss] = inputs.each_ref().map(chance);
    let slopes = |input: [f64; NUMBERS], chance: f64| input.map(|x| x * chance * (1.0 - chance));
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

/// The `x` of `matrix · x = right`, by Gaussian elimination; the matrix has no zero on the way down, as those that are
/// positive definite.
fn solve(mut matrix: [[f64; NUMBERS]; NUMBERS], mut right: [f64; NUMBERS]) -> [f64; NUMBERS] {
    for pivot in 0..NUMBERS {
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

/// A line for each range of material and score: how often the side to move has won, drawn and lost, and the model's
/// chances.
fn show(counts: &Counts, model: &ChanceModel, sink: &mut dyn FnMut(&str)) {
    const MATERIALS: [u32; 5] = [0, 20, 40, 60, 79];
    const SCORES: [i32; 9] = [-800, -300, -150, -50, 50, 150, 300, 800, MAX_SCORE];
    sink("");
    sink("material     score   positions      win    model     draw    model     loss    model");
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
            let mut line = format!(
                "{:>2} - {:<2} {:>10} {total:>11}",
                materials[0],
                materials[1] - 1,
                format!("{} …", scores[0])
            );
            for index in [2, 1, 0] {
                line += &format!(
                    " {:>8} {:>8}",
                    percent(found[index], total),
                    percent(expected[index] as u64, total)
                );
            }
            sink(&line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many results as a model says.
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
    fn the_model_behind_the_results_is_found() {
        let model = ChanceModel { slope: [0.02, -0.012, 0.004], gap: [1.2, 0.7, -0.3] };
        let found = fit(&counts(&model)).expect("there are enough results");
        assert_eq!(fit(&Counts::new()), None);
        for material in [10, 30, USUAL_MATERIAL, 78] {
            for score in [-500.0, -90.0, 0.0, 40.0, 300.0] {
                let (found, expected) = (found.win(score, material), model.win(score, material));
                assert!((found - expected).abs() < 1e-4, "{material}, {score}: {found} {expected}");
            }
        }
    }

    #[test]
    fn equations_are_solved() {
        let mut matrix = [[0.5; NUMBERS]; NUMBERS];
        (0..NUMBERS).for_each(|index| matrix[index][index] = index as f64 + 2.0);
        let x = [1.0, -2.0, 3.0, 0.0, 0.5, 7.0];
        let right = matrix.map(|row| row.iter().zip(x).map(|(entry, x)| entry * x).sum());
        let found = solve(matrix, right);
        assert!(found.iter().zip(x).all(|(found, x)| (found - x).abs() < 1e-9), "{found:?}");
    }
}
