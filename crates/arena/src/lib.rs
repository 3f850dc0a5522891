//! Reproducible tournaments, and their statistics.
//!
//! | module | contents |
//! |---|---|
//! | [`plan`] | the plan of a tournament, which determines each game by its number |
//! | [`files`] | the files that players are built from (models, exceptions), and their hashes |
//! | [`seat`], [`engine`] | built-in players, and external engines |
//! | `group` | process groups, so that an engine and its child processes end together |
//! | [`game`] | one game |
//! | [`run`] | many games on many threads |
//! | [`store`] | the SQLite file of a tournament |
//! | [`report`] | scores, pairings and ends of games |
//! | [`rating`], [`statistics`] | ratings, confidence intervals and sequential tests |
//!
//! The number of a game determines its opening and the seeds of its players. Any game can therefore be replayed on another
//! machine, and a tournament can be resumed or distributed.

pub mod engine;
pub mod files;
pub mod game;
mod group;
pub mod plan;
pub mod rating;
pub mod report;
pub mod run;
pub mod seat;
pub mod statistics;
pub mod store;

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
