//! `perfect` and `skill`: players behind which a solver stands.

use crate::random::any_move;
use crate::{Agent, Thought, Told};
use agon_core::solver::Solver;
use agon_core::{Ctx, Game, Rng, Solution, Stop, Value, Wdl, moves_again};

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

/// How good a move is for its player, who moves `again` or not: result, then haste or delay; larger is better.
fn preference<M>(after: &Solution<M>, again: bool) -> (Wdl, i64) {
    // What is proven for the player: the least that the most for the opponent leaves.
    let value = after.value.a_move_earlier(again).lo;
    let plies = i64::from(after.plies.unwrap_or(0));
    let haste = match value {
        Wdl::Win => -plies,
        Wdl::Loss => plies,
        Wdl::Draw => 0,
    };
    (value, haste)
}

/// What a move is worth that leads to a position of that solution.
fn proven<M>(after: &Solution<M>, again: bool) -> Option<Value> {
    let plies = after.plies.map(|plies| plies + 1);
    match after.value.value()?.a_move_earlier(again) {
        Wdl::Win => Some(Value::win_in(plies?)),
        Wdl::Draw => Some(Value::DRAW),
        Wdl::Loss => Some(Value::loss_in(plies?)),
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
        let again = |mv: G::Move| moves_again(game, pos, &game.after(pos, mv));
        let best = moves.iter().map(|(mv, after)| preference(after, again(*mv))).max();
        let equal: Vec<_> = moves.iter().filter(|(mv, after)| Some(preference(after, again(*mv))) == best).collect();
        let (mv, after) = self.rng.pick(&equal).expect("an agent is asked only while play goes on");
        Ok(Thought { proven: proven(after, again(*mv)), ..Thought::plain(*mv) })
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
