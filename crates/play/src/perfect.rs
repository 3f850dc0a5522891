//! `perfect` and `skill`: players behind which a prover stands, and behind the prover a search.
//!
//! A move is *proven* when nothing that is left open could make another move better. Where the time does not suffice for
//! that, the strongest search of the game chooses with the time that is left, among the moves that are not proven worse
//! than another.

use crate::random::any_move;
use crate::{Agent, Limits, Mcts, Negamax, Thought, Told};
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, Ctx, Evaluate, Game, Rng, Solution, Stop, Value, Wdl, collect_moves, moves_again};
use std::collections::HashSet;

/// What is proven about one move, for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known<M> {
    /// The move.
    pub mv: M,
    /// What it is worth at least and at most.
    pub value: Bounds,
    /// Plies until the end under best play, the move itself included; for an exact value.
    pub plies: Option<u32>,
}

/// What is proven about the moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proofs<M> {
    /// Every legal move.
    pub moves: Vec<Known<M>>,
    /// What the best of them is worth at most.
    pub at_most: Wdl,
}

/// Proves what it can about the moves of a position before it is stopped.
pub trait Prover<G: Game>: Send {
    /// What is proven about each legal move. The play is not over.
    /// Fails only when something is wrong with what it rests on, not when it was stopped or lacks memory.
    fn prove(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Proofs<G::Move>, Failed>;

    /// Whether a prover that was stopped once has no better chance with the next position, because it needs the same
    /// table for all of them.
    fn all_or_nothing(&self) -> bool {
        false
    }
}

impl<M: Copy + PartialEq> Proofs<M> {
    /// Nothing is known but what ends the play, where the moves are few enough to look.
    pub fn none<G: Game<Move = M>>(game: &G, pos: &G::Position) -> Proofs<M> {
        let (mover, moves) = (game.turn(pos), collect_moves(game, pos));
        let look = moves.len() <= FEW;
        let known = |mv: M| {
            let over = if look { game.outcome(&game.after(pos, mv)) } else { None };
            let over = over.map(|outcome| Bounds::exactly(outcome.seen_by(mover)));
            Known { mv, value: over.unwrap_or(Bounds::UNKNOWN), plies: over.map(|_| 1) }
        };
        Proofs { moves: moves.into_iter().map(known).collect(), at_most: Wdl::Win }
    }

    /// Adds what is proven about many moves, given in the order of the rules.
    pub fn learn_all(&mut self, list: impl Iterator<Item = (M, (Bounds, Option<u32>))>) {
        for (at, (mv, (value, plies))) in list.enumerate() {
            match self.moves.get_mut(at).filter(|known| known.mv == mv) {
                Some(known) => known.learn(value, plies),
                None => self.learn(mv, value, plies),
            }
        }
    }

    /// Adds what is proven about one move.
    pub fn learn(&mut self, mv: M, value: Bounds, plies: Option<u32>) {
        if let Some(known) = self.moves.iter_mut().find(|known| known.mv == mv) {
            known.learn(value, plies);
        }
    }

    /// What the best move is worth at least.
    fn at_least(&self) -> Wdl {
        self.moves.iter().map(|known| known.value.lo).max().unwrap_or(Wdl::Loss)
    }

    /// Whether the value of the best move is known, and so which moves are best.
    #[must_use]
    pub fn decided(&self) -> bool {
        let most = self.moves.iter().map(|known| known.value.hi).max().unwrap_or(Wdl::Loss);
        self.at_least() >= most.min(self.at_most)
    }

    /// Moves that are proven to be worth the most; of wins the quickest, of losses the slowest.
    fn best(&self) -> Vec<Known<M>> {
        let least = self.at_least();
        let best: Vec<_> = self.moves.iter().filter(|known| known.value.lo == least).copied().collect();
        let haste = |known: &Known<M>| match (least, known.plies) {
            (Wdl::Win, Some(plies)) => -i64::from(plies),
            (Wdl::Win, None) => i64::MIN,
            (Wdl::Loss, plies) => plies.map_or(i64::MAX, i64::from),
            (Wdl::Draw, _) => 0,
        };
        let most = best.iter().map(haste).max();
        best.into_iter().filter(|known| Some(haste(known)) == most).collect()
    }

    /// Moves of which no other is proven to be worth more.
    fn not_worse(&self) -> Vec<Known<M>> {
        let least = self.at_least();
        self.moves.iter().filter(|known| known.value.hi >= least).copied().collect()
    }
}

/// So many moves are looked at one by one to see whether they end the play.
const FEW: usize = 1000;

impl<M> Known<M> {
    fn learn(&mut self, value: Bounds, plies: Option<u32>) {
        self.value = self.value.and(value).expect("two proofs contradict each other");
        self.plies = self.plies.or(plies).filter(|_| self.value.value().is_some());
    }
}

/// A prover for games that no solver is for.
pub struct NoProofs;

impl<G: Game> Prover<G> for NoProofs {
    fn prove(&mut self, game: &G, pos: &G::Position, _ctx: &Ctx) -> Result<Proofs<G::Move>, Failed> {
        Ok(Proofs::none(game, pos))
    }
}

/// A prover that asks a solver.
pub struct BySolver<S> {
    /// Where values come from.
    pub solver: S,
    /// Whether the solver needs a table of all positions before its first answer.
    pub table: bool,
}

/// Nodes for the first round of questions; each round has four times as many as the one before.
const FIRST_ROUND: u64 = 1 << 18;

/// What a solution of the position after a move says about the move, whose maker moves `again` or not.
fn of_move<M>(after: &Solution<M>, again: bool) -> (Bounds, Option<u32>) {
    (after.value.to_parent_with(again), after.plies.filter(|_| after.value.value().is_some()).map(|plies| plies + 1))
}

impl<S> BySolver<S> {
    /// Asks about all moves, then about the position, then about the moves one by one, with so many nodes each time.
    fn round<G: Game>(
        &mut self,
        game: &G,
        pos: &G::Position,
        proofs: &mut Proofs<G::Move>,
        nodes: u64,
        ctx: &Ctx,
    ) -> Result<(), Failed>
    where
        S: Solver<G>,
    {
        let again = |mv: G::Move| moves_again(game, pos, &game.after(pos, mv));
        match answered(self.solver.each_move(game, pos, &ctx.sub_budget(nodes)))? {
            Some(list) => proofs.learn_all(list.iter().map(|(mv, after)| (*mv, of_move(after, again(*mv))))),
            // Without its table the solver has no other answer.
            None if self.table => return Ok(()),
            None => {}
        }
        if proofs.decided() || ctx.check().is_err() {
            return Ok(());
        }
        if let Some(root) = answered(self.solver.solve(game, pos, &ctx.sub_budget(nodes)))? {
            proofs.at_most = proofs.at_most.min(root.value.hi);
            if let (Some(best), Some(value)) = (root.best, root.value.value()) {
                proofs.learn(best, Bounds::exactly(value), root.plies);
            }
        }
        let open: Vec<_> = proofs.moves.iter().filter(|known| known.value.value().is_none()).map(|k| k.mv).collect();
        for &mv in &open {
            if proofs.decided() || ctx.check().is_err() {
                return Ok(());
            }
            let share = ctx.sub_budget(nodes / open.len() as u64);
            let after = game.after(pos, mv);
            if let Some(solution) = answered(self.solver.solve(game, &after, &share))? {
                let (value, plies) = of_move(&solution, moves_again(game, pos, &after));
                proofs.learn(mv, value, plies);
            }
        }
        Ok(())
    }
}

/// What a solver answered; nothing where it was stopped or the question was too large for it. Fails where something is
/// wrong with what it rests on.
fn answered<A>(answer: Result<A, Failed>) -> Result<Option<A>, Failed> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Failed::Stopped(_) | Failed::NoMemory { .. } | Failed::OutOfRange(_)) => Ok(None),
        Err(why) => Err(why),
    }
}

impl<G: Game, S: Solver<G>> Prover<G> for BySolver<S> {
    fn prove(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Proofs<G::Move>, Failed> {
        let mut proofs = Proofs::none(game, pos);
        let mut nodes = if self.table { u64::MAX } else { FIRST_ROUND };
        loop {
            self.round(game, pos, &mut proofs, nodes, ctx)?;
            if proofs.decided() || self.table || ctx.check().is_err() {
                return Ok(proofs);
            }
            nodes = nodes.saturating_mul(4);
        }
    }

    fn all_or_nothing(&self) -> bool {
        self.table
    }
}

/// The search that chooses where nothing is proven.
pub enum Search<G: Evaluate> {
    /// Looks ahead.
    Negamax(Box<Negamax>),
    /// Plays out.
    Mcts(Box<Mcts<G>>),
}

/// What a search may do when all the time went into proofs: enough to see what is about to happen.
const LEAST: Limits = Limits { nodes: Some(20_000), depth: None };

impl<G: Evaluate> Search<G> {
    /// The move it chooses among those allowed, of which there is one.
    fn among(
        &mut self,
        game: &G,
        pos: &G::Position,
        allowed: &(dyn Fn(G::Move) -> bool + Sync),
        ctx: &Ctx,
        told: Told<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let late = ctx.check().is_err();
        let limits = if late { LEAST } else { Limits::default() };
        let ctx = if late { Ctx::default() } else { ctx.clone() };
        match self {
            Search::Negamax(negamax) => {
                negamax.limit(limits);
                negamax.think_among(game, pos, allowed, &ctx, told)
            }
            Search::Mcts(mcts) => {
                mcts.limit(limits);
                let mut thought = mcts.think(game, pos, &ctx, told)?;
                let best = thought.alternatives.iter().find(|other| other.pv.first().is_some_and(|&mv| allowed(mv)));
                if let (false, Some(best)) = (allowed(thought.mv), best) {
                    let (pv, score) = (best.pv.clone(), best.score);
                    thought = Thought { mv: pv[0], pv, score: Some(score), proven: None, ..thought };
                }
                Ok(thought)
            }
        }
    }

    fn begin(&mut self, seed: u64) {
        match self {
            Search::Negamax(negamax) => Agent::<G>::begin(negamax.as_mut(), seed),
            Search::Mcts(mcts) => mcts.begin(seed),
        }
    }
}

/// What `perfect` chose.
pub struct Chosen<M> {
    /// The move and its reasons.
    pub thought: Thought<M>,
    /// Whether it is proven to be best; `None` for a move that was drawn by lot.
    pub proven: Option<bool>,
}

/// Plays proven moves, and where there is no proof in time, what a search finds. With `skill` below 1 each move is chosen
/// so with that probability, and is random otherwise.
pub struct Perfect<G: Evaluate> {
    /// Where proofs come from.
    prover: Box<dyn Prover<G>>,
    /// Chooses where there is none.
    search: Search<G>,
    /// The chance that a move is chosen by proof or search.
    skill: f64,
    /// Decides among equals.
    rng: Rng,
    /// How often in a row no proof was found in this game.
    failures: i32,
}

impl<G: Evaluate> Perfect<G> {
    /// A player that proves, and searches where it cannot.
    #[must_use]
    pub fn new(prover: Box<dyn Prover<G>>, search: Search<G>, skill: f64, seed: u64) -> Perfect<G> {
        Perfect { prover, search, skill, rng: Rng::new(seed), failures: 0 }
    }

    /// The share of its time, or of its nodes, that goes into proofs for the next move: a half, and less as long as none
    /// is found.
    #[must_use]
    pub fn share(&self) -> f64 {
        0.5f64.powi(1 + self.failures.min(3))
    }

    /// Chooses a move: `proving` ends before `ctx` does, and leaves the rest to the search.
    pub fn choose_within(
        &mut self,
        game: &G,
        pos: &G::Position,
        proving: &Ctx,
        ctx: &Ctx,
        told: Told<'_, G::Move>,
    ) -> Result<Chosen<G::Move>, Failed> {
        if self.rng.unit() >= self.skill {
            let thought = Thought::plain(any_move(game, pos, &mut self.rng));
            return Ok(Chosen { thought, proven: None });
        }
        let hopeless = self.failures > 0 && self.prover.all_or_nothing();
        let proofs = if hopeless { Proofs::none(game, pos) } else { self.prover.prove(game, pos, proving)? };
        let decided = proofs.decided();
        self.failures = if decided { 0 } else { self.failures.saturating_add(1) };
        let best = if decided { proofs.best() } else { proofs.not_worse() };
        // Among lost moves of unknown length the search finds the one that is hardest to win against.
        let lost = |known: &Known<G::Move>| known.value.hi == Wdl::Loss && known.plies.is_none();
        if decided && !(best.len() > 1 && best.iter().any(lost)) {
            let known = self.rng.pick(&best).expect("an agent is asked only while play goes on");
            let thought = Thought { proven: exact(known), ..Thought::plain(known.mv) };
            return Ok(Chosen { thought, proven: Some(true) });
        }
        let allowed: HashSet<G::Move> = best.iter().map(|known| known.mv).collect();
        let thought = self.search.among(game, pos, &|mv| allowed.contains(&mv), ctx, told)?;
        Ok(Chosen { thought, proven: Some(decided) })
    }
}

/// The value of a move with its distance, where both are proven.
fn exact<M>(known: &Known<M>) -> Option<Value> {
    match known.value.value()? {
        Wdl::Win => Some(Value::win_in(known.plies?)),
        Wdl::Draw => Some(Value::DRAW),
        Wdl::Loss => Some(Value::loss_in(known.plies?)),
    }
}

impl<G: Evaluate> Agent<G> for Perfect<G> {
    fn think(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
        told: Told<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let proving = ctx.budget_share(self.share());
        match self.choose_within(game, pos, &proving, ctx, told) {
            Ok(chosen) => Ok(chosen.thought),
            Err(Failed::Stopped(stop)) => Err(stop),
            Err(_) => self.search.among(game, pos, &|_| true, ctx, told),
        }
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.failures = 0;
        self.search.begin(seed);
    }
}

#[cfg(test)]
mod tests;
