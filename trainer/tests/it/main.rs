//! Integration tests of the trainer on small generated positions and games.

#![expect(clippy::unwrap_used, reason = "a test that cannot continue has failed")]

mod checkpoint;
mod distillation;
mod gradient;
mod judge;
mod learning;
mod program;
mod recipe_run;
mod support;
