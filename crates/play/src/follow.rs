//! A player that follows a strategy.

use crate::random::any_move;
use crate::{Agent, Thought, Told};
use agon_core::{Ctx, Game, Rng, Stop, Strategy};

/// Follows a strategy; where it leaves a choice, or has no answer, chance decides.
pub struct Follow<G: Game> {
    /// The rule to follow.
    pub strategy: Box<dyn Strategy<G>>,
    /// Decides among its choices.
    pub rng: Rng,
}

impl<G: Game> Agent<G> for Follow<G> {
    fn think(&mut self, game: &G, pos: &G::Position, _: &Ctx, _: Told<'_, G::Move>) -> Result<Thought<G::Move>, Stop> {
        let chosen = self.rng.pick(&self.strategy.choices(game, pos)).copied();
        Ok(Thought::plain(chosen.unwrap_or_else(|| any_move(game, pos, &mut self.rng))))
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
