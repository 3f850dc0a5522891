//! The whole program: a command line in, an exit code out.

use crate::core::Stop;
use crate::failure::{Failure, Holds};
use crate::registry::Registry;
use crate::{cli, commands, output, progress};
use std::ffi::OsString;
use std::process::ExitCode;

/// The whole program with these games: the command line, tables, certificates, tournaments and the workbench.
///
/// ```no_run
/// use agon::{main_with, registry::Registry};
///
/// fn main() -> std::process::ExitCode {
///     main_with(Registry::standard()) // .with(Entry::acyclic::<MyGame>())
/// }
/// ```
pub fn main_with(registry: Registry) -> ExitCode {
    run(registry, std::env::args_os())
}

/// Runs one command line and says how it ended.
///
/// ```
/// use agon::{registry::Registry, run};
/// use std::process::ExitCode;
///
/// let ended = |args: &[&str]| format!("{:?}", run(Registry::standard(), args.iter().map(Into::into)));
/// assert_eq!(ended(&["agon", "solve", "mnk:2,2,2", "--quiet"]), format!("{:?}", ExitCode::SUCCESS));
/// assert_eq!(ended(&["agon", "solve", "no-such-game"]), format!("{:?}", ExitCode::from(2)));
/// ```
pub fn run(registry: Registry, args: impl IntoIterator<Item = OsString>) -> ExitCode {
    progress::handle_interrupts();
    let cli = match cli::Cli::read(args) {
        Ok(mut cli) => {
            cli.shared.registry = if cli.command.reads_boards() { registry.with_board_files() } else { registry };
            cli
        }
        Err(error) => {
            // Help and version go to standard output and are no failure.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { Failure::USAGE } else { 0 });
        }
    };
    match commands::dispatch(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                output::tell(&(message + &advice(&failure)));
            }
            ExitCode::from(failure.code())
        }
    }
}

/// Advice about a failure, in terms of flags and commands.
fn advice(failure: &Failure) -> String {
    match failure {
        Failure::Stopped(Stop::Interrupted) => ", run the command again".into(),
        Failure::Stopped(Stop::Time) => "; give more with --time".into(),
        Failure::Stopped(Stop::Nodes) => "; give more with --nodes".into(),
        Failure::Stopped(Stop::Memory) | Failure::NoMemory { .. } => "; allow more with --memory".into(),
        Failure::Saved(_) => ", continue with --resume".into(),
        Failure::Exists { holds: Holds::Tables, .. } => "; continue with --resume".into(),
        Failure::Exists { path, holds: Holds::Tournament } => format!(": continue with `agon arena --resume {path}`"),
        Failure::NoTables { folder, game } => format!("; `agon solve {game} --strong --table {folder}` makes them"),
        _ => String::new(),
    }
}
