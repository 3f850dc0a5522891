//! Impartial games: nim-values, so that sums are solved part by part.

use super::acyclic::{acyclic, evidence};
use super::{Found, Method, Methods, Purpose, Request};
use crate::recursion::holds_distances;
use crate::{AlphaBeta, Nimbers};
use agon_core::solver::{Failed, Solver};
use agon_core::{Acyclic, Ctx, Guide, Impartial, Symmetric};

/// Nim-values, followed by all methods for games in which every play ends.
///
/// ```
/// use agon_core::{Ctx, Family, Game};
/// use agon_games::impartial::Play;
/// use agon_games::impartial::heaps::{Heaps, Nim};
/// use agon_solve::method::{Request, nimbers};
///
/// let game = Play::<Heaps<Nim>>::from_spelling("nim:3+5+7").unwrap().0;
/// let request = Request { evidence: false, totals: false, memory: 1 << 24 };
/// let found = nimbers()[0].solve(&game, &game.start(), &request, &Ctx::default()).unwrap();
/// assert_eq!(found.details.nimber, Some(3 ^ 5 ^ 7));
/// ```
#[must_use]
pub fn nimbers<G: Impartial + Acyclic + Symmetric + Guide>() -> Methods<G> {
    let mut methods: Methods<G> = vec![Box::new(ByNimbers)];
    methods.extend(acyclic());
    methods
}

struct ByNimbers;

impl<G: Impartial + Acyclic + Symmetric + Guide> Method<G> for ByNimbers {
    fn name(&self) -> &'static str {
        "nimbers"
    }

    /// Nim-values are no evidence: a certificate is extracted by alpha-beta.
    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let mut nimbers = Nimbers::new(request.memory as usize / 2);
        let mut found = Found::new(nimbers.solve(game, pos, ctx), "nimbers");
        if found.solution.value.value().is_some() && !game.misere() {
            found.details.nimber = Some(nimbers.nimber(game, pos, ctx)?);
        }
        if found.solution.stopped.is_some() {
            return Ok(found);
        }
        found.details.winning_moves = Some(nimbers.winning_moves(game, pos, ctx)?);
        if request.evidence {
            if let Err(why) = holds_distances(game, pos) {
                found.evidence = Err(why);
                return Ok(found);
            }
            let mut solver = AlphaBeta::new(request.memory as usize);
            let solved = Found::new(solver.solve(game, pos, ctx), "alphabeta");
            found.solution.nodes += solved.solution.nodes;
            found.evidence = match solved.solution.stopped {
                Some(stop) => Err(stop.into()),
                None => evidence(game, pos, &solved, &mut solver, ctx),
            };
            if solved.solution.stopped.is_none() {
                // Nim-values know no distances: the distance, the best moves and the line come from one search.
                (found.solution.plies, found.solution.best) = (solved.solution.plies, solved.solution.best);
                found.solver = Some(Box::new(solver));
            }
        }
        Ok(found)
    }

    fn solver(&self, _: &G, purpose: Purpose, memory: u64) -> Option<Box<dyn Solver<G>>> {
        (purpose == Purpose::Moves).then(|| Box::new(Nimbers::<G>::new(memory as usize)) as Box<dyn Solver<G>>)
    }
}
