//! The players.
//!
//! An [`Agent`] chooses moves. Each works on every game that offers what it needs, and repeats itself
//! exactly for the same seed.
//!
//! | module | player | needs |
//! |---|---|---|
//! | `random` | [`Random`], [`Weighted`]: draw lots | the rules; weights if there are any |
//! | `follow` | [`Follow`]: a strategy | a strategy |
//! | [`perfect`] | [`Perfect`]: proofs, and a search where there is none; or that now and then | a prover |
//! | [`learned`] | [`Learned`]: a table of values found by playing against itself | a small game |
//! | `mc` | [`MonteCarlo`]: plays each move out many times | the rules |
//! | [`mcts`] | [`Mcts`]: a growing tree of playouts | the rules |
//! | [`negamax`] | [`Negamax`]: looks ahead | an evaluation, if it is to be any good |
//!
//! [`tune`] finds out what the features of an evaluation are worth.

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
pub use mcts::Mcts;
pub use negamax::Negamax;
pub use perfect::Perfect;
pub use playout::Playouts;
pub use random::{Random, Weighted};
pub use thought::{Alternative, Score, Thought};

/// Told while a player thinks: what it would do if it had to stop now.
pub type Told<'a, M> = &'a mut dyn FnMut(&Thought<M>);

/// Chooses moves for one side.
pub trait Agent<G: Game>: Send {
    /// A legal move with its reasons; the play is not over. Players that search tell `told` now and then
    /// what they think so far. Stopping is no error for a player that has a move to give.
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
        told: Told<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop>;

    /// A new game begins: from now on play exactly as a player freshly made with that seed.
    fn begin(&mut self, seed: u64);

    /// A legal move; the play is not over.
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
        let mut agent = Follow { strategy: game.strategy("singh-process", "").unwrap(), rng: Rng::new(1) };
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
