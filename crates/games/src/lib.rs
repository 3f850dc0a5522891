//! The games: one file or folder per family, each with its rules, notation, picture and strategies.
//!
//! | module | families |
//! |---|---|
//! | [`impartial`] | heaps by octal codes, nim, Ellie, Cram, Treblecross, circular nim, and sums |
//! | [`mnk`] | m,n,k games, tic-tac-toe among them |
//! | [`mod@drop`] | the same with gravity, Connect Four among them |
//! | [`tak`] | Tak |
//! | [`mill`] | men on points, three in a line: Antrin, Achi and its kin, the morris games |
//!
//! [`grid`] holds what games on rectangular boards share.

pub mod drop;
pub mod grid;
pub mod impartial;
pub mod mill;
pub mod mnk;
pub mod tak;
