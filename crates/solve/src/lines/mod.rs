//! Games of lines: a maker completes one, a breaker spoils them all.
//!
//! | module | does |
//! |---|---|
//! | [`position`] | forgets what can no longer matter: dead lines, dead cells, symmetry |
//! | [`threats`] | wins of the maker in which every reply is forced |
//! | [`guarded`] | the same where lines avoid cells |
//! | [`pairing`] | wins of the breaker by private pairs of cells |
//! | [`moves`] | the moves worth trying |
//! | [`prover`] | proof-number search over all that |
//! | [`race`] | both sides have lines: forced wins that mind the opponent's own, and the same search over them |
//! | [`race_proof`] | what a certificate of such a win needs to know |
//! | [`depth`] | plain depth-first search over all that, to check the other |
//! | [`evidence`] | what a certificate needs to know |
//! | [`sweep`] | small boards: every position by one pass over an array, without search |
//!
//! Why each step is sound is told in `docs/line-games.md`.

pub mod depth;
pub mod evidence;
pub mod guarded;
pub mod moves;
pub mod pairing;
pub mod position;
pub mod prover;
pub mod race;
pub mod race_proof;
pub mod sweep;
pub mod threats;

use agon_core::solver::{EachMove, Failed, Solver};
use agon_core::{Bounds, Ctx, Guide, Lines, Player, Solution, Wdl, collect_moves};
pub use position::Board;
pub use prover::Prover;
pub use race::Races;

/// One prover for each side that can be a maker; remembers what it found.
pub struct Provers {
    provers: Vec<(Player, Prover)>,
}

impl Provers {
    /// Provers for a game of lines, their tables at most `bytes` together; `None` if it is none.
    #[must_use]
    pub fn new<G: Guide>(game: &G, bytes: usize) -> Option<Provers> {
        let makers: Vec<(Player, Lines)> = Player::BOTH.into_iter().filter_map(|p| Some((p, game.lines(p)?))).collect();
        let share = bytes / makers.len().max(1);
        let provers = makers.iter().map(|(maker, lines)| (*maker, Prover::new(lines, share))).collect();
        (!makers.is_empty()).then_some(Provers { provers })
    }

    /// Positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.provers.iter().map(|(_, prover)| prover.nodes()).sum()
    }

    /// The prover for that maker.
    pub fn prover(&mut self, maker: Player) -> Option<&mut Prover> {
        self.provers.iter_mut().find(|(p, _)| *p == maker).map(|(_, prover)| prover)
    }
}

impl Provers {
    /// What can be proven about `pos`; proves no distances.
    pub fn solve<G: Guide>(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        let mover = game.turn(pos);
        let before = self.nodes();
        let mut found = Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: None };
        for (maker, prover) in &mut self.provers {
            let maker = *maker;
            let root = prover.board().position(game.line_marks(pos, maker), mover == maker);
            let result = prover.maker_wins(&root, ctx).and_then(|wins| {
                let over = game.outcome(pos).is_some();
                let aim = !over && wins == (maker == mover) && (prover.board().rules.decides || !wins);
                let best = if aim { prover.winning_move(&root, ctx)? } else { None };
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

impl<G: Guide> Solver<G> for Provers {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        Ok(self.solve(game, pos, ctx))
    }

    /// In a lost position every move loses. In a won one only the move found is known to win.
    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Failed> {
        let root = self.solve(game, pos, ctx);
        each_from_root(game, pos, &root)
    }
}

/// What the value of a position and a best move say about its moves: all of a lost position lose, and of
/// others one is known.
pub fn each_from_root<G: Guide>(
    game: &G,
    pos: &G::Position,
    root: &Solution<G::Move>,
) -> Result<EachMove<G::Move>, Failed> {
    if let Some(stop) = root.stopped {
        return Err(stop.into());
    }
    let lost = root.value.hi == Wdl::Loss;
    let after = |mv: G::Move| {
        let known = lost || Some(mv) == root.best;
        let value = if known { root.value.flip() } else { Bounds::UNKNOWN };
        (mv, Solution { value, plies: None, best: None, nodes: 0, stopped: None })
    };
    Ok(collect_moves(game, pos).into_iter().map(after).collect())
}

/// What is proven when the maker of these lines can, or cannot, complete one.
#[must_use]
pub fn claim(lines: &Lines, maker_wins: bool) -> Bounds {
    match (maker_wins, lines.decides) {
        (true, true) => Bounds::exactly(Wdl::Win),
        (true, false) => Bounds::UNKNOWN,
        (false, _) => Bounds { lo: Wdl::Loss, hi: lines.spoiled },
    }
}

/// A move of the prover as a move of the game; for the neutral cell, any such cell.
fn as_move<G: Guide>(
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
