//! A player that follows a strategy.

use crate::random::any_move;
use crate::{Agent, OnThought, Thought};
use agon_core::{Ctx, Game, Rng, Stop, Strategy, collect_moves};

/// Follows a strategy. Where it leaves a choice, or has no answer, the move is random.
///
/// ```
/// use agon_core::{Ctx, Family, Game, Notation, Outcome, Player, Rng};
/// use agon_games::mnk::Mnk;
/// use agon_play::{Agent, Follow};
///
/// let game = Mnk::new(3, 3, 3);
/// let pos = game.parse("XX./OO./...").unwrap();
/// let mut agent = Follow::new(game.strategy("singh-objectives", "").unwrap(), Rng::new(1));
/// let mv = agent.choose(&game, &pos, &Ctx::default()).unwrap();
/// assert_eq!(game.outcome(&game.after(&pos, mv)), Some(Outcome::Win(Player::First)));
/// ```
pub struct Follow<G: Game> {
    /// The rule to follow.
    pub strategy: Box<dyn Strategy<G>>,
    /// Chooses among the strategy's moves.
    pub rng: Rng,
    /// The position after the strategy's own last move.
    pub left: Option<G::Position>,
}

impl<G: Game> Follow<G> {
    /// Follows a strategy, with a seed for its free choices.
    #[must_use]
    pub fn new(strategy: Box<dyn Strategy<G>>, rng: Rng) -> Follow<G> {
        Follow { strategy, rng, left: None }
    }

    /// The strategy's memory of the move that led here from where it left the game.
    fn memory(&self, game: &G, pos: &G::Position) -> u16 {
        if !self.strategy.looks_back() {
            return 0;
        }
        let left = self.left.clone().unwrap_or_else(|| game.start());
        let replies = if game.outcome(&left).is_none() { collect_moves(game, &left) } else { Vec::new() };
        let made = replies.into_iter().find(|&mv| game.after(&left, mv) == *pos);
        made.map_or(0, |mv| self.strategy.remembers(game, &left, mv))
    }
}

impl<G: Game> Agent<G> for Follow<G> {
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        _: &Ctx,
        _: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let choices = self.strategy.choices_knowing(game, pos, self.memory(game, pos));
        let chosen = self.rng.pick(&choices).copied();
        let mv = chosen.unwrap_or_else(|| any_move(game, pos, &mut self.rng));
        self.left = Some(game.after(pos, mv));
        Ok(Thought::plain(mv))
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.left = None;
    }
}
