//! The library of agon, and the program behind the `agon` command.
//!
//! The library is its crates under one name: [`core`], [`games`], [`solve`], [`check`], [`play`], and [`registry`] with
//! [`report`], in which games are values that speak text. The program is behind the feature `program`, which is on by
//! default:
//!
//! | module | contents |
//! |---|---|
//! | [`cli`] | every command and flag, in one definition |
//! | [`commands`] | one function per command |
//! | [`grundy`] | sequences of heap games |
//! | [`position`] | where a command begins: a position, moves, or a game in a file |
//! | [`show`], [`solving`], [`explaining`] | what a position looks like, what it is worth, and why |
//! | [`distilling`] | short strategies, found and proven |
//! | [`analysing`], [`puzzling`], [`tree`] | games move by move, positions with one right move, game trees |
//! | [`grading`] | players graded by the proven values of their moves |
//! | [`mcp`] | a tool server for other programs |
//! | [`tables`] | tables on disk: solving into a directory, and asking one |
//! | [`terminal`] | playing in a terminal or a pipe |
//! | [`engine`] | engines for other programs: UGI for every game, TEI for Tak |
//! | [`arena`] | tournaments |
//! | [`plan`] | work as tasks for schedulers |
//! | [`train`] | players that learn |
//! | [`tune`] | what features of an evaluation are worth |
//! | [`reproduce`] | claims of documents, recomputed |
//! | [`serve`] | the workbench in a browser |
//! | [`mod@bench`] | fixed work with known answers |
//! | [`progress`], [`output`] | progress, standard output and files |
//!
//! Without it (`default-features = false`) nothing here needs a command line, a database or a web server.

#[cfg(feature = "program")]
pub mod analysing;
#[cfg(feature = "program")]
pub mod arena;
#[cfg(feature = "program")]
pub mod bench;
#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
pub mod commands;
#[cfg(feature = "program")]
pub mod distilling;
#[cfg(feature = "program")]
pub mod engine;
#[cfg(feature = "program")]
pub mod explaining;
#[cfg(feature = "program")]
pub mod grading;
#[cfg(feature = "program")]
pub mod grundy;
#[cfg(feature = "program")]
pub mod mcp;
#[cfg(feature = "program")]
pub mod output;
#[cfg(feature = "program")]
pub mod places;
#[cfg(feature = "program")]
pub mod plan;
#[cfg(feature = "program")]
pub mod position;
#[cfg(feature = "program")]
mod program;
#[cfg(feature = "program")]
pub mod progress;
#[cfg(feature = "program")]
pub mod puzzling;
#[cfg(feature = "program")]
pub mod reproduce;
#[cfg(feature = "program")]
pub mod results;
#[cfg(feature = "program")]
pub mod serve;
#[cfg(feature = "program")]
pub mod show;
#[cfg(feature = "program")]
pub mod solving;
#[cfg(feature = "program")]
pub mod tables;
#[cfg(feature = "program")]
pub mod terminal;
#[cfg(feature = "program")]
pub mod train;
#[cfg(feature = "program")]
pub mod tree;
#[cfg(feature = "program")]
pub mod tune;

#[cfg(feature = "program")]
pub use agon_arena as tournament;
pub use agon_check as check;
pub use agon_core as core;
pub use agon_games as games;
#[cfg(feature = "program")]
pub use agon_grade as grade;
pub use agon_play as play;
pub use agon_registry as registry;
pub use agon_registry::{entry, erased};
pub use agon_report as report;
pub use agon_report::{VERSION, failure};
pub use agon_solve as solve;

#[cfg(feature = "program")]
pub use program::{main_with, run};

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The template of the page about new games compiles, and its game is solved.
#[cfg(doctest)]
#[doc = include_str!("../adding-a-game.md")]
struct AddingAGame;
