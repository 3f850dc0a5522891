//! What a solver offers to those who use one without caring which.

use crate::ctx::{Ctx, Stop};
use crate::game::{Game, collect_moves};
use crate::words::Solution;

/// Every legal move with the solution of the position it leads to, seen by the *next* mover.
pub type EachMove<M> = Vec<(M, Solution<M>)>;

/// Finds the value of positions. May remember what it found.
pub trait Solver<G: Game>: Send {
    /// What can be proven about `pos`.
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move>;

    /// Solves what each move leads to; fails when one of them was not finished.
    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Stop> {
        let mut list = Vec::new();
        for mv in collect_moves(game, pos) {
            let after = self.solve(game, &game.after(pos, mv), ctx);
            match after.stopped {
                Some(stop) => return Err(stop),
                None => list.push((mv, after)),
            }
        }
        Ok(list)
    }
}

impl<G: Game, S: Solver<G> + ?Sized> Solver<G> for Box<S> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        (**self).solve(game, pos, ctx)
    }

    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Stop> {
        (**self).each_move(game, pos, ctx)
    }
}
