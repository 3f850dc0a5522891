//! Null-window search, in a form of the game that has tactics.

use super::acyclic::{Reaching, evidence};
use super::{Found, Method, Methods, Purpose, Request};
use crate::NullWindow;
use agon_core::solver::{EachMove, Failed, Solver};
use agon_core::{Acyclic, Ctx, Game, Guide, Player, Solution, Symmetric, Tactics, Value, Wdl};

/// Null-window search first, then `others`. `form` is the same game with positions that are quicker to search, and
/// `place` finds a position of the game in it.
#[must_use]
pub fn tactical<G, F>(form: F, place: fn(&F, &G::Position) -> F::Position, others: Methods<G>) -> Methods<G>
where
    G: Acyclic + Symmetric + Guide,
    F: Tactics<Move = G::Move> + Clone + 'static,
    F::Position: 'static,
    G::Position: 'static,
{
    let first: Box<dyn Method<G>> = Box::new(ByNullWindow { form, place });
    std::iter::once(first).chain(others).collect()
}

struct ByNullWindow<G: Game, F: Game> {
    form: F,
    place: fn(&F, &G::Position) -> F::Position,
}

/// The search with its table, behind the rules of the game.
struct InForm<G: Game, F: Game> {
    form: F,
    place: fn(&F, &G::Position) -> F::Position,
    search: NullWindow,
}

impl<G: Game, F: Tactics<Move = G::Move> + Clone> ByNullWindow<G, F> {
    fn in_form(&self, memory: u64) -> InForm<G, F> {
        InForm { form: self.form.clone(), place: self.place, search: NullWindow::new(memory as usize) }
    }
}

impl<G, F> Method<G> for ByNullWindow<G, F>
where
    G: Acyclic + Symmetric + Guide,
    F: Tactics<Move = G::Move> + Clone + 'static,
    G::Position: 'static,
{
    fn name(&self) -> &'static str {
        "null-window"
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let mut solver = self.in_form(request.memory);
        let mut found = Found::new(solver.solve(game, pos, ctx)?, "null-window");
        if request.evidence {
            found.evidence = evidence(game, pos, &found, &mut solver, ctx);
        }
        found.solver = Some(Box::new(solver));
        Ok(found)
    }

    fn solver(&self, _: &G, _: Purpose, memory: u64) -> Option<Box<dyn Solver<G>>> {
        Some(Box::new(self.in_form(memory)))
    }
}

impl<G: Game, F: Tactics<Move = G::Move>> Solver<G> for InForm<G, F> {
    fn solve(&mut self, _: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        Solver::solve(&mut self.search, &self.form, &(self.place)(&self.form, pos), ctx)
    }

    fn each_move(&mut self, _: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Failed> {
        self.search.each_move(&self.form, &(self.place)(&self.form, pos), ctx)
    }

    fn reaching(
        &mut self,
        _: &G,
        pos: &G::Position,
        solution: &Solution<G::Move>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<G::Move>>, Failed> {
        self.search.reaching(&self.form, &(self.place)(&self.form, pos), solution, ctx)
    }

    fn keeps(&mut self, _: &G, pos: &G::Position, side: Player, least: Wdl, ctx: &Ctx) -> Result<bool, Failed> {
        self.search.keeps(&self.form, &(self.place)(&self.form, pos), side, least, ctx)
    }
}

impl<G: Game, F: Tactics<Move = G::Move>> Reaching<G> for InForm<G, F> {
    fn exact(&mut self, _: &G, pos: &G::Position, ctx: &Ctx) -> Result<Value, Failed> {
        self.search.exact(&self.form, &(self.place)(&self.form, pos), ctx)
    }

    fn move_reaches(&mut self, _: &G, pos: &G::Position, mv: G::Move, bound: Value, ctx: &Ctx) -> Result<bool, Failed> {
        self.search.move_reaches(&self.form, &(self.place)(&self.form, pos), mv, bound, ctx)
    }
}
