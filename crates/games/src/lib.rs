//! The games: one file or folder per family, each with its rules, notation, picture and strategies.
//!
//! | module | families |
//! |---|---|
//! | [`impartial`] | heaps by octal codes, nim, Ellie, Cram, Treblecross, circular nim, and sums |
//! | [`mnk`] | m,n,k games, tic-tac-toe among them |
//! | [`mod@drop`] | the same with gravity, Connect Four among them |
//! | [`rack`] | drop games on boards of up to 64 bits, for a fast search |
//! | [`order_chaos`] | Order and Chaos on boards up to 8×8, with one to four marks |
//! | [`tak`] | Tak |
//! | [`mill`] | men on points, three in a line: Antrin, Achi and its kin, the morris games |
//!
//! [`grid`] holds what games on rectangular boards share, [`strategies`] the published strategies as text.

pub mod drop;
pub mod grid;
pub mod impartial;
mod layout;
pub mod mill;
pub mod mnk;
pub mod order_chaos;
pub mod rack;
pub mod strategies;
pub mod tak;

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
