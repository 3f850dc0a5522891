//! A player that follows a strategy.

use crate::random::any_move;
use crate::{Agent, OnThought, Thought};
use agon_core::{Ctx, Game, Rng, Stop, Strategy};

/// Follows a strategy. Where it leaves a choice, or has no answer, the move is random.
pub struct Follow<G: Game> {
    /// The rule to follow.
    pub strategy: Box<dyn Strategy<G>>,
    /// Chooses among the strategy's moves.
    pub rng: Rng,
}

impl<G: Game> Agent<G> for Follow<G> {
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        _: &Ctx,
        _: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let chosen = self.rng.pick(&self.strategy.choices(game, pos)).copied();
        Ok(Thought::plain(chosen.unwrap_or_else(|| any_move(game, pos, &mut self.rng))))
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
