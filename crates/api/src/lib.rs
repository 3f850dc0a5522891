//! Questions from programs: JSON in, JSON out, with limits.
//!
//! | module | contents |
//! |---|---|
//! | [`operations`](OPERATIONS) | every question, its parameters and the fields of its answer, in one table |
//! | `arguments` | parameters, checked before any work |
//! | `answers` | one function for each question |
//! | [`openapi`](fn@openapi) | the same table as an OpenAPI description |
//! | [`schema`] | the same table as JSON schemas |
//!
//! `agon mcp` offers the questions as tools, and `agon serve` under `/api/v1`.

mod answers;
mod arguments;
mod openapi;
mod operations;
pub mod schema;

pub use answers::families;
pub use arguments::{Arguments, Kind, Param};
pub use openapi::{BASE, openapi};
pub use operations::{Field, OPERATIONS, Operation, Type, operation};

use agon_core::Ctx;
use agon_registry::Registry;
use agon_registry::erased::AnyGame;
use agon_report::failure::Failure;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The time for an answer if the question says none.
pub const USUAL_SECONDS: f64 = 5.0;
/// The most time that a question may ask for.
pub const MOST_SECONDS: f64 = 60.0;
/// The most nodes of the search for one answer.
pub const MOST_NODES: u64 = 100_000_000;
/// The memory of a solver for one answer, in bytes.
pub const MEMORY: u64 = 256 << 20;

/// Where questions find their games. No spelling may open a file.
///
/// ```
/// use agon_api::{Arguments, Games, limited, operation};
/// use agon_registry::{Registry, erased::AnyGame};
/// use agon_report::failure::Failure;
/// use serde_json::json;
/// use std::sync::Arc;
///
/// /// Every game is made anew.
/// struct Fresh(Registry);
///
/// impl Games for Fresh {
///     fn registry(&self) -> &Registry {
///         &self.0
///     }
///
///     fn game(&self, spelling: &str) -> Result<Arc<dyn AnyGame>, Failure> {
///         Ok(self.0.game(spelling)?.into())
///     }
/// }
///
/// let moves = operation("show").unwrap();
/// let arguments = Arguments::read(moves.params, json!({"game": "nim:1+1"}).as_object().unwrap()).unwrap();
/// let answer = moves.answer(&Fresh(Registry::standard()), &arguments, &limited(&arguments)).unwrap();
/// assert_eq!(answer["moves"], json!(["1>0"]));
/// ```
pub trait Games: Send + Sync {
    /// The families.
    fn registry(&self) -> &Registry;
    /// The game of that spelling. A game that is asked for again keeps what its solvers know.
    fn game(&self, spelling: &str) -> Result<Arc<dyn AnyGame>, Failure>;
}

/// The games of the last questions, kept for the next one.
pub struct GameCache {
    registry: Registry,
    games: Mutex<VecDeque<Arc<dyn AnyGame>>>,
}

/// The most games in a cache. Each may hold a table of its positions, of a gibibyte at most.
const CACHED: usize = 4;

impl GameCache {
    /// An empty cache. The registry must be one whose spellings open no files.
    #[must_use]
    pub fn new(registry: Registry) -> GameCache {
        GameCache { registry, games: Mutex::default() }
    }
}

impl Games for GameCache {
    fn registry(&self) -> &Registry {
        &self.registry
    }

    fn game(&self, spelling: &str) -> Result<Arc<dyn AnyGame>, Failure> {
        let built = self.registry.game(spelling)?;
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let at = games.iter().position(|game| game.spelling() == built.spelling());
        let game = at.and_then(|at| games.remove(at)).unwrap_or_else(|| Arc::from(built));
        games.push_back(game.clone());
        if games.len() > CACHED {
            games.pop_front();
        }
        Ok(game)
    }
}

/// The time that a question asks for, within limits.
#[must_use]
pub fn time_of(arguments: &Arguments) -> Duration {
    let seconds = arguments.number("seconds").unwrap_or(USUAL_SECONDS);
    Duration::from_secs_f64(seconds.clamp(0.01, MOST_SECONDS))
}

/// The context for the answer to a question: its time, and the limit of nodes.
#[must_use]
pub fn limited(arguments: &Arguments) -> Ctx {
    Ctx::default().with_budget(MOST_NODES).within(time_of(arguments))
}

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
