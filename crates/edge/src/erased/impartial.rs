//! Impartial games: values come from nim-values, so sums of large games are solved part by part.

use super::acyclic::{Complete, Erased};
use super::{AnyGame, Entry};
use crate::failure::Failure;
use agon_core::solver::Solver;
use agon_core::{Ctx, Game, GameError, Impartial, Solution};
use agon_games::impartial::heaps::{Heaps, Spelling};
use agon_games::impartial::{Named, Play};
use agon_solve::Nimbers;

/// How a game is solved by its parts.
pub(super) struct ByParts<G: Complete> {
    /// A solver for one game.
    pub(super) solver: fn() -> Box<dyn Solver<G>>,
    /// Who wins, and with that known the nim-value (in normal play) and all winning moves.
    pub(super) told: fn(&G, &G::Position, &Ctx) -> Told<G>,
}

impl<G: Complete> Clone for ByParts<G> {
    fn clone(&self) -> ByParts<G> {
        *self
    }
}

impl<G: Complete> Copy for ByParts<G> {}

/// What is told about an impartial position beyond who wins.
pub(super) struct Details<M> {
    pub(super) nimber: Option<u32>,
    pub(super) winning: Vec<M>,
}

type Told<G> = Result<(Solution<<G as Game>::Move>, Option<Details<<G as Game>::Move>>), Failure>;

/// The registry line of an impartial family.
#[must_use]
pub const fn impartial<G: Complete + Impartial>() -> Entry {
    Entry { facts: G::FACTS, build: build::<G> }
}

fn build<G: Complete + Impartial>(given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    Ok(by_parts(Erased::<G>::build(given)?))
}

fn by_parts<G: Complete + Impartial>(game: Erased<G>) -> Box<dyn AnyGame> {
    Box::new(game.by_parts(ByParts { solver: || Box::new(Nimbers::<G>::default()), told }))
}

/// The registry line of a family of games on heaps. They differ in spelling only, and share one type so that
/// everything is compiled for them once.
#[must_use]
pub const fn heaps<S: Spelling>() -> Entry {
    Entry { facts: S::FACTS, build: build_heaps::<S> }
}

fn build_heaps<S: Spelling>(given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    let (rules, params, spelling) = Heaps::<S>::spelled(given)?;
    let game = Play::new(rules.plain(), params.text("play") == "misere");
    Ok(by_parts(Erased::new(game, spelling, const { &S::FACTS })))
}

/// One table of values serves all questions.
fn told<G: Impartial>(game: &G, pos: &G::Position, ctx: &Ctx) -> Told<G> {
    let mut nimbers = Nimbers::default();
    let solution = nimbers.solve(game, pos, ctx);
    if solution.stopped.is_some() {
        return Ok((solution, None));
    }
    let nimber = if game.misere() { None } else { Some(nimbers.nimber(game, pos, ctx)?) };
    let winning = nimbers.winning_moves(game, pos, ctx)?;
    Ok((solution, Some(Details { nimber, winning })))
}
