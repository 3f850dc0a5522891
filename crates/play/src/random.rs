//! `random` and `weighted`: players that draw lots.

use crate::{Agent, Thought, Told};
use agon_core::{Ctx, Evaluate, Game, Rng, Stop};

/// Every legal move with the same chance.
#[derive(Debug)]
pub struct Random(pub Rng);

impl<G: Game> Agent<G> for Random {
    fn think(&mut self, game: &G, pos: &G::Position, _: &Ctx, _: Told<'_, G::Move>) -> Result<Thought<G::Move>, Stop> {
        Ok(Thought::plain(any_move(game, pos, &mut self.0)))
    }

    fn begin(&mut self, seed: u64) {
        self.0 = Rng::new(seed);
    }
}

/// Random moves, some more likely than others, as the game weights them.
#[derive(Debug)]
pub struct Weighted {
    /// As many as the game has weights.
    pub weights: Vec<f64>,
    /// Draws the lots.
    pub rng: Rng,
}

impl<G: Evaluate> Agent<G> for Weighted {
    fn think(&mut self, game: &G, pos: &G::Position, _: &Ctx, _: Told<'_, G::Move>) -> Result<Thought<G::Move>, Stop> {
        let mv = game.weighted_move(pos, &self.weights, &mut self.rng);
        Ok(Thought::plain(mv.expect("an agent is asked only while play goes on")))
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

pub(crate) fn any_move<G: Game>(game: &G, pos: &G::Position, rng: &mut Rng) -> G::Move {
    game.random_move(pos, rng).expect("an agent is asked only while play goes on")
}
