//! The checker, which is simple on purpose.
//!
//! A certificate states a claim about a position and carries the evidence for it. This crate depends on
//! [`agon_core`] and the format of tables; the rules come from the caller, who passes a game. It depends on no game and
//! on no solver, so that a bug in a clever search cannot hide here.
//!
//! [`Certificate`] is the file; [`check`] verifies it, and [`check_lines`] also verifies arguments about the lines of a
//! game. Strategies as text are evaluated by an evaluator of this crate. `docs/certificates.md` describes the format.
//! [`sequence`] does the same for files of nim-sequences, and [`tables`] for tables of games in which play can cycle.

mod arguments;
mod format;
mod judge;
mod lines;
mod race;
#[doc(hidden)]
pub mod seam;
pub mod sequence;
pub mod tables;
mod text;
mod walk;

pub use format::{Certificate, Claim, Corrupt, Section};
pub use judge::{Proved, Rejected, check, check_lines};

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
