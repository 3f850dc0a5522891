//! The checker: dull on purpose.
//!
//! A certificate states a claim about a position and carries what is needed to see that it is true. This
//! crate knows the rules ([`agon_core`], and through its caller one game) and no solver, so that a
//! mistake in a clever search cannot hide here.
//!
//! [`Certificate`] is the file; [`check`] says what it proves. The format is described in
//! `docs/certificates.md`. [`sequence`] does the same for files of Grundy values, [`tables`] for tables of
//! games in which play can go round.

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
pub use walk::{Proved, Rejected, check};

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
