//! The files of agon: tables of values, which solvers write and players and the checker read, and helpers for other files.
//! This crate knows no rules of games.
//!
//! | module | contents |
//! |---|---|
//! | [`blocks`] | files of compressed blocks with checksums, replaced atomically |
//! | [`directory`] | the tables in a directory, by their headers |
//! | [`locked`] | files that only one process works on |
//! | [`record`] | who computed a table, and from what |
//! | [`regular`] | safe reading of regular files, with a size limit |
//! | [`replace`] | atomic replacement of a file |
//! | [`sealed`] | text files whose last line is a hash of the rest |
//! | [`smaller`] | tables without distances, and tables of chosen positions |
//! | [`temporary`] | files that are renamed when they are complete |
//! | [`values`] | values with distances, one byte each, with an escape for long distances |
//!
//! `docs/tables.md` describes the format.

pub mod blocks;
pub mod directory;
pub mod locked;
pub mod record;
pub mod regular;
pub mod replace;
pub mod sealed;
pub mod smaller;
pub mod temporary;
pub mod values;

pub use blocks::{BadFile, Reader, Writer};
pub use values::{Code, Table, Values};

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
