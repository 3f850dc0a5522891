//! Short strategies found: lists of rules that keep a claim whatever the opponent does.
//!
//! | module | holds |
//! |---|---|
//! | [`points`] | the positions in which a strategy has to choose, and what its choices lead to |
//! | [`exact`] | the shortest list, with the proof that there is no shorter one |
//!
//! The steps that a list is made of come from outside: this crate knows no language.

pub mod climb;
pub mod exact;
pub mod points;
pub mod shortest;
