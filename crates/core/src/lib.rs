//! The shared vocabulary of agon.
//!
//! | module | what it holds |
//! |---|---|
//! | [`words`] | `Player`, `Outcome`, `Status`, `Wdl`, `Bounds`, `Value`, `Solution` |
//! | [`game`] | the [`Game`] trait and the capabilities a game may add to it |
//! | [`evaluate`] | what helps players: evaluation, order of moves, threats, weights |
//! | [`features`] | what strategies written as text see of a game: cells, rows, marks, moves |
//! | [`impartial`] | games both sides play alike, in independent parts |
//! | [`forcing`] | what a search for forced wins needs |
//! | [`family`] | one spelling for games: `family:parameters`, parsed and checked in one place |
//! | [`strategy`] | a rule that maps a position to the moves it may choose among |
//! | [`solver`] | what a solver offers to those who only use one |
//! | [`code`] | octal and hexadecimal codes of heap games |
//! | [`ctx`] | budget, cancellation, progress and the per-thread meter |
//! | [`indexed`] | indices of positions, and unmoves, for tables of games in which play can cycle |
//! | [`scene`] | the one picture of a position, drawn as text and as SVG |
//! | [`repetition`] | what draw rules remember of a play |
//! | [`rng`] | the repeatable random numbers of every experiment |
//! | [`laws`] | what every game must satisfy, as checks |
//! | [`lines`] | games seen as lines to complete or to spoil |
//! | [`measures`] | numbers that the literature defines for the places of a position |
//! | [`tactics`] | what a null-window search reads off a position |
//! | [`toy`] | tiny games spelled as text, to test solvers on |
//!
//! This crate uses the standard library only: no files and no terminal; a deadline in [`Ctx`] is its only clock.

pub mod code;
pub mod ctx;
pub mod evaluate;
pub mod family;
pub mod features;
pub mod forcing;
pub mod game;
pub mod impartial;
pub mod indexed;
pub mod laws;
pub mod lines;
pub mod measures;
pub mod repetition;
pub mod rng;
pub mod scene;
pub mod setup;
pub mod solver;
pub mod strategy;
mod svg;
pub mod tactics;
mod text;
pub mod toy;
pub mod words;

pub use code::Code;
pub use ctx::{Ctx, Meter, Progress, Stop};
pub use evaluate::{Evaluate, Tunable};
pub use family::{Facts, Family, GameError, Kind, Param, Params, Reduction};
pub use features::Features;
pub use game::{
    Acyclic, Alternating, Game, Guide, Notation, NotationError, Ranked, Symmetric, collect_moves, moves_again,
};
pub use impartial::Impartial;
pub use indexed::{BulkIndexed, Indexed};
pub use lines::{LineGame, Lines};
pub use measures::{Measured, Measures};
pub use rng::Rng;
pub use scene::Scene;
pub use strategy::{Strategy, StrategyFacts};
pub use tactics::{StaticAnalysis, Tactics};
pub use words::{Bounds, Outcome, Player, Solution, Status, Value, Wdl};

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
