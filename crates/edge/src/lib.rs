//! The edge: where games, solvers and players, generic and fast, begin to speak text.
//!
//! | module | room |
//! |---|---|
//! | [`registry`] | the games by name, as a value |
//! | [`entry`] | everything that is known about a family of games |
//! | [`erased`] | a game that speaks text: what commands and pages work with |
//! | [`report`] | what is answered, as text and as JSON |
//! | [`failure`] | how a request can fail, and the exit code each way has |
//! | [`words`] | colour, numbers and tables |
//! | [`interrupt`] | whether a person asked to stop |

pub mod entry;
pub mod erased;
pub mod failure;
pub mod interrupt;
pub mod registry;
pub mod report;
pub mod words;

/// The version in every report.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
