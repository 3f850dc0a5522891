//! The checker, which is simple on purpose.
//!
//! A certificate states a claim about a position and carries the evidence for it. This crate depends on the rules
//! ([`agon_core`], and one game through its caller) and on no solver, so that a bug in a clever search cannot hide
//! here.
//!
//! [`Certificate`] is the file; [`check`] verifies it. `docs/certificates.md` describes the format. [`sequence`] does
//! the same for files of nim-sequences, and [`tables`] for tables of games in which play can cycle.

mod format;
mod lines;
mod order_chaos;
mod race;
#[doc(hidden)]
pub mod seam;
pub mod sequence;
pub mod tables;
mod walk;

pub use format::{Certificate, Claim, Corrupt, Section};
pub use walk::{Proved, Rejected, check, check_lines};

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
