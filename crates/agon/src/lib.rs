//! The program behind the `agon` command.
//!
//! | module | room |
//! |---|---|
//! | [`cli`] | every command and flag, in one definition |
//! | [`registry`] | the games by name: one line per family |
//! | [`erased`] | a game that speaks text: what the commands work with |
//! | [`report`] | what commands answer, as text and as JSON |
//! | [`commands`] | one function per command |
//! | [`grundy`] | sequences of games on heaps |
//! | [`terminal`] | playing in a terminal or a pipe |
//! | [`reproduce`] | claims of documents, recomputed |
//! | [`mod@bench`] | fixed work with known answers |
//! | [`progress`], [`output`], [`failure`] | signs of life, standard output, exit codes |

pub mod bench;
pub mod cli;
pub mod commands;
pub mod erased;
pub mod failure;
pub mod grundy;
pub mod output;
pub mod progress;
pub mod registry;
pub mod report;
pub mod reproduce;
pub mod results;
pub mod terminal;

use clap::Parser;
use failure::Failure;
use std::ffi::OsString;
use std::process::ExitCode;

/// The version in every report.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs one command line and says how it ended.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match cli::Cli::try_parse_from(args) {
        Ok(cli) => cli,
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
                output::tell(message);
            }
            ExitCode::from(failure.code())
        }
    }
}
