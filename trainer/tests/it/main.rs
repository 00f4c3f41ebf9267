//! What training promises, shown on positions and games made here.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod checkpoint;
mod distillation;
mod gradient;
mod learning;
mod recipe_run;
mod support;
