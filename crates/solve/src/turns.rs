//! Three ways to the value of a race to complete a line, taken in turns: alpha-beta, which also finds
//! distances; forced wins; and proofs that neither side can complete a line. Each goes on where it was.

use crate::AlphaBeta;
use crate::lines::{Provers, Races, each_from_root};
use agon_core::solver::{EachMove, Solver};
use agon_core::{Acyclic, Bounds, Ctx, Guide, Solution, Stop, Symmetric};

/// Nodes that the values of all moves may take before the value of the position must do.
const EACH_MOVE: u64 = 1 << 21;

/// The three, with what they found so far.
pub struct Turns<G: Acyclic + Symmetric + Guide> {
    /// The whole game, with distances.
    pub alphabeta: AlphaBeta<G>,
    /// One side wins.
    pub races: Races,
    /// Neither side wins.
    pub lines: Provers,
    by: &'static str,
}

impl<G: Acyclic + Symmetric + Guide> Turns<G> {
    /// All three with at most `bytes` together; `None` if the game is no race.
    #[must_use]
    pub fn new(game: &G, bytes: usize) -> Option<Turns<G>> {
        let races = Races::new(game, bytes / 4)?;
        Some(Turns { alphabeta: AlphaBeta::new(bytes / 2), races, lines: Provers::new(game, bytes / 4)?, by: "" })
    }

    /// Which of them found the last value: `alphabeta`, `race` or `lines`.
    #[must_use]
    pub fn by(&self) -> &'static str {
        self.by
    }
}

impl<G: Acyclic + Symmetric + Guide> Solver<G> for Turns<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        let (mut known, mut nodes) = (Bounds::UNKNOWN, 0);
        // A node of alpha-beta is the cheapest by far.
        let (mut cheap, mut race, mut lines) = (1 << 19, 1 << 12, 1 << 13);
        loop {
            for by in ["alphabeta", "race", "lines"] {
                let found = match by {
                    "alphabeta" => self.alphabeta.solve(game, pos, &ctx.slice(cheap)),
                    "race" => self.races.solve(game, pos, &ctx.slice(race)),
                    _ => self.lines.solve(game, pos, &ctx.slice(lines)),
                };
                nodes += found.nodes;
                self.by = by;
                known = known.and(found.value).expect("two proofs contradict each other");
                if found.stopped.is_none() && found.value.value().is_some() {
                    return Solution { nodes, ..found };
                }
                if let Err(stop) = ctx.check() {
                    return Solution { value: known, plies: None, best: None, nodes, stopped: Some(stop) };
                }
            }
            (cheap, race, lines) = (cheap * 2, race * 4, lines * 8);
        }
    }

    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Stop> {
        if let Ok(list) = self.alphabeta.each_move(game, pos, &ctx.slice(EACH_MOVE)) {
            return Ok(list);
        }
        let root = self.solve(game, pos, ctx);
        each_from_root(game, pos, &root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Game, Wdl};
    use agon_games::mnk::Mnk;

    #[test]
    fn each_way_is_taken_where_it_is_the_quickest() {
        // Published: Uiterwijk and van den Herik, "The advantage of the initiative" (2000).
        for ((m, n, k), value, by) in [
            ((3, 3, 3), Wdl::Draw, "alphabeta"),
            ((5, 4, 3), Wdl::Win, "alphabeta"),
            ((7, 6, 4), Wdl::Win, "race"),
            ((7, 7, 4), Wdl::Win, "race"),
            ((7, 7, 5), Wdl::Draw, "lines"),
        ] {
            let game = Mnk::new(m, n, k);
            let mut turns = Turns::new(&game, 1 << 26).unwrap();
            let found = turns.solve(&game, &game.start(), &Ctx::default());
            assert_eq!((found.value, turns.by()), (Bounds::exactly(value), by), "{m},{n},{k}");
            assert!(found.best.is_some());
        }
    }

    #[test]
    fn the_budget_holds_for_all_three_together() {
        let game = Mnk::new(8, 8, 5);
        let budget = Ctx::default().with_budget(30_000);
        let found = Turns::new(&game, 1 << 24).unwrap().solve(&game, &game.start(), &budget);
        assert_eq!(found.stopped, Some(Stop::Budget));
        assert!(found.nodes < 30_000 + 3 * 4096 && found.value == Bounds::UNKNOWN);
    }
}
