//! Positions valued one after the other by one solver, for every kind of game.

use super::game::Erased;
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, Ctx, Evaluate, Family, Stop, Symmetric};
use agon_report::failure::Failure;

/// The share of the time and nodes for the value of a position; the rest is for its line of best play.
const FOR_VALUE: f64 = 0.8;

/// The proven bounds of a position, seen by its mover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The bounds.
    pub value: Bounds,
    /// Plies to the end under best play, where they are known.
    pub plies: Option<u32>,
    /// Best play of both sides, as far as it is proven; empty if the play is over.
    pub line: Vec<String>,
}

/// A solver that is asked about many positions and remembers what it found. It says only what is proven.
///
/// ```
/// use agon_core::{Ctx, Wdl};
/// use agon_registry::Registry;
///
/// let game = Registry::standard().game("tic-tac-toe").unwrap();
/// let mut judge = game.judge().unwrap();
/// let judged = judge.judge("XX./OO./...", &Ctx::default()).unwrap();
/// assert_eq!((judged.value.value(), judged.plies, judged.line), (Some(Wdl::Win), Some(1), vec!["c3".to_string()]));
/// ```
pub trait AnyJudge: Send {
    /// Proves what it can about a position until the context stops. Fails if it is interrupted, or if data are damaged.
    fn judge(&mut self, pos: &str, ctx: &Ctx) -> Result<Judged, Failure>;
}

/// A solver behind text.
struct Judge<G: Family> {
    erased: Erased<G>,
    solver: Box<dyn Solver<G>>,
    /// True if the solver needs a table of all positions before its first answer.
    table: bool,
    /// True if it failed to make that table, so that it is pointless to ask again.
    hopeless: bool,
}

impl<G: Family + Symmetric + Evaluate> Erased<G> {
    /// A solver for many positions.
    pub(super) fn judging(&self) -> Result<Box<dyn AnyJudge>, Failure> {
        let (solver, table) = self.prover().ok_or_else(|| self.not_offered("the value of every position"))?;
        Ok(Box::new(Judge { erased: self.clone(), solver, table, hopeless: false }))
    }
}

impl<G: Family + Symmetric + Evaluate> AnyJudge for Judge<G> {
    fn judge(&mut self, pos: &str, ctx: &Ctx) -> Result<Judged, Failure> {
        let (game, pos) = (&self.erased.game, self.erased.read(pos)?);
        if let Some(outcome) = game.outcome(&pos) {
            let value = Bounds::exactly(outcome.seen_by(game.turn(&pos)));
            return Ok(Judged { value, plies: Some(0), line: Vec::new() });
        }
        let open = Judged { value: Bounds::UNKNOWN, plies: None, line: Vec::new() };
        if self.hopeless {
            return Ok(open);
        }
        let solution = match self.solver.solve(game, &pos, &ctx.share(FOR_VALUE)) {
            Ok(solution) => solution,
            Err(Failed::Stopped(Stop::Interrupted)) => return Err(Stop::Interrupted.into()),
            Err(Failed::Stopped(_) | Failed::NoMemory { .. } | Failed::OutOfRange(_)) => {
                self.hopeless = self.table;
                return Ok(open);
            }
            Err(why) => return Err(why.into()),
        };
        if solution.stopped == Some(Stop::Interrupted) {
            return Err(Stop::Interrupted.into());
        }
        let proven = solution.value.value().is_some();
        let line = self.erased.principal_variation(&pos, &solution, self.solver.as_mut(), &ctx.without_progress());
        let plies = solution.plies.filter(|_| proven);
        Ok(Judged { value: solution.value, plies, line: game.show_line(&pos, &line).0 })
    }
}
