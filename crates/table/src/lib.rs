//! Tables on disk: what the solver writes, and what players and the checker read. No rules live here.
//!
//! | module | idea |
//! |---|---|
//! | [`blocks`] | a file of compressed blocks with checksums, replaced whole or not at all |
//! | [`values`] | one byte for value and distance of a position, and what does not fit |
//!
//! The format is described in `docs/tables.md`.

pub mod blocks;
pub mod values;

pub use blocks::{BadFile, Reader, Writer};
pub use values::{Code, Table, Values};
