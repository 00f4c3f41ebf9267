//! The search's numbers as options and as a tuner's input. Without the feature `tune` there are none.

use crate::engine::Engine;
use crate::engine::options::{OptionError, parse_number};
use crate::engine::protocol::Reply;
use crate::search::{TUNABLES, Tunable};

/// The learning rate at the end of a tuning run that OpenBench proposes.
const END_RATE: f64 = 0.002;

impl Engine {
    /// Announces the numbers as options.
    pub(super) fn introduce_tunables(&self) {
        for Tunable { name, default, min, max, .. } in TUNABLES {
            let line =
                format!("option name {name} type spin default {default} min {min} max {max}");
            self.reply(Reply::Line(line));
        }
    }

    /// The number of this name, in any case.
    pub(super) fn tunable(name: &str) -> Option<&'static Tunable> {
        TUNABLES.iter().copied().find(|tunable| tunable.name.eq_ignore_ascii_case(name))
    }

    /// Sets a number.
    pub(super) fn tune(&mut self, tunable: &Tunable, value: Option<&str>) {
        let name = tunable.name;
        let Some(found) = value.map(str::trim) else {
            return self.fail(OptionError::NoValue(name));
        };
        let Some(number) = parse_number(found) else {
            let (found, wanted) = (found.to_owned(), "a whole number");
            return self.fail(OptionError::BadValue { name, found, wanted });
        };
        let used = tunable.set(number);
        if i64::from(used) != number {
            self.note(format!("{name}: {number} is out of range, {used} is used"));
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
