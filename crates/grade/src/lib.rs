//! Players graded by the proven values of their moves.
//!
//! | module | contents |
//! |---|---|
//! | [`reading`] | games of a text, with the names of their players: moves are not played yet, and may be illegal |
//! | [`openspiel`] | moves that OpenSpiel writes as numbers |
//! | `grader` | games analysed one after the other, counted for each player |
//! | `report` | the answer, as text, JSON and CSV |
//! | `page` | the answer as a page |
//!
//! The values are those of [`agon_registry::analysis`]. What is not proven is counted apart, with an estimate by a search.

mod grader;
pub mod openspiel;
mod page;
pub mod reading;
mod report;

pub use grader::{Grader, Limit};
pub use page::page;
pub use report::{
    Decisions, Distance, Estimated, Fault, FaultKind, GivenAway, GradeReport, GradedGame, PlayerGrade, Results, Unread,
};

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
