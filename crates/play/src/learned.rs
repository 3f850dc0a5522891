//! `learned`: tabular Q-learning from self-play (Watkins 1989).
//!
//! The table holds the expected score of the mover, from 0 to 1, for positions up to symmetry. After each move the
//! value of the position before it is updated by the value of its best move, whichever move was played:
//! `v ← v + α·(½ + γ·(best − ½) − v)`. With γ below 1 fast wins have a higher value than slow ones, and the value of
//! cycling play tends to a draw.

use crate::{Agent, OnThought, Score, Thought};
use agon_core::{Ctx, Game, Rng, Stop, Symmetric, Wdl, collect_moves};
use std::collections::HashMap;
use std::sync::Arc;

/// The learning parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The learning rate α, 0 to 1.
    pub alpha: f64,
    /// The discount factor γ for one move, 0 to 1.
    pub gamma: f64,
    /// The initial exploration rate ε; it falls to a tenth of that.
    pub epsilon: f64,
    /// The ply limit of a game.
    pub most_plies: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { alpha: 0.3, gamma: 0.97, epsilon: 0.5, most_plies: 200 }
    }
}

/// Values of canonical positions, for the side to move.
pub type Values<G> = HashMap<<G as Game>::Position, f32>;

/// The initial value of a position.
const UNKNOWN: f64 = 0.5;

fn score(wdl: Wdl) -> f64 {
    match wdl {
        Wdl::Loss => 0.0,
        Wdl::Draw => 0.5,
        Wdl::Win => 1.0,
    }
}

/// The expected score of the mover at `pos`.
fn expected<G: Symmetric>(game: &G, values: &Values<G>, pos: &G::Position) -> f64 {
    match game.outcome(pos) {
        Some(outcome) => score(outcome.seen_by(game.turn(pos))),
        None => values.get(&game.canonical(pos).0).map_or(UNKNOWN, |&v| f64::from(v)),
    }
}

/// The best moves and their discounted value for the mover.
fn best<G: Symmetric>(game: &G, values: &Values<G>, pos: &G::Position, gamma: f64) -> (Vec<G::Move>, f64) {
    let (mut moves, mut most) = (Vec::new(), f64::NEG_INFINITY);
    for mv in collect_moves(game, pos) {
        let after = game.after(pos, mv);
        // Most games change the mover with every move, and where one does not, the value stays.
        let theirs = expected(game, values, &after);
        let own = if game.turn(&after) == game.turn(pos) { theirs } else { 1.0 - theirs };
        if own > most + 1e-9 {
            (most, moves) = (own, vec![mv]);
        } else if own > most - 1e-9 {
            moves.push(mv);
        }
    }
    (moves, 0.5 + gamma * (most - 0.5))
}

/// A learner by self-play.
pub struct Learner<G: Symmetric> {
    game: G,
    settings: Settings,
    values: Values<G>,
    rng: Rng,
    /// Games played so far.
    pub games: u64,
}

impl<G: Symmetric> Learner<G> {
    /// A learner with an empty table.
    #[must_use]
    pub fn new(game: G, settings: Settings, seed: u64) -> Learner<G> {
        Learner { game, settings, values: HashMap::new(), rng: Rng::new(seed), games: 0 }
    }

    /// Plays `games` more games from `start`, out of `of` in total.
    pub fn learn(&mut self, start: &G::Position, games: u64, of: u64, ctx: &Ctx) -> Result<(), Stop> {
        let mut meter = ctx.meter();
        for _ in 0..games {
            let rest = 1.0 - 0.9 * self.games as f64 / of.max(1) as f64;
            let mut pos = start.clone();
            for _ in 0..self.settings.most_plies {
                if self.game.outcome(&pos).is_some() {
                    break;
                }
                meter.tick()?;
                pos = self.step(&pos, self.settings.epsilon * rest);
            }
            self.games += 1;
        }
        Ok(())
    }

    /// Plays one move and updates the value of the position before it.
    fn step(&mut self, pos: &G::Position, epsilon: f64) -> G::Position {
        let Settings { alpha, gamma, .. } = self.settings;
        let (moves, promised) = best(&self.game, &self.values, pos, gamma);
        let value = self.values.entry(self.game.canonical(pos).0).or_insert(UNKNOWN as f32);
        *value += (alpha * (promised - f64::from(*value))) as f32;
        let all = if self.rng.unit() < epsilon { collect_moves(&self.game, pos) } else { moves };
        let mv = *self.rng.pick(&all).expect("an unfinished position has a move");
        self.game.after(pos, mv)
    }

    /// Sets the value of a position, as a teacher that knows it: the discounted score of its mover.
    pub fn teach(&mut self, pos: &G::Position, wdl: Wdl, plies: u32) {
        let worth = 0.5 + self.settings.gamma.powi(plies as i32) * (score(wdl) - 0.5);
        self.values.insert(self.game.canonical(pos).0, worth as f32);
    }

    /// The table learned so far.
    #[must_use]
    pub fn values(&self) -> &Values<G> {
        &self.values
    }
}

/// Plays greedily by a table of values.
pub struct Learned<G: Symmetric> {
    /// The table.
    pub values: Arc<Values<G>>,
    /// Chooses among equal moves.
    pub rng: Rng,
}

impl<G: Symmetric> Agent<G> for Learned<G> {
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        _: &Ctx,
        _: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let (moves, promised) = best(game, &self.values, pos, 1.0);
        let mv = *self.rng.pick(&moves).expect("an agent is asked only in unfinished positions");
        Ok(Thought { score: Some(Score::Share(promised)), ..Thought::plain(mv) })
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use agon_core::Outcome;
    use agon_core::Player;
    use agon_games::mnk::Mnk;

    #[test]
    fn tic_tac_toe_is_learned() {
        let game = Mnk::new(3, 3, 3);
        let learn = || {
            let mut learner = Learner::new(game.clone(), Settings::default(), 1);
            learner.learn(&game.start(), 8_000, 8_000, &Ctx::default()).unwrap();
            learner
        };
        let learner = learn();
        assert_eq!(learner.values(), learn().values(), "the same seed teaches the same");
        // The start is a draw, and a won position is worth more than a half.
        assert!((expected(&game, learner.values(), &game.start()) - 0.5).abs() < 0.1);
        let values = Arc::new(learner.values().clone());
        let (mut learned, mut random) = (Learned { values, rng: Rng::new(2) }, Random(Rng::new(3)));
        let mut lost = 0;
        for number in 0..200 {
            let mut pos = game.start();
            let side = Player::BOTH[number % 2];
            while game.outcome(&pos).is_none() {
                let mv = if game.turn(&pos) == side {
                    learned.choose(&game, &pos, &Ctx::default())
                } else {
                    random.choose(&game, &pos, &Ctx::default())
                };
                game.play(&mut pos, mv.unwrap());
            }
            lost += u32::from(game.outcome(&pos) == Some(Outcome::Win(side.other())));
        }
        assert!(lost <= 2, "{lost} of 200 lost against chance");
    }
}
