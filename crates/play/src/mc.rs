//! `mc`: flat Monte Carlo. Every move gets the same number of playouts, and the best average wins.

use crate::{Agent, Alternative, Limits, OnThought, Playouts, Score, Thought};
use agon_core::{Ctx, Evaluate, Rng, Stop, Value, Wdl, collect_moves};

/// The flat Monte Carlo player.
///
/// ```
/// use agon_core::{Ctx, Game, Notation, Outcome, Player, Rng};
/// use agon_games::mnk::Mnk;
/// use agon_play::{Agent, Limits, MonteCarlo, Playouts};
///
/// let game = Mnk::new(3, 3, 3);
/// let pos = game.parse("XX./OO./...").unwrap();
/// let mut agent = MonteCarlo {
///     limits: Limits { nodes: Some(200), depth: None },
///     playouts: Playouts::default(),
///     solver: true,
///     rng: Rng::new(1),
/// };
/// let mv = agent.choose(&game, &pos, &Ctx::default()).unwrap();
/// assert_eq!(game.outcome(&game.after(&pos, mv)), Some(Outcome::Win(Player::First)));
/// ```
#[derive(Debug)]
pub struct MonteCarlo {
    /// The number of playouts for each move.
    pub limits: Limits,
    /// The settings of playouts.
    pub playouts: Playouts,
    /// True if a move that wins is played without playouts.
    pub solver: bool,
    /// The source of randomness.
    pub rng: Rng,
}

/// Playouts between two checks of the limits.
const PLAYOUTS_PER_CHECK: u64 = 16;

/// A move, its playouts and their points.
struct Tried<M> {
    mv: M,
    points: u64,
    played: u64,
}

impl MonteCarlo {
    /// Runs one more playout of each move, unless the work has to stop.
    fn round<G: Evaluate>(
        &mut self,
        game: &G,
        pos: &G::Position,
        moves: &mut [Tried<G::Move>],
        done: &mut u64,
        ctx: &Ctx,
    ) -> Result<(), Stop> {
        let mover = game.turn(pos);
        for tried in moves {
            let end = self.playouts.run(game, game.after(pos, tried.mv), &mut self.rng);
            tried.points += u64::from(self.playouts.points(end, mover));
            tried.played += 1;
            *done += 1;
            if done.is_multiple_of(PLAYOUTS_PER_CHECK) {
                ctx.count(PLAYOUTS_PER_CHECK);
                ctx.check()?;
            }
        }
        Ok(())
    }
}

impl<G: Evaluate> Agent<G> for MonteCarlo {
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
        _told: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let tried = |mv| Tried { mv, points: 0, played: 0 };
        let mut moves: Vec<_> = collect_moves(game, pos).into_iter().map(tried).collect();
        let mut done = 0;
        let wins = |mv: G::Move| {
            let next = game.after(pos, mv);
            game.outcome(&next).is_some_and(|outcome| outcome.seen_by(game.turn(pos)) == Wdl::Win)
        };
        if let Some(won) = moves.iter().find(|tried| self.solver && wins(tried.mv)) {
            return Ok(Thought { proven: Some(Value::win_in(1)), ..Thought::plain(won.mv) });
        }
        for _ in 0..self.limits.nodes.unwrap_or(u64::MAX).max(1) {
            if self.round(game, pos, &mut moves, &mut done, ctx).is_err() {
                break;
            }
        }
        let share = |tried: &Tried<G::Move>| self.playouts.share(tried.points, tried.played);
        let best = moves.iter().map(share).fold(0.0, f64::max);
        let equal: Vec<_> = moves.iter().filter(|tried| share(tried) >= best).map(|tried| tried.mv).collect();
        let mv = *self.rng.pick(&equal).expect("an agent is asked only in unfinished positions");
        // Numbers from 0 to 1 are ordered like their bits.
        moves.sort_by_cached_key(|tried| std::cmp::Reverse((tried.mv == mv, share(tried).to_bits())));
        let known = |tried: &Tried<G::Move>| Alternative {
            pv: vec![tried.mv],
            score: Score::Share(share(tried)),
            visits: tried.played,
            proven: None,
        };
        Ok(Thought {
            score: Some(Score::Share(best)),
            depth: 1,
            nodes: done,
            alternatives: moves.iter().map(known).collect(),
            ..Thought::plain(mv)
        })
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Game, Notation};
    use agon_games::mnk::Mnk;

    #[test]
    fn it_takes_wins_blocks_and_begins_in_the_middle() {
        let game = Mnk::new(3, 3, 3);
        let playouts = Playouts::default();
        let limits = Limits { nodes: Some(400), depth: None };
        let mut agent = MonteCarlo { limits, playouts, solver: true, rng: Rng::new(5) };
        for (pos, best) in [("XX./OO./...", "c3"), ("X../.OO/..X", "a2"), (".../.../...", "b2")] {
            let pos = game.parse(pos).unwrap();
            let thought = agent.think(&game, &pos, &Ctx::default(), &mut |_| ()).unwrap();
            assert_eq!(game.show_move(&pos, thought.mv), best);
        }
        let again = |seed| {
            agent.rng = Rng::new(seed);
            agent.think(&game, &game.start(), &Ctx::default(), &mut |_| ()).unwrap()
        };
        let mut again = again;
        assert_eq!(again(3), again(3));
    }
}
