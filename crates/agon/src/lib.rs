//! The program behind the `agon` command.
//!
//! | module | room |
//! |---|---|
//! | [`cli`] | every command and flag, in one definition |
//! | [`commands`] | one function per command |
//! | [`grundy`] | sequences of games on heaps |
//! | [`tables`] | tables on disk: solving into a directory, and asking one |
//! | [`terminal`] | playing in a terminal or a pipe |
//! | [`tei`] | a Tak engine for other programs |
//! | [`arena`] | tournaments |
//! | [`train`] | players that learn |
//! | [`statistics`] | intervals, differences in strength, sequential tests |
//! | [`tune`] | what features of an evaluation are worth |
//! | [`reproduce`] | claims of documents, recomputed |
//! | [`serve`] | the workbench in a browser |
//! | [`mod@bench`] | fixed work with known answers |
//! | [`progress`], [`output`] | signs of life, standard output and files |
//!
//! The games themselves, what is answered about them and how that can fail live in [`agon_registry`] and [`agon_report`].

pub mod arena;
pub mod bench;
pub mod cli;
pub mod commands;
pub mod grundy;
pub mod output;
pub mod progress;
pub mod reproduce;
pub mod results;
pub mod serve;
pub mod tables;
pub mod tei;
pub mod terminal;
pub mod train;
pub mod tune;

pub use agon_arena as tournament;
pub use agon_check as check;
pub use agon_core as core;
pub use agon_games as games;
pub use agon_play as play;
pub use agon_registry as registry;
pub use agon_registry::{entry, erased};
pub use agon_report as report;
pub use agon_report::{VERSION, failure};
pub use agon_solve as solve;

use crate::core::Stop;
use clap::Parser;
use failure::{Failure, Holds};
use registry::Registry;
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
pub fn run(registry: Registry, args: impl IntoIterator<Item = OsString>) -> ExitCode {
    progress::handle_interrupts();
    let cli = match cli::Cli::try_parse_from(args) {
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

/// What to do about a failure, in the words of the command line.
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

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The template of the page about new games compiles, and its game is solved.
#[cfg(doctest)]
#[doc = include_str!("../adding-a-game.md")]
struct AddingAGame;
