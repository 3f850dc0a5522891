//! The players.
//!
//! An [`Agent`] chooses moves. Each works on every game that offers what it needs, and repeats itself
//! exactly for the same seed.

mod limits;
pub mod negamax;
mod thought;

use agon_core::solver::Solver;
use agon_core::{Ctx, Game, Rng, Solution, Stop, Strategy, Value, Wdl};
pub use limits::Limits;
pub use negamax::Negamax;
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

fn any_move<G: Game>(game: &G, pos: &G::Position, rng: &mut Rng) -> G::Move {
    game.random_move(pos, rng).expect("an agent is asked only while play goes on")
}

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

/// Plays by a solver: never gives the value away, wins as quickly and loses as slowly as possible. With
/// `skill` below 1 each move is perfect with that probability and random otherwise.
pub struct Perfect<S> {
    /// Where values come from.
    pub solver: S,
    /// The chance that a move is perfect.
    pub skill: f64,
    /// Decides among equals.
    pub rng: Rng,
}

/// How good a move is for its player: result, then haste or delay; larger is better.
fn preference<M>(after: &Solution<M>) -> (Wdl, i64) {
    // What is proven for the player: the least that the most for the opponent leaves.
    let value = after.value.hi.flip();
    let plies = i64::from(after.plies.unwrap_or(0));
    let haste = match value {
        Wdl::Win => -plies,
        Wdl::Loss => plies,
        Wdl::Draw => 0,
    };
    (value, haste)
}

/// What a move is worth that leads to a position of that solution.
fn proven<M>(after: &Solution<M>) -> Option<Value> {
    let plies = after.plies.map(|plies| plies + 1);
    match after.value.value()? {
        Wdl::Win => Some(Value::loss_in(plies?)),
        Wdl::Draw => Some(Value::DRAW),
        Wdl::Loss => Some(Value::win_in(plies?)),
    }
}

impl<G: Game, S: Solver<G>> Agent<G> for Perfect<S> {
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
        _: Told<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        if self.rng.unit() >= self.skill {
            return Ok(Thought::plain(any_move(game, pos, &mut self.rng)));
        }
        let moves = self.solver.each_move(game, pos, ctx)?;
        let best = moves.iter().map(|(_, after)| preference(after)).max();
        let equal: Vec<_> = moves.iter().filter(|(_, after)| Some(preference(after)) == best).collect();
        let (mv, after) = self.rng.pick(&equal).expect("an agent is asked only while play goes on");
        Ok(Thought { proven: proven(after), ..Thought::plain(*mv) })
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Family, Outcome, Player};
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

    fn perfect(skill: f64, seed: u64) -> Perfect<AlphaBeta<Mnk>> {
        Perfect { solver: AlphaBeta::new(1 << 20), skill, rng: Rng::new(seed) }
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
