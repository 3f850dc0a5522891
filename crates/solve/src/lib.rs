//! Solvers and searches.
//!
//! | module | answers |
//! |---|---|
//! | [`perft`] | how many move sequences of each length are there? |
//! | [`count`] | how many positions, games and nodes, with and without symmetry? |
//! | [`brute`] | the value, by exhaustive search: it checks the others |
//! | [`alphabeta`] | the value, with pruning, a table and symmetry |
//! | [`null_window`] | the same for games with tactics: exact keys, children looked at first, several threads |
//! | [`lines`] | who wins a line game: threats, pairings, proof-number search |
//! | [`portfolio`] | who wins a race to complete a line, by three searches in turns |
//! | [`method`] | ways to solve, as values that a game in the registry brings along |
//! | [`forced`] | the shortest forced win, where play can cycle |
//! | [`strong`] | the value of every reachable position |
//! | [`threats`] | a win by threats alone, by proof-number search |
//! | [`retro`] | the same where play can cycle, by retrograde analysis |
//! | [`fixpoint`] | the same, by fixpoint iteration: it checks `retro` |
//! | [`verify`] | does a strategy keep its claim against every reply? |
//! | [`repair`] | the fewest exceptions that make it |
//! | [`grundy`] | nim-sequences of heap games, by the million |
//! | [`nimbers`] | nim-values and all winning moves of impartial games |
//! | [`misere`] | misère play of heap games, by canonical forms and by quotients |
//! | [`circular`] | the P-positions of circular nim, and descriptions of them |
//! | [`cyclic`] | every reachable position of any game, from its forward rules alone |
//! | [`explain`] | why a position has its value: trees in which every defence is answered |
//! | [`strategy`] | the moves that prove a value, for certificates |
//!
//! This crate reads no clock and prints nothing.

pub mod alphabeta;
mod book;
pub mod brute;
pub mod circular;
pub mod count;
pub mod cyclic;
pub mod distil;
mod exact_counts;
pub mod explain;
pub mod fixpoint;
pub mod forced;
pub mod grundy;
pub mod lines;
pub mod method;
pub mod misere;
mod move_values;
pub mod nimbers;
pub mod null_window;
mod packed_table;
pub mod perft;
pub mod portfolio;
mod recursion;
pub mod repair;
pub mod retro;
pub mod strategy;
pub mod strong;
mod table;
pub mod threats;
mod totals;
pub mod verify;

pub use alphabeta::AlphaBeta;
pub use nimbers::Nimbers;
pub use null_window::NullWindow;
pub use portfolio::Portfolio;
pub use retro::Retro;
pub use strong::Strong;
pub use totals::Totals;

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
