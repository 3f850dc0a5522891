//! `agon`: play, count, solve and prove abstract strategy games.

use std::process::ExitCode;

fn main() -> ExitCode {
    agon::main_with(agon::registry::Registry::standard())
}
