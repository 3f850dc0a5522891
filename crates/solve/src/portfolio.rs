//! A portfolio of three searches for the value of a race to complete a line: alpha-beta, which also finds distances;
//! forced wins; and proofs that neither side can complete a line. They take turns, and each continues where it stopped.

use crate::AlphaBeta;
use crate::lines::{Provers, Races};
use crate::move_values::{each_after_root, keeping};
use agon_core::solver::{EachMove, Failed, Solver};
use agon_core::{Acyclic, Bounds, Ctx, Guide, LineGame, Solution, Symmetric};

/// Nodes that the values of all moves may take before the value of the position must do.
const EACH_MOVE: u64 = 1 << 21;

/// One search of a portfolio.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// The whole game, with distances.
    AlphaBeta,
    /// The question if one side wins.
    Race,
    /// The question if neither side wins.
    Lines,
}

impl Search {
    const ALL: [Search; 3] = [Search::AlphaBeta, Search::Race, Search::Lines];

    /// The name of the method.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Search::AlphaBeta => "alphabeta",
            Search::Race => "race",
            Search::Lines => "lines",
        }
    }
}

/// The three, with what they found so far.
///
/// ```
/// use agon_core::{Bounds, Ctx, Game, Wdl};
/// use agon_games::mnk::Mnk;
/// use agon_solve::{Portfolio, portfolio::Search};
///
/// let game = Mnk::new(5, 4, 3);
/// let mut portfolio = Portfolio::new(&game, 1 << 24).unwrap();
/// let solution = portfolio.solve(&game, &game.start(), &Ctx::default());
/// assert_eq!((solution.value, portfolio.by()), (Bounds::exactly(Wdl::Win), Search::AlphaBeta));
/// ```
pub struct Portfolio<G: Acyclic + Symmetric + Guide + LineGame> {
    /// The whole game, with distances.
    pub alphabeta: AlphaBeta<G>,
    /// One side wins.
    pub races: Races,
    /// Neither side wins.
    pub lines: Provers,
    by: Search,
}

impl<G: Acyclic + Symmetric + Guide + LineGame> Portfolio<G> {
    /// All three with at most `bytes` together; `None` if the game is no race.
    #[must_use]
    pub fn new(game: &G, bytes: usize) -> Option<Portfolio<G>> {
        let races = Races::new(game, bytes / 4)?;
        Some(Portfolio {
            alphabeta: AlphaBeta::new(bytes / 2),
            races,
            lines: Provers::new(game, bytes / 4)?,
            by: Search::AlphaBeta,
        })
    }

    /// The method that found the last value.
    #[must_use]
    pub fn by(&self) -> Search {
        self.by
    }
}

impl<G: Acyclic + Symmetric + Guide + LineGame> Portfolio<G> {
    /// The searches in turns, each time with more nodes, until one of them finds the value.
    pub fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        // A node of alpha-beta is the cheapest by far.
        self.in_turns(game, pos, 1 << 19, ctx)
    }

    /// The same for a position after a move: alpha-beta gets few nodes at first where it did not find the value before
    /// the move.
    fn solve_after(&mut self, game: &G, pos: &G::Position, before: Search, ctx: &Ctx) -> Solution<G::Move> {
        self.in_turns(game, pos, if before == Search::AlphaBeta { 1 << 19 } else { 1 << 14 }, ctx)
    }

    fn in_turns(&mut self, game: &G, pos: &G::Position, mut cheap: u64, ctx: &Ctx) -> Solution<G::Move> {
        let (mut known, mut nodes) = (Bounds::UNKNOWN, 0);
        let (mut race, mut lines) = (1 << 12, 1 << 13);
        loop {
            for by in Search::ALL {
                let found = match by {
                    Search::AlphaBeta => self.alphabeta.solve(game, pos, &ctx.sub_budget(cheap)),
                    Search::Race => self.races.solve(game, pos, &ctx.sub_budget(race)),
                    Search::Lines => self.lines.solve(game, pos, &ctx.sub_budget(lines)),
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
}

impl<G: Acyclic + Symmetric + Guide + LineGame> Solver<G> for Portfolio<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        Ok(self.solve(game, pos, ctx))
    }

    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Failed> {
        if let Ok(list) = self.alphabeta.each_move(game, pos, &ctx.sub_budget(EACH_MOVE)) {
            return Ok(list);
        }
        let root = self.solve(game, pos, ctx);
        let by = self.by;
        each_after_root(game, pos, &root, ctx, |after| self.solve_after(game, after, by, ctx))
    }

    fn reaching(
        &mut self,
        game: &G,
        pos: &G::Position,
        solution: &Solution<G::Move>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<G::Move>>, Failed> {
        let by = self.by;
        if by == Search::AlphaBeta && solution.value.value().is_some() {
            return self.alphabeta.reaching(game, pos, solution, ctx);
        }
        keeping(game, pos, solution, |after| self.solve_after(game, after, by, ctx))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Game, Stop, Wdl};
    use agon_games::mnk::Mnk;

    #[test]
    fn each_way_is_taken_where_it_is_the_quickest() {
        // Published: Uiterwijk and van den Herik, "The advantage of the initiative" (2000).
        for ((m, n, k), value, by) in [
            ((3, 3, 3), Wdl::Draw, Search::AlphaBeta),
            ((5, 4, 3), Wdl::Win, Search::AlphaBeta),
            ((7, 6, 4), Wdl::Win, Search::Race),
            ((7, 7, 4), Wdl::Win, Search::Race),
            ((7, 7, 5), Wdl::Draw, Search::Lines),
        ] {
            let game = Mnk::new(m, n, k);
            let mut portfolio = Portfolio::new(&game, 1 << 26).unwrap();
            let found = portfolio.solve(&game, &game.start(), &Ctx::default());
            assert_eq!((found.value, portfolio.by()), (Bounds::exactly(value), by), "{m},{n},{k}");
            assert!(found.best.is_some());
        }
    }

    #[test]
    fn the_budget_holds_for_all_three_together() {
        let game = Mnk::new(8, 8, 5);
        let budget = Ctx::default().with_budget(30_000);
        let found = Portfolio::new(&game, 1 << 24).unwrap().solve(&game, &game.start(), &budget);
        assert_eq!(found.stopped, Some(Stop::Nodes));
        assert!(found.nodes < 30_000 + 3 * 4096 && found.value == Bounds::UNKNOWN);
    }
}
