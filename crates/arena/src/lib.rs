//! Tournaments you can believe, and their statistics.
//!
//! | module | room |
//! |---|---|
//! | [`plan`] | what decides the games, and each game by its number |
//! | [`files`] | models and exceptions that players are made from, and their hashes |
//! | [`seat`], [`tei`] | own players, and engines in processes of their own |
//! | `group` | an engine and the processes it starts, ended together |
//! | [`table`] | one game |
//! | [`run`] | many games on many threads |
//! | [`store`] | the file |
//! | [`report`] | what it all showed |
//! | [`rating`], [`statistics`] | ratings, confidence intervals and sequential tests |
//!
//! The number of a game decides its opening and the seeds of its players, so that a game can be played
//! again, on another machine or later, and a tournament can be resumed or shared out.

pub mod files;
mod group;
pub mod plan;
pub mod rating;
pub mod report;
pub mod run;
pub mod seat;
pub mod statistics;
pub mod store;
pub mod table;
pub mod tei;

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
