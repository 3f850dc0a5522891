//! Positions valued one after the other by one solver, for every kind of game.

use super::game::Erased;
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, Ctx, Evaluate, Family, Solution, Stop, Symmetric};
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

    /// The bounds and the plies alone, without a line of best play: a look-up where the value is known already.
    fn value(&mut self, pos: &str, ctx: &Ctx) -> Result<(Bounds, Option<u32>), Failure> {
        self.judge(pos, ctx).map(|judged| (judged.value, judged.plies))
    }

    /// The same, and the best move where the solver names one: no other move is valued.
    fn best(&mut self, pos: &str, ctx: &Ctx) -> Result<(Bounds, Option<u32>, Option<String>), Failure> {
        self.judge(pos, ctx).map(|judged| (judged.value, judged.plies, judged.line.into_iter().next()))
    }
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
        let pos = self.erased.read(pos)?;
        let solution = match self.solved(&pos, &ctx.share(FOR_VALUE))? {
            Some(solution) if solution.plies == Some(0) => {
                return Ok(Judged { value: solution.value, plies: Some(0), line: Vec::new() });
            }
            Some(solution) => solution,
            None => return Ok(Judged { value: Bounds::UNKNOWN, plies: None, line: Vec::new() }),
        };
        let game = &self.erased.game;
        let proven = solution.value.value().is_some();
        let line = self.erased.principal_variation(&pos, &solution, self.solver.as_mut(), &ctx.without_progress());
        let plies = solution.plies.filter(|_| proven);
        Ok(Judged { value: solution.value, plies, line: game.show_line(&pos, &line).0 })
    }

    fn value(&mut self, pos: &str, ctx: &Ctx) -> Result<(Bounds, Option<u32>), Failure> {
        let pos = self.erased.read(pos)?;
        let Some(solution) = self.solved(&pos, ctx)? else { return Ok((Bounds::UNKNOWN, None)) };
        Ok((solution.value, solution.plies.filter(|_| solution.value.value().is_some())))
    }

    fn best(&mut self, pos: &str, ctx: &Ctx) -> Result<(Bounds, Option<u32>, Option<String>), Failure> {
        let pos = self.erased.read(pos)?;
        let Some(solution) = self.solved(&pos, ctx)? else { return Ok((Bounds::UNKNOWN, None, None)) };
        let proven = solution.value.value().is_some();
        let best = solution.best.filter(|_| proven).map(|mv| self.erased.game.show_move(&pos, mv));
        Ok((solution.value, solution.plies.filter(|_| proven), best))
    }
}

impl<G: Family + Symmetric + Evaluate> Judge<G> {
    /// What the solver proves about a position; nothing if it cannot.
    fn solved(&mut self, pos: &G::Position, ctx: &Ctx) -> Result<Option<Solution<G::Move>>, Failure> {
        let game = &self.erased.game;
        if let Some(outcome) = game.outcome(pos) {
            let value = Bounds::exactly(outcome.seen_by(game.turn(pos)));
            return Ok(Some(Solution { value, plies: Some(0), best: None, nodes: 0, stopped: None }));
        }
        if self.hopeless {
            return Ok(None);
        }
        match self.solver.solve(game, pos, ctx) {
            Ok(solution) if solution.stopped == Some(Stop::Interrupted) => Err(Stop::Interrupted.into()),
            Ok(solution) => Ok(Some(solution)),
            Err(Failed::Stopped(Stop::Interrupted)) => Err(Stop::Interrupted.into()),
            Err(Failed::Stopped(_) | Failed::NoMemory { .. } | Failed::OutOfRange { .. }) => {
                self.hopeless = self.table;
                Ok(None)
            }
            Err(why) => Err(why.into()),
        }
    }
}
