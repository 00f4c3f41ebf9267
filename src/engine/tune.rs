//! Search parameters as options and as input for a tuner; none without the feature `tune`.

use crate::search::{TUNABLES, Tunable};

use super::actor::{Action, Engine};
use super::value::{Number, OptionError};

/// Learning rate at the end of a tuning run, as OpenBench proposes.
const END_RATE: f64 = 0.002;

pub(super) fn find(name: &str) -> Option<&'static Tunable> {
    TUNABLES.iter().copied().find(|tunable| tunable.name.eq_ignore_ascii_case(name))
}

pub(super) fn action(
    tunable: &'static Tunable,
    value: Option<&str>,
) -> Result<Action, OptionError> {
    let Tunable { name, min, max, .. } = *tunable;
    let number = Number::parse(name, value, min.into(), max.into(), "")?;
    Ok(Box::new(move |engine| {
        number.note(engine);
        tunable.set(number.used);
    }))
}

impl Engine {
    /// Lists the search parameters as OpenBench reads them:
    /// `name, int, value, min, max, c_end, r_end`.
    pub fn list_tunables(&mut self) {
        if TUNABLES.is_empty() {
            return self.fail("spsa: this build has no tunable parameters, use --features tune");
        }
        for Tunable { name, default, min, max, step, .. } in TUNABLES {
            self.print(format!("{name}, int, {default}, {min}, {max}, {step}, {END_RATE}"));
        }
    }
}
