//! `random` and `weighted`: random moves.

use crate::{Agent, OnThought, Thought};
use agon_core::{Ctx, Evaluate, Game, Rng, Stop};

/// Plays uniformly random moves.
///
/// ```
/// use agon_core::{Ctx, Notation, Rng, collect_moves};
/// use agon_games::mnk::Mnk;
/// use agon_play::{Agent, Random};
///
/// let game = Mnk::new(3, 3, 3);
/// let pos = game.parse("XX./OO./...").unwrap();
/// let mut agent = Random(Rng::new(1));
/// let mv = agent.choose(&game, &pos, &Ctx::default()).unwrap();
/// assert!(collect_moves(&game, &pos).contains(&mv));
/// ```
#[derive(Debug)]
pub struct Random(pub Rng);

impl<G: Game> Agent<G> for Random {
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        _: &Ctx,
        _: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        Ok(Thought::plain(any_move(game, pos, &mut self.0)))
    }

    fn begin(&mut self, seed: u64) {
        self.0 = Rng::new(seed);
    }
}

/// Plays random moves, drawn by the game's weights.
#[derive(Debug)]
pub struct Weighted {
    /// One weight for each class of moves, as [`Evaluate::WEIGHTS`].
    pub weights: Vec<f64>,
    /// The source of randomness.
    pub rng: Rng,
}

impl<G: Evaluate> Agent<G> for Weighted {
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        _: &Ctx,
        _: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let mv = game.weighted_move(pos, &self.weights, &mut self.rng);
        Ok(Thought::plain(mv.expect("an agent is asked only while the game is not over")))
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

pub(crate) fn any_move<G: Game>(game: &G, pos: &G::Position, rng: &mut Rng) -> G::Move {
    game.random_move(pos, rng).expect("an agent is asked only while the game is not over")
}
