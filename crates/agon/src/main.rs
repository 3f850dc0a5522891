//! `agon`: play, count, solve and prove abstract strategy games.

use std::process::ExitCode;

fn main() -> ExitCode {
    agon::run(std::env::args_os())
}
