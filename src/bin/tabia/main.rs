//! The `tabia` program: command line, prompt or UCI.

mod processor;

use std::ffi::OsString;
use std::process::ExitCode;

use tabia::platform::survive_file_size_limit;
use tabia::{cli, prompt, uci};

fn main() -> ExitCode {
    processor::ensure_supported();
    start()
}

/// Separate, so that the check comes before every instruction that it is about.
#[inline(never)]
fn start() -> ExitCode {
    survive_file_size_limit();
    let filter = env_logger::Env::default().default_filter_or("off");
    env_logger::Builder::from_env(filter).init();
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let line = cli::prompt_line(&arguments);
    if prompt::has_terminal() && (arguments.is_empty() || line.is_some()) {
        prompt::run(line)
    } else if arguments.is_empty() {
        uci::run()
    } else {
        cli::run(&arguments)
    }
}
