//! Prints statistics on the quality of the Zobrist keys, as docs/keys.md explains them.
//!
//!     cargo run --release --example keys -- [POSITIONS]

#![expect(clippy::print_stdout, reason = "prints the statistics")]

mod statistics;

use std::env;
use std::error::Error;

const DEFAULT_POSITIONS: usize = 1_000_000;
/// Larger subsets need the XORs of all triples of keys, which take seconds.
const MAX_SUBSET: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let positions = match env::args().nth(1) {
        Some(argument) => argument.parse()?,
        None => DEFAULT_POSITIONS,
    };
    let lines = statistics::report(positions, MAX_SUBSET)
        .map_err(|_| format!("there is not enough memory for {positions} positions"))?;
    lines.iter().for_each(|line| println!("{line}"));
    Ok(())
}
