//! The search's numbers as options and as a tuner's input. Without the feature `tune` there are none.

use crate::engine::Engine;
use crate::engine::options::read_number;
use crate::engine::protocol::Reply;
use crate::search::{TUNABLES, Tunable};

/// The learning rate at the end of a tuning run that OpenBench proposes.
const END_RATE: f64 = 0.002;

impl Engine {
    /// The number of this name, in any case.
    pub(super) fn tunable(name: &str) -> Option<&'static Tunable> {
        TUNABLES.iter().copied().find(|tunable| tunable.name.eq_ignore_ascii_case(name))
    }

    /// Sets a number.
    pub(super) fn tune(&mut self, tunable: &Tunable, value: Option<&str>) {
        match read_number(tunable.name, value, |number| tunable.set(number).into()) {
            Ok((_, Some(clamped))) => self.note(clamped.to_string()),
            Ok((_, None)) => {}
            Err(error) => self.fail(error),
        }
    }

    /// Lists the numbers as OpenBench reads them: `name, int, value, min, max, c_end, r_end`.
    pub(super) fn show_spsa(&mut self) {
        if TUNABLES.is_empty() {
            return self
                .fail("spsa: there is nothing to tune in a build without the feature 'tune'");
        }
        for Tunable { name, default, min, max, step, .. } in TUNABLES {
            let line = format!("{name}, int, {default}, {min}, {max}, {step}, {END_RATE}");
            self.reply(Reply::Line(line));
        }
    }
}
