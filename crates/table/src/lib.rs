//! Tables on disk: what the solver writes, and what players and the checker read. No rules live here.
//!
//! | module | idea |
//! |---|---|
//! | [`blocks`] | a file of compressed blocks with checksums, replaced whole or not at all |
//! | [`directory`] | the tables of a directory, by their heads |
//! | [`regular`] | regular files, read with a limit, and nothing else opened |
//! | [`values`] | one byte for value and distance of a position, and what does not fit |
//!
//! The format is described in `docs/tables.md`.

pub mod blocks;
pub mod directory;
pub mod regular;
pub mod values;

pub use blocks::{BadFile, Reader, Writer};
pub use values::{Code, Table, Values};

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
