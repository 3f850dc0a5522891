//! The answers of commands: one structure each, written as text and as JSON.
//!
//! | module | answers |
//! |---|---|
//! | `solve` | what a position is worth |
//! | `explain` | why it is worth that |
//! | `analyse` | which moves of a game gave something away |
//! | `puzzles` | positions with exactly one right move |
//! | `matches` | positions found in tables |
//! | `tables` | what tables hold |
//! | `tree` | game trees, as text and as pictures |
//! | `count` | how many positions and games there are |
//! | `distil` | short strategies that were found |
//! | `verify` | whether a strategy keeps its promise, and how to repair it |
//! | [`chart`] | charts as SVG |
//! | [`failure`] | how a request can fail |
//! | [`forecast`] | how long a task still takes, where that is better than a guess |
//! | [`grundy`] | sequences of Grundy values as JSON |
//! | [`page`] | pages that need nothing else |
//! | [`words`] | colour, numbers and tables |

mod analyse;
pub mod chart;
mod count;
mod distil;
mod explain;
pub mod failure;
pub mod forecast;
pub mod grundy;
mod matches;
pub mod page;
mod puzzles;
mod solve;
mod tables;
mod tree;
mod verify;
pub mod words;

pub use analyse::{AnalyseReport, GameAnalysis, Mistake, PlyReport, Unread, Worth};
pub use count::CountReport;
pub use distil::{DistilReport, Instead, PunishedReport, SizeReport, StepReport, StepShown};
pub use explain::{ExplainReport, RuleTrace, StepTrace, StrategyTrace, TextNode, node_json};
pub use matches::{MatchesReport, TableMatch};
pub use puzzles::{HARDEST, Puzzle, PuzzleKind, PuzzlesReport};
pub use solve::{Estimate, FirstMove, Known, MoveReport, SearchScore, SolveReport, TablesUsed};
pub use tables::{Phase, ShardReport, shards_text};
pub use tree::{TreeMove, TreeNode, TreeReport};
pub use verify::{
    Exception, FailureReport, RepairReport, ResponseReport, RuleReport, ShortestReport, UndecidedReport, VerifyReport,
    counterexample_text,
};

use crate::words::Paint;
use agon_core::Wdl;
use serde::{Serialize, Serializer};

/// Serialises a result by its name.
pub fn name_of<S: Serializer>(wdl: &Wdl, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(wdl.name())
}

/// An answer that can be shown to people and to programs.
///
/// ```
/// use agon_report::{Report, words::Paint};
///
/// #[derive(serde::Serialize)]
/// struct Moves {
///     moves: u64,
/// }
///
/// impl Report for Moves {
///     fn text(&self, paint: Paint) -> String {
///         format!("{} legal moves\n", paint.bold(&self.moves.to_string()))
///     }
/// }
///
/// let report = Moves { moves: 9 };
/// assert_eq!(report.text(Paint::new(false)), "9 legal moves\n");
/// assert_eq!(serde_json::to_string(&report).unwrap(), r#"{"moves":9}"#);
/// ```
pub trait Report: Serialize {
    /// For people.
    fn text(&self, paint: Paint) -> String;
}

/// The version in every report.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
