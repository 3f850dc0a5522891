//! Strategies as text, for sections that hold one: a reader and an evaluator written from `docs/strategies.md`. They share
//! no code with those that strategies are tested and found with, only the data of [`agon_core::features`].
//!
//! | module | holds |
//! |---|---|
//! | `read` | the text as parts and lines |
//! | `words` | the words that every game has |
//! | `names` | what its names mean in one game |
//! | `board` | where cells lie |
//! | `shown` | features of cells, marks and lines |
//! | `value` | features that need the rules, and the moves that a strategy allows |

mod board;
mod features;
mod names;
mod read;
mod value;
mod words;

pub(crate) use names::Strategy;
