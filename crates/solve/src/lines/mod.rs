//! Line games, as maker-breaker games: the maker wants to complete a line, the breaker to spoil them all.
//!
//! | module | does |
//! |---|---|
//! | [`position`] | reduced positions: without dead lines and dead cells, up to symmetry |
//! | [`threats`] | threat-space search: wins of the maker in which every reply is forced |
//! | [`guarded`] | threat-space search where lines avoid cells |
//! | [`pairing`] | pairing strategies of the breaker |
//! | [`moves`] | move generation without dominated moves |
//! | `prover` | depth-first proof-number search (df-pn) |
//! | [`decomposition`] | wins that follow from a smaller game inside the board |
//! | [`relaxation`] | spoiled lines of which the cells they avoid are forgotten |
//! | [`portfolio`] | these three in turns |
//! | [`race`] | games in which both sides have lines, by the same search |
//! | [`race_proof`] | evidence of a win in a race, for a certificate |
//! | [`depth`] | depth-first search, as an independent check of `prover` |
//! | [`evidence`] | evidence of a result, for a certificate |
//! | [`sweep`] | small boards: every position by one pass over an array, without search |
//!
//! `docs/line-games.md` proves that each step is sound.

pub mod decomposition;
pub mod depth;
pub mod evidence;
pub mod guarded;
pub mod moves;
pub mod pairing;
pub mod portfolio;
pub mod position;
mod prover;
pub mod race;
pub mod race_proof;
pub mod relaxation;
pub mod sweep;
pub mod threats;

use crate::move_values::{each_after_root, keeping};
use agon_core::solver::{EachMove, Failed, Solver};
use agon_core::{Bounds, Ctx, LineGame, Lines, Player, Solution, Symmetric, Wdl};
pub use decomposition::Decomposition;
pub use portfolio::LinePortfolio;
pub use position::Board;
pub use prover::Prover;
pub use race::Races;
pub use relaxation::Relaxation;

/// A prover for each side that can be the maker. It keeps its transposition tables between calls.
pub struct Provers {
    provers: Vec<(Player, Prover)>,
}

impl Provers {
    /// Provers for a line game, with tables of at most `bytes` together; `None` if the game has no lines.
    #[must_use]
    pub fn new<G: LineGame>(game: &G, bytes: usize) -> Option<Provers> {
        let makers: Vec<(Player, Lines)> = Player::BOTH.into_iter().filter_map(|p| Some((p, game.lines(p)?))).collect();
        let share = bytes / makers.len().max(1);
        let provers = makers.iter().map(|(maker, lines)| (*maker, Prover::new(lines, share))).collect();
        (!makers.is_empty()).then_some(Provers { provers })
    }

    /// The number of positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.provers.iter().map(|(_, prover)| prover.nodes()).sum()
    }

    /// The prover of one maker.
    pub fn prover(&mut self, maker: Player) -> Option<&mut Prover> {
        self.provers.iter_mut().find(|(p, _)| *p == maker).map(|(_, prover)| prover)
    }
}

impl Provers {
    /// Proves bounds for `pos`, without distances.
    pub fn solve<G: LineGame>(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        let mover = game.turn(pos);
        let before = self.nodes();
        let mut found = Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: None };
        for (maker, prover) in &mut self.provers {
            let maker = *maker;
            let root = prover.board().position(game.line_marks(pos, maker), mover == maker);
            let result = prover.maker_wins(&root, ctx).and_then(|wins| {
                let over = game.outcome(pos).is_some();
                let wants_move = !over && wins == (maker == mover) && (prover.board().rules.decides || !wins);
                let best = if wants_move { prover.winning_move(&root, ctx)? } else { None };
                Ok((wins, best))
            });
            match result {
                Ok((wins, best)) => {
                    let bounds = claim(&prover.board().rules, wins);
                    let bounds = if maker == mover { bounds } else { bounds.flip() };
                    found.value = found.value.and(bounds).expect("two proofs contradict each other");
                    found.best = found.best.or(best.and_then(|mv| as_move(game, pos, maker, prover.board(), mv)));
                }
                Err(stop) => found.stopped = Some(stop),
            }
        }
        Solution { nodes: self.nodes() - before, ..found }
    }
}

impl<G: LineGame + Symmetric> Solver<G> for Provers {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        Ok(self.solve(game, pos, ctx))
    }

    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Failed> {
        let root = self.solve(game, pos, ctx);
        each_after_root(game, pos, &root, ctx, |after| self.solve(game, after, ctx))
    }

    fn reaching(
        &mut self,
        game: &G,
        pos: &G::Position,
        solution: &Solution<G::Move>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<G::Move>>, Failed> {
        keeping(game, pos, solution, |after| self.solve(game, after, ctx))
    }
}

/// The bounds for the maker that follow when it completes, or cannot complete, a line.
#[must_use]
pub fn claim(lines: &Lines, maker_wins: bool) -> Bounds {
    match (maker_wins, lines.decides) {
        (true, true) => Bounds::exactly(Wdl::Win),
        (true, false) => Bounds::UNKNOWN,
        (false, _) => Bounds { lo: Wdl::Loss, hi: lines.spoiled },
    }
}

/// Converts a move of the prover into a move of the game; the neutral cell becomes any such cell.
fn as_move<G: LineGame>(
    game: &G,
    pos: &G::Position,
    maker: Player,
    board: &Board,
    (cell, mark): (Option<usize>, usize),
) -> Option<G::Move> {
    let cell = cell.or_else(|| board.neutral_cell(game.line_marks(pos, maker)))?;
    game.line_move(pos, maker, cell, mark)
        .or_else(|| (0..board.rules.marks).find_map(|mark| game.line_move(pos, maker, cell, mark)))
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod portfolio_tests;
