//! The players.
//!
//! An [`Agent`] chooses moves. Each agent works on every game with the capabilities it needs, and is deterministic for
//! a given seed.
//!
//! | module | player | needs |
//! |---|---|---|
//! | `random` | [`Random`], [`Weighted`]: random moves, uniform or by weight | the rules; weights if there are any |
//! | `follow` | [`Follow`]: a strategy | a strategy |
//! | [`perfect`] | [`Perfect`]: proven moves, and a search where there is no proof; below full skill, also random moves | a prover |
//! | [`learned`] | [`Learned`]: tabular Q-learning from self-play | a small game |
//! | `mc` | [`MonteCarlo`]: flat Monte Carlo | the rules |
//! | [`mcts`] | [`Mcts`]: Monte Carlo tree search (UCT) | the rules |
//! | [`negamax`] | [`Negamax`]: alpha-beta search with iterative deepening | an evaluation, for strength |
//!
//! [`tune`] fits the weights of an evaluation's features.

mod follow;
pub mod learned;
mod limits;
mod mc;
pub mod mcts;
pub mod negamax;
pub mod perfect;
mod playout;
mod random;
mod thought;
pub mod tune;

pub use agon_core::Evaluate;
use agon_core::{Ctx, Game, Stop};
pub use follow::Follow;
pub use learned::{Learned, Learner};
pub use limits::Limits;
pub use mc::MonteCarlo;
pub use mcts::{Grown, Mcts};
pub use negamax::Negamax;
pub use perfect::Perfect;
pub use playout::Playouts;
pub use random::{Random, Weighted};
pub use thought::{Alternative, Score, Thought};

/// A callback that gets the current choice of an agent while it thinks.
pub type OnThought<'a, M> = &'a mut dyn FnMut(&Thought<M>);

/// Chooses moves for one side.
///
/// ```
/// use agon_core::{Ctx, Game, Stop, collect_moves, toy::Pile};
/// use agon_play::{Agent, OnThought, Thought};
///
/// /// Plays the last legal move.
/// struct Last;
///
/// impl<G: Game> Agent<G> for Last {
///     fn think(&mut self, game: &G, pos: &G::Position, _: &Ctx, _: OnThought<'_, G::Move>) -> Result<Thought<G::Move>, Stop> {
///         Ok(Thought::plain(*collect_moves(game, pos).last().expect("the game is not over")))
///     }
///     fn begin(&mut self, _seed: u64) {}
/// }
///
/// let game = Pile::new(5); // a move takes one counter or two
/// assert_eq!(Last.choose(&game, &game.start(), &Ctx::default()), Ok(2));
/// ```
pub trait Agent<G: Game>: Send {
    /// Chooses a legal move and gives its reasons. The game must not be over. Agents that search call `on_thought` with
    /// intermediate results. An agent that is stopped and has a move returns it instead of an error.
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
        on_thought: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop>;

    /// Starts a new game: the agent behaves exactly as a new one with that seed.
    fn begin(&mut self, seed: u64);

    /// The tree of the last thought, at most that many nodes, the root first; empty for agents that grow none.
    fn grown(&self, _most: usize) -> Vec<Grown<G::Move>> {
        Vec::new()
    }

    /// Chooses a legal move. The game must not be over.
    fn choose(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<G::Move, Stop> {
        self.think(game, pos, ctx, &mut |_| ()).map(|thought| thought.mv)
    }
}

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Family, Outcome, Player, Rng};
    use agon_games::mnk::Mnk;
    use agon_solve::AlphaBeta;

    fn game_between(first: &mut dyn Agent<Mnk>, second: &mut dyn Agent<Mnk>) -> Outcome {
        let game = Mnk::new(3, 3, 3);
        let mut pos = game.start();
        while game.outcome(&pos).is_none() {
            let mv = match game.turn(&pos) {
                Player::First => first.choose(&game, &pos, &Ctx::default()),
                Player::Second => second.choose(&game, &pos, &Ctx::default()),
            };
            let mv = mv.unwrap();
            game.play(&mut pos, mv);
        }
        game.outcome(&pos).unwrap()
    }

    fn perfect(skill: f64, seed: u64) -> Perfect<Mnk> {
        let prover = perfect::BySolver { solver: AlphaBeta::new(1 << 20), table: false };
        let search = perfect::Search::Negamax(Box::new(Negamax::new(negamax::Settings::default())));
        Perfect::new(Box::new(prover), search, skill, seed)
    }

    #[test]
    fn the_perfect_player_never_loses() {
        let (mut perfect, mut random) = (perfect(1.0, 1), Random(Rng::new(2)));
        for _ in 0..50 {
            assert_ne!(game_between(&mut perfect, &mut random), Outcome::Win(Player::Second));
            assert_ne!(game_between(&mut random, &mut perfect), Outcome::Win(Player::First));
        }
    }

    #[test]
    fn less_skill_loses_sometimes() {
        let (mut weak, mut strong) = (perfect(0.3, 3), perfect(1.0, 4));
        let lost = (0..50).filter(|_| game_between(&mut weak, &mut strong) == Outcome::Win(Player::Second)).count();
        assert!(lost > 5, "{lost}");
    }

    #[test]
    fn a_strategy_plays_its_own_choices() {
        let game = Mnk::new(3, 3, 3);
        let mut agent = Follow::new(game.strategy("singh-process", "").unwrap(), Rng::new(1));
        assert_eq!(agent.choose(&game, &game.start(), &Ctx::default()), Ok(4));
    }

    #[test]
    fn random_play_wins_as_often_as_it_should() {
        // First wins 58.5 % of uniformly random games (737/1260, by exact summation over the tree).
        let game = Mnk::new(3, 3, 3);
        let mut rng = Rng::new(5);
        let wins = (0..20_000).filter(|_| game.playout(game.start(), &mut rng) == Outcome::Win(Player::First)).count();
        assert!((11_400..12_000).contains(&wins), "{wins}");
    }
}
