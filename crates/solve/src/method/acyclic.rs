//! Methods for games in which every play ends.

use super::{BRUTE, Evidence, Found, Method, Methods, Purpose, Request, STRONG, holders};
use crate::recursion::holds_distances;
use crate::strategy::{ListedStrategy, extract};
use crate::{AlphaBeta, Strong, brute};
use agon_core::solver::{Failed, Solver};
use agon_core::{Acyclic, Ctx, Game, Guide, Ranked, Symmetric, Value, Wdl};

/// All methods for a game in which every play ends: alpha-beta, brute force, and a table of every reachable position.
///
/// ```
/// use agon_core::{Ctx, Game, Wdl};
/// use agon_games::mnk::Mnk;
/// use agon_solve::method::{Request, acyclic};
///
/// let (game, request) = (Mnk::new(3, 3, 3), Request { evidence: true, totals: false, memory: 1 << 24 });
/// let found = acyclic::<Mnk>()[0].solve(&game, &game.start(), &request, &Ctx::default()).unwrap();
/// assert_eq!((found.solution.value.value(), found.by), (Some(Wdl::Draw), "alphabeta"));
/// assert_eq!(found.evidence.unwrap().len(), 2); // a strategy for each side
/// ```
#[must_use]
pub fn acyclic<G: Acyclic + Symmetric + Guide>() -> Methods<G> {
    with_strong(Strong::solve)
}

/// The same for a game with ranks: the table of every reachable position is an array, if it fits.
#[must_use]
pub fn ranked<G: Ranked + Symmetric + Guide>() -> Methods<G> {
    with_strong(Strong::solve_ranked)
}

fn with_strong<G: Acyclic + Symmetric + Guide>(strong: SolveAll<G>) -> Methods<G> {
    vec![Box::new(ByAlphaBeta), Box::new(ByBrute), Box::new(ByStrong(strong))]
}

/// Solves every reachable position.
type SolveAll<G> = fn(&G, &<G as Game>::Position, usize, &Ctx) -> Result<Strong<G>, Failed>;

/// Alpha-beta with a table over positions up to symmetry.
struct ByAlphaBeta;

impl<G: Acyclic + Symmetric + Guide> Method<G> for ByAlphaBeta {
    fn name(&self) -> &'static str {
        "alphabeta"
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        holds_distances(game, pos)?;
        let mut solver = AlphaBeta::new(request.memory as usize);
        let mut found = Found::new(solver.solve(game, pos, ctx), "alphabeta");
        if request.evidence {
            found.evidence = evidence(game, pos, &found, &mut solver, ctx);
        }
        found.solver = Some(Box::new(solver));
        Ok(found)
    }

    fn solver(&self, _: &G, _: Purpose, memory: u64) -> Option<Box<dyn Solver<G>>> {
        Some(Box::new(AlphaBeta::new(memory as usize)))
    }
}

/// A solver that strategies can be taken from.
pub(super) trait Reaching<G: Game> {
    /// The value with its distance.
    fn exact(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Value, Failed>;

    /// Returns whether playing `mv` is worth at least `bound` to the side that plays it.
    fn move_reaches(
        &mut self,
        game: &G,
        pos: &G::Position,
        mv: G::Move,
        bound: Value,
        ctx: &Ctx,
    ) -> Result<bool, Failed>;
}

impl<G: Acyclic + Symmetric + Guide> Reaching<G> for AlphaBeta<G> {
    fn exact(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Value, Failed> {
        Ok(AlphaBeta::exact(self, game, pos, ctx, &mut ctx.meter())?)
    }

    fn move_reaches(
        &mut self,
        game: &G,
        pos: &G::Position,
        mv: G::Move,
        bound: Value,
        ctx: &Ctx,
    ) -> Result<bool, Failed> {
        Ok(AlphaBeta::move_reaches(self, game, pos, mv, bound, ctx, &mut ctx.meter())?)
    }
}

/// A strategy for each side that holds the value, if it is known.
pub(super) fn evidence<G: Acyclic + Symmetric + Guide>(
    game: &G,
    pos: &G::Position,
    found: &Found<G>,
    solver: &mut impl Reaching<G>,
    ctx: &Ctx,
) -> Result<Vec<Evidence<G>>, Failed> {
    let Some(value) = found.solution.value.value() else { return Ok(Vec::new()) };
    let plan = |(side, least)| {
        let moves = extract(game, pos, side, |pos| keeping(game, pos, least, solver, ctx), ctx)?;
        let within = found.solution.plies.filter(|_| least == Wdl::Win);
        Ok(Evidence::Strategy(ListedStrategy { side, least, within, moves }))
    };
    holders(game.turn(pos), value).into_iter().map(plan).collect()
}

/// The most promising move that keeps the value; for a win, a quickest one.
fn keeping<G: Acyclic + Symmetric + Guide>(
    game: &G,
    pos: &G::Position,
    least: Wdl,
    solver: &mut impl Reaching<G>,
    ctx: &Ctx,
) -> Result<G::Move, Failed> {
    let wanted = match least {
        Wdl::Win => solver.exact(game, pos, ctx)?,
        _ => Value::DRAW,
    };
    let mut candidates = Vec::new();
    game.candidates(pos, &mut |mv, order| candidates.push((std::cmp::Reverse(order), mv)));
    candidates.sort_unstable();
    for (_, mv) in candidates {
        if solver.move_reaches(game, pos, mv, wanted, ctx)? {
            return Ok(mv);
        }
    }
    unreachable!("a position that keeps the claim has a move that does")
}

/// Plain exhaustion, to compare the others with.
struct ByBrute;

impl<G: Acyclic + Symmetric + Guide> Method<G> for ByBrute {
    fn name(&self) -> &'static str {
        BRUTE
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        holds_distances(game, pos)?;
        let mut found = Found::new(brute::solve(game, pos, ctx), BRUTE);
        if request.evidence {
            found.evidence = evidence(game, pos, &found, &mut AlphaBeta::new(request.memory as usize), ctx);
        }
        found.solver = Some(Box::new(AlphaBeta::new(request.memory as usize)));
        Ok(found)
    }
}

/// The value of every position that can be reached.
struct ByStrong<G: Acyclic + Symmetric>(SolveAll<G>);

impl<G: Acyclic + Symmetric> Method<G> for ByStrong<G> {
    fn name(&self) -> &'static str {
        STRONG
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let strong = self.0(game, pos, request.memory as usize, ctx)?;
        let mut found = Found::new(strong.solution(pos).expect("the root is reachable"), STRONG);
        found.details.totals = request.totals.then(|| strong.totals());
        if request.evidence {
            let mut values = Vec::new();
            strong.each_class(|pos, _, value| values.push((pos.clone(), value)));
            found.evidence = Ok(vec![Evidence::Values(values)]);
        }
        found.solver = Some(Box::new(strong));
        Ok(found)
    }
}
