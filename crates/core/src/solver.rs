//! The interface of all solvers, and how they fail.

use crate::ctx::{Ctx, Stop};
use crate::game::{Game, collect_moves};
use crate::words::{Player, Solution, Wdl};
use std::fmt;
use std::path::PathBuf;

/// Why there is no answer at all. A search that is stopped early still answers; see [`Solution::stopped`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Failed {
    /// The work was stopped before it had any result.
    Stopped(Stop),
    /// The work needs more memory than is allowed.
    NoMemory {
        /// Bytes needed, where that is known beforehand.
        needed: Option<u64>,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A number is larger than the work can store.
    OutOfRange {
        /// The number, such as "the length of a forced win in plies".
        what: String,
        /// The largest that can be stored.
        limit: u64,
    },
    /// A file cannot be read, written or used.
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The attempt, as a verb: `read`, `write` or `use`.
        doing: &'static str,
        /// The fault.
        why: String,
    },
    /// A file does not hold what its hash or its header says.
    Damaged {
        /// The file, or the directory of files.
        path: PathBuf,
        /// The fault.
        why: String,
    },
    /// The processes that share the work cannot finish it together; the text says why.
    Processes(String),
    /// The request does not fit the game or what is on disk; the text says why.
    Unsuitable(String),
    /// The directory holds tables already, and the request was not to continue with them.
    TablesExist {
        /// The directory.
        folder: String,
    },
    /// The directory holds no tables of the game.
    NoTables {
        /// The directory.
        folder: String,
        /// The game.
        game: String,
    },
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Failed {
        Failed::Stopped(stop)
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Stopped(stop) => stop.fmt(f),
            Failed::NoMemory { needed: Some(needed), allowed } => {
                write!(
                    f,
                    "this needs about {} MiB of memory; the limit is {} MiB",
                    needed.div_ceil(1 << 20),
                    allowed >> 20
                )
            }
            Failed::NoMemory { needed: None, allowed } => {
                write!(f, "this needs more memory than the limit of {} MiB", allowed >> 20)
            }
            Failed::OutOfRange { what, limit } => write!(f, "{what} exceeds {limit}, the most that can be stored"),
            Failed::Io { path, doing, why } => write!(f, "cannot {doing} `{}`: {why}", path.display()),
            Failed::Processes(why) | Failed::Unsuitable(why) => f.write_str(why),
            Failed::Damaged { path, why } => write!(f, "`{}`: {why}", path.display()),
            Failed::TablesExist { folder } => write!(f, "`{folder}` already holds tables"),
            Failed::NoTables { folder, game } => write!(f, "`{folder}` holds no tables of {game}"),
        }
    }
}

impl std::error::Error for Failed {}

/// Every legal move with the solution of the position it leads to, seen by the *next* mover.
pub type EachMove<M> = Vec<(M, Solution<M>)>;

/// A solver: it proves values of positions, and may keep what it found between calls.
///
/// ```
/// use agon_core::solver::{Failed, Solver};
/// use agon_core::{Ctx, Game, Guide, Player, Solution, Wdl, toy::Pile};
///
/// /// Solves by static analysis.
/// struct Theory;
///
/// impl Solver<Pile> for Theory {
///     fn solve(&mut self, game: &Pile, pos: &(u8, Player), _ctx: &Ctx) -> Result<Solution<u8>, Failed> {
///         Ok(Solution { value: game.bounds(pos), plies: None, best: None, nodes: 1, stopped: None })
///     }
/// }
///
/// let (game, ctx) = (Pile::new(5), Ctx::default());
/// assert!(Theory.keeps(&game, &game.start(), Player::First, Wdl::Win, &ctx).unwrap());
/// let moves = Theory.each_move(&game, &game.start(), &ctx).unwrap();
/// assert_eq!(moves[1].1.value.value(), Some(Wdl::Loss)); // taking two leaves a lost position
/// ```
pub trait Solver<G: Game>: Send {
    /// Proves bounds for `pos`, which are true whatever stopped the search. A search that is stopped answers with what it
    /// proved so far and says so in [`Solution::stopped`].
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed>;

    /// Solves the children of `pos`. The default fails if one of them is not finished; a solver that searches all moves
    /// in parallel may leave some open instead.
    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Failed> {
        let mut list = Vec::new();
        for mv in collect_moves(game, pos) {
            let after = self.solve(game, &game.after(pos, mv), ctx)?;
            match after.stopped {
                Some(stop) => return Err(stop.into()),
                None => list.push((mv, after)),
            }
        }
        Ok(list)
    }

    /// The moves that reach the value and distance of a solved position, where the solver can tell without the values of
    /// all other moves.
    fn reaching(
        &mut self,
        _game: &G,
        _pos: &G::Position,
        _solution: &Solution<G::Move>,
        _ctx: &Ctx,
    ) -> Result<Option<Vec<G::Move>>, Failed> {
        Ok(None)
    }

    /// Returns whether `side` can still get at least `least`, with either side to move.
    fn keeps(&mut self, game: &G, pos: &G::Position, side: Player, least: Wdl, ctx: &Ctx) -> Result<bool, Failed> {
        let solution = self.solve(game, pos, ctx)?;
        match (solution.stopped, solution.value.value()) {
            (Some(stop), _) => Err(stop.into()),
            (None, Some(value)) if game.turn(pos) == side => Ok(value >= least),
            (None, Some(value)) => Ok(value.flip() >= least),
            (None, None) => Err(Stop::Nodes.into()),
        }
    }
}

impl<G: Game, S: Solver<G> + ?Sized> Solver<G> for Box<S> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        (**self).solve(game, pos, ctx)
    }

    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Failed> {
        (**self).each_move(game, pos, ctx)
    }

    fn reaching(
        &mut self,
        game: &G,
        pos: &G::Position,
        solution: &Solution<G::Move>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<G::Move>>, Failed> {
        (**self).reaching(game, pos, solution, ctx)
    }

    fn keeps(&mut self, game: &G, pos: &G::Position, side: Player, least: Wdl, ctx: &Ctx) -> Result<bool, Failed> {
        (**self).keeps(game, pos, side, least, ctx)
    }
}
