//! Games by name and as text: where rules, solvers and players, which are generic, become values of one type.
//!
//! | module | room |
//! |---|---|
//! | [`Registry`] | the families by name, as a value |
//! | [`entry`] | everything that is known about a family of games |
//! | [`erased`] | a game as text: what commands and pages work with |
//! | [`analysis`] | games move by move |
//! | [`tree`] | game trees |
//! | [`openspiel`] | games that OpenSpiel has too, and moves that it writes as numbers |
//! | [`record`] | games written down: saved games, notations of families, lists of moves |
//! | [`annotated`] | a game with its variations, comments and marks |
//! | [`players`] | players and strategies by their spelling |
//! | [`files`] | files that people name |
//! | [`memory`] | the memory of this machine |

pub mod analysis;
pub mod annotated;
pub mod entry;
pub mod erased;
pub mod files;
pub mod memory;
pub mod openspiel;
pub mod players;
pub mod record;
mod registry;
mod standard;
pub mod tree;

pub use registry::{Registry, is_spelling_of, standard};

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
