//! Strategies as text: an ordered list of rules over named features of moves and positions.
//!
//! | module | holds |
//! |---|---|
//! | [`text`] | a strategy as it is written |
//! | `parse`, `print` | reading it, and writing it in canonical form |
//! | [`vocabulary`] | every feature: name, subject, English, cost in bits |
//! | `board` | kinds of cells, lines through cells, pairings |
//! | `seen` | features of cells and lines, whatever the game |
//! | `names`, `compile` | looking up names for one game: [`Rules`] |
//! | `evaluate` | the moves that a strategy allows at a position, and what each rule makes of it |
//! | `english` | the same strategy in sentences |
//! | `lifted` | strategies for a smaller game in the middle of the board |
//! | `size` | how long a strategy is |
//!
//! The language has no loops, no variables and no search, so every evaluation ends. Nothing in a text is executed or
//! opened. The crate depends on `agon-core`, and on `strsim` to suggest the nearest name.

mod board;
mod compile;
mod english;
mod evaluate;
pub mod grammar;
mod lifted;
mod names;
mod parse;
mod print;
mod seen;
mod size;
pub mod text;
pub mod vocabulary;

pub use compile::{Rules, Vocabulary};
pub use english::english;
pub use evaluate::{Decision, Tried, Weighed};
pub use parse::LONGEST_TEXT;
pub use size::Size;
pub use text::{Fault, Text};

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
