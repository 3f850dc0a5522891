//! Ways to solve a game, as values: a game in the registry brings a list of them, the first of which is its default.
//!
//! A method is offered only to games that have what it needs, because its constructor asks for it as a bound.
//!
//! | constructor | needs | answers |
//! |---|---|---|
//! | [`acyclic`] | [`Acyclic`], [`Symmetric`], [`Guide`] | all methods for games whose plays end: alpha-beta, brute force, strong |
//! | [`ranked`] | [`Ranked`] as well | the same, with an array for strong |
//! | [`tactical`] | a form of the game with [`Tactics`] | null-window search first, then others |
//! | [`lines()`] | [`LineGame`] as well | proofs over lines and races first, then those of [`acyclic`] or [`ranked`] |
//! | [`nimbers`] | [`Impartial`] as well | nim-values first, then the same |
//! | [`cyclic`] | [`Game`], [`Symmetric`] | every reachable position, from the forward rules alone |
//! | [`indexed`] | [`BulkIndexed`] | tables by retrograde analysis, in memory or on disk |
//! | [`forced`] | [`Forcing`] | the shortest forced win, and wins by threats alone |
//!
//! [`Acyclic`]: agon_core::Acyclic
//! [`Symmetric`]: agon_core::Symmetric
//! [`Guide`]: agon_core::Guide
//! [`Ranked`]: agon_core::Ranked
//! [`Tactics`]: agon_core::Tactics
//! [`LineGame`]: agon_core::LineGame
//! [`Impartial`]: agon_core::Impartial
//! [`BulkIndexed`]: agon_core::BulkIndexed
//! [`Forcing`]: agon_core::forcing::Forcing

mod acyclic;
mod cyclic;
mod forced;
mod indexed;
mod lines;
mod nimbers;
mod tactical;

pub use acyclic::{acyclic, ranked};
pub use cyclic::cyclic;
pub use forced::forced;
pub use indexed::{Tables, indexed};
pub use lines::{lines, lines_alone};
pub use nimbers::nimbers;
pub use tactical::tactical;

use crate::Totals;
use crate::retro::Stats;
use crate::strategy::{ListedStrategy, Moves};
use agon_core::solver::{Failed, Solver};
use agon_core::{Ctx, Game, Player, Solution, Value, Wdl};

/// The name of methods that make a table of all positions.
pub const STRONG: &str = "strong";
/// The name of methods that search without any knowledge, for comparison.
pub const BRUTE: &str = "brute";

/// A question to a method.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Extract the evidence for a certificate as well.
    pub evidence: bool,
    /// Count what a table of all positions holds.
    pub totals: bool,
    /// Bytes of memory to use at most.
    pub memory: u64,
}

/// The kind of questions that a solver will be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Purpose {
    /// The values of moves, for players and hints.
    Moves,
    /// Claims that a side can still get a result, to verify and repair strategies.
    Claims,
}

/// One way to solve a game.
///
/// ```
/// use agon_core::solver::Failed;
/// use agon_core::{Ctx, Game, Guide, Player, Solution, Wdl, toy::Pile};
/// use agon_solve::method::{Found, Method, Request};
///
/// /// Uses what the game knows without search.
/// struct Theory;
///
/// impl Method<Pile> for Theory {
///     fn name(&self) -> &'static str {
///         "theory"
///     }
///     fn solve(&self, game: &Pile, pos: &(u8, Player), _: &Request, _: &Ctx) -> Result<Found<Pile>, Failed> {
///         let solution = Solution { value: game.bounds(pos), plies: None, best: None, nodes: 1, stopped: None };
///         Ok(Found::new(solution, self.name()))
///     }
/// }
///
/// let (game, request) = (Pile::new(5), Request { evidence: false, totals: false, memory: 1 << 20 });
/// let found = Theory.solve(&game, &game.start(), &request, &Ctx::default()).unwrap();
/// assert_eq!((found.solution.value.value(), found.by), (Some(Wdl::Win), "theory"));
/// ```
pub trait Method<G: Game>: Send + Sync {
    /// The name a person asks for it by.
    fn name(&self) -> &'static str;

    /// The value of `pos` as far as it can be proven, and the evidence if it is asked for.
    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed>;

    /// A solver that answers many questions in a row and remembers what it found, where the method has one for this
    /// purpose.
    fn solver(&self, _game: &G, _purpose: Purpose, _memory: u64) -> Option<Box<dyn Solver<G>>> {
        None
    }

    /// Returns whether that solver needs a table of all positions before its first answer.
    fn needs_table(&self) -> bool {
        false
    }

    /// Returns whether what that solver finds rests on hashes, so that it counts as proven only after evidence was
    /// checked; see [`Found::must_check`].
    fn rests_on_hashes(&self, _game: &G) -> bool {
        false
    }
}

/// A list of methods; the first is the default.
pub type Methods<G> = Vec<Box<dyn Method<G>>>;

/// The answer of a method.
pub struct Found<G: Game> {
    /// The value.
    pub solution: Solution<G::Move>,
    /// The name of what found it: the method, or the part of a portfolio that was the quickest.
    pub by: &'static str,
    /// Why the value is true: nothing where it was not asked for, is not known, or the play is over. A failure here
    /// leaves the value as it is.
    pub evidence: Result<Vec<Evidence<G>>, Failed>,
    /// True if the value rests on hashes, so that it may be believed only when its evidence was checked.
    pub must_check: bool,
    /// Other results of the same computation.
    pub details: Details<G::Move>,
    /// The solver with what it remembers, for more questions about the same position.
    pub solver: Option<Box<dyn Solver<G>>>,
}

impl<G: Game> std::fmt::Debug for Found<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Found").field("solution", &self.solution).field("by", &self.by).finish_non_exhaustive()
    }
}

impl<G: Game> Found<G> {
    /// A value and nothing more.
    #[must_use]
    pub fn new(solution: Solution<G::Move>, by: &'static str) -> Found<G> {
        Found { solution, by, evidence: Ok(Vec::new()), must_check: false, details: Details::default(), solver: None }
    }
}

/// One part of the evidence for a value.
#[derive(Clone, Debug)]
pub enum Evidence<G: Game> {
    /// A strategy by which a side gets at least a value.
    Strategy(ListedStrategy<G>),
    /// The value of every position that can be reached, one for each class under symmetry.
    Values(Vec<(G::Position, Value)>),
    /// The proof that the maker completes a line, or cannot: positions and reasons, sorted.
    Lines {
        /// The side that wants a line.
        maker: Player,
        /// True if the maker completes a line.
        wins: bool,
        /// Position and reason.
        entries: Vec<(String, String)>,
    },
    /// The maker's strategy in the game inside a frame, without symmetry, from which its win follows.
    Lifted {
        /// The game inside.
        inner: G,
        /// A move of the maker at every position in which it is to move, sorted by position.
        moves: Moves<G>,
    },
    /// The proof that a side completes a line first: positions and reasons, sorted.
    Race {
        /// The side that does.
        winner: Player,
        /// Position and reason.
        entries: Vec<(String, String)>,
    },
}

/// A move, what it is worth to its player as far as that is known, and the plies until the end.
pub type FirstMove<M> = (M, Option<Wdl>, Option<u32>);

/// Results besides a value.
#[derive(Clone, Debug)]
pub struct Details<M> {
    /// Neither side wins by force within that many plies, where the value stays open.
    pub none_within: Option<u32>,
    /// The first moves up to symmetry: what each is worth to its player, and the plies until the end.
    pub first_moves: Vec<FirstMove<M>>,
    /// The nim-value, for impartial games in normal play.
    pub nimber: Option<u32>,
    /// All winning moves, for impartial games.
    pub winning_moves: Option<Vec<M>>,
    /// Reachable positions by value, and the same up to symmetry.
    pub totals: Option<(Totals, Totals)>,
    /// The contents of the tables, by phase.
    pub phases: Vec<(&'static str, Stats)>,
}

impl<M> Default for Details<M> {
    fn default() -> Details<M> {
        Details {
            none_within: None,
            first_moves: Vec::new(),
            nimber: None,
            winning_moves: None,
            totals: None,
            phases: Vec::new(),
        }
    }
}

/// The sides that must hold a value, and what each gets: the winner, or both in a draw.
fn holders(mover: Player, value: Wdl) -> Vec<(Player, Wdl)> {
    match value {
        Wdl::Win => vec![(mover, Wdl::Win)],
        Wdl::Loss => vec![(mover.other(), Wdl::Win)],
        Wdl::Draw => Player::BOTH.map(|side| (side, Wdl::Draw)).to_vec(),
    }
}
