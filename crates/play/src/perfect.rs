//! `perfect` and `skill`: agents that play proven moves, and fall back on a search.
//!
//! A move is *proven* best when no open question could make another move better. Without a proof within the time limit,
//! the strongest search of the game chooses, in the remaining time, among the moves that are not proven worse than
//! another.

use crate::random::any_move;
use crate::{Agent, Limits, Mcts, Negamax, OnThought, Thought};
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, Ctx, Evaluate, Game, Rng, Solution, Stop, Value, Wdl, collect_moves, moves_again};
use std::collections::HashSet;

/// The proven bounds of one move, for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known<M> {
    /// The move.
    pub mv: M,
    /// The bounds of its value.
    pub value: Bounds,
    /// Plies until the end under best play, the move itself included; for an exact value.
    pub plies: Option<u32>,
}

/// The proven bounds of all moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proofs<M> {
    /// Every legal move.
    pub moves: Vec<Known<M>>,
    /// An upper bound of the best move's value.
    pub at_most: Wdl,
}

/// Proves bounds for the moves of a position until it is stopped.
///
/// ```
/// use agon_core::solver::Failed;
/// use agon_core::{Ctx, Game, Wdl, toy::Pile};
/// use agon_play::perfect::{Proofs, Prover};
///
/// /// Proves only that a move ends the game.
/// struct OnePly;
///
/// impl<G: Game> Prover<G> for OnePly {
///     fn prove(&mut self, game: &G, pos: &G::Position, _ctx: &Ctx) -> Result<Proofs<G::Move>, Failed> {
///         Ok(Proofs::none(game, pos))
///     }
/// }
///
/// let game = Pile::new(2); // the side that takes the last counter wins
/// let proofs = OnePly.prove(&game, &game.start(), &Ctx::default()).unwrap();
/// let wins: Vec<u8> = proofs.moves.iter().filter(|known| known.value.value() == Some(Wdl::Win)).map(|known| known.mv).collect();
/// assert_eq!(wins, [2]);
/// ```
pub trait Prover<G: Game>: Send {
    /// Proves bounds for each legal move. The game must not be over. It fails only when its data are damaged, not when
    /// it is stopped or lacks memory.
    fn prove(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Proofs<G::Move>, Failed>;

    /// Returns whether the prover needs one table for all positions, so that it is pointless to ask again after it was
    /// stopped once.
    fn all_or_nothing(&self) -> bool {
        false
    }
}

impl<M: Copy + PartialEq> Proofs<M> {
    /// Bounds without search: only moves that end the game are known, and those only if there are at
    /// most 1000 moves.
    pub fn none<G: Game<Move = M>>(game: &G, pos: &G::Position) -> Proofs<M> {
        let (mover, moves) = (game.turn(pos), collect_moves(game, pos));
        let expand = moves.len() <= MAX_EXPANDED_MOVES;
        let known = |mv: M| {
            let over = if expand { game.outcome(&game.after(pos, mv)) } else { None };
            let over = over.map(|outcome| Bounds::exactly(outcome.seen_by(mover)));
            Known { mv, value: over.unwrap_or(Bounds::UNKNOWN), plies: over.map(|_| 1) }
        };
        Proofs { moves: moves.into_iter().map(known).collect(), at_most: Wdl::Win }
    }

    /// Adds proven bounds of many moves, in the order of [`Game::moves`].
    pub fn learn_all(&mut self, list: impl Iterator<Item = (M, (Bounds, Option<u32>))>) {
        for (at, (mv, (value, plies))) in list.enumerate() {
            match self.moves.get_mut(at).filter(|known| known.mv == mv) {
                Some(known) => known.learn(value, plies),
                None => self.learn(mv, value, plies),
            }
        }
    }

    /// Adds proven bounds of one move.
    pub fn learn(&mut self, mv: M, value: Bounds, plies: Option<u32>) {
        if let Some(known) = self.moves.iter_mut().find(|known| known.mv == mv) {
            known.learn(value, plies);
        }
    }

    /// A lower bound of the best move's value.
    fn at_least(&self) -> Wdl {
        self.moves.iter().map(|known| known.value.lo).max().unwrap_or(Wdl::Loss)
    }

    /// Returns whether the value of the best move is known, and so which moves are best.
    #[must_use]
    pub fn decided(&self) -> bool {
        let most = self.moves.iter().map(|known| known.value.hi).max().unwrap_or(Wdl::Loss);
        self.at_least() >= most.min(self.at_most)
    }

    /// The moves of the best proven value; of wins the fastest, of losses the slowest.
    fn best(&self) -> Vec<Known<M>> {
        let least = self.at_least();
        let best: Vec<_> = self.moves.iter().filter(|known| known.value.lo == least).copied().collect();
        let preference = |known: &Known<M>| match (least, known.plies) {
            (Wdl::Win, Some(plies)) => -i64::from(plies),
            (Wdl::Win, None) => i64::MIN,
            (Wdl::Loss, plies) => plies.map_or(i64::MAX, i64::from),
            (Wdl::Draw, _) => 0,
        };
        let highest = best.iter().map(preference).max();
        best.into_iter().filter(|known| Some(preference(known)) == highest).collect()
    }

    /// The moves that are not proven worse than another.
    fn not_worse(&self) -> Vec<Known<M>> {
        let least = self.at_least();
        self.moves.iter().filter(|known| known.value.hi >= least).copied().collect()
    }
}

/// The most moves that [`Proofs::none`] plays to see whether they end the game.
const MAX_EXPANDED_MOVES: usize = 1000;

impl<M> Known<M> {
    fn learn(&mut self, value: Bounds, plies: Option<u32>) {
        self.value = self.value.and(value).expect("two proofs contradict each other");
        self.plies = self.plies.or(plies).filter(|_| self.value.value().is_some());
    }
}

/// A prover for games without a solver.
pub struct NoProofs;

impl<G: Game> Prover<G> for NoProofs {
    fn prove(&mut self, game: &G, pos: &G::Position, _ctx: &Ctx) -> Result<Proofs<G::Move>, Failed> {
        Ok(Proofs::none(game, pos))
    }
}

/// A prover that calls a solver.
pub struct BySolver<S> {
    /// The solver.
    pub solver: S,
    /// True if the solver needs a table of all positions before its first answer.
    pub table: bool,
}

/// The node limit of the first round; each round has four times the limit of the one before.
const FIRST_ROUND: u64 = 1 << 18;

/// The bounds of a move, from the solution of the child. `again` says that the same side moves in the child.
fn of_move<M>(after: &Solution<M>, again: bool) -> (Bounds, Option<u32>) {
    (after.value.to_parent_with(again), after.plies.filter(|_| after.value.value().is_some()).map(|plies| plies + 1))
}

impl<S> BySolver<S> {
    /// Solves all moves together, then the position, then the moves one by one, each with a limit of `nodes`.
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

/// The answer of a solver; `None` if it was stopped or the position is too large for it. Fails if its data are damaged.
fn answered<A>(answer: Result<A, Failed>) -> Result<Option<A>, Failed> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Failed::Stopped(_) | Failed::NoMemory { .. } | Failed::OutOfRange { .. }) => Ok(None),
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
    /// Alpha-beta search.
    Negamax(Box<Negamax>),
    /// Monte Carlo tree search.
    Mcts(Box<Mcts<G>>),
}

/// The limits of a search when all the time went into proofs: enough to see immediate threats.
const MIN_SEARCH: Limits = Limits { nodes: Some(20_000), depth: None };

impl<G: Evaluate> Search<G> {
    /// The name of the player that searches like this.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Search::Negamax(_) => "negamax",
            Search::Mcts(_) => "mcts",
        }
    }

    /// Chooses among all moves. The game must not be over.
    pub fn think(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Thought<G::Move>, Stop> {
        self.among(game, pos, &|_| true, ctx, &mut |_| ())
    }

    /// Chooses among the allowed moves, of which there is at least one.
    fn among(
        &mut self,
        game: &G,
        pos: &G::Position,
        allowed: &(dyn Fn(G::Move) -> bool + Sync),
        ctx: &Ctx,
        on_thought: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let late = ctx.check().is_err();
        let limits = if late { MIN_SEARCH } else { Limits::default() };
        let ctx = if late { Ctx::default() } else { ctx.clone() };
        match self {
            Search::Negamax(negamax) => {
                negamax.limit(limits);
                negamax.think_among(game, pos, allowed, &ctx, on_thought)
            }
            Search::Mcts(mcts) => {
                mcts.limit(limits);
                let mut thought = mcts.think(game, pos, &ctx, on_thought)?;
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

/// The choice of `perfect`.
pub struct Chosen<M> {
    /// The move and its reasons.
    pub thought: Thought<M>,
    /// True if the move is proven best; `None` for a random move.
    pub proven: Option<bool>,
}

/// Plays proven moves and, without a proof within the time limit, the move of a search. Each move is chosen that way
/// with probability `skill`, and is random otherwise.
///
/// ```
/// use agon_core::{Ctx, Game, Notation};
/// use agon_games::mnk::Mnk;
/// use agon_play::perfect::{BySolver, Search};
/// use agon_play::{Agent, Negamax, Perfect, negamax::Settings};
/// use agon_solve::AlphaBeta;
///
/// let game = Mnk::new(3, 3, 3);
/// let search = Search::Negamax(Box::new(Negamax::new(Settings { memory: 1 << 20, ..Settings::default() })));
/// let prover = BySolver { solver: AlphaBeta::new(1 << 20), table: false };
/// let mut agent = Perfect::new(Box::new(prover), search, 1.0, 1);
/// let pos = game.parse("X../.O./..X").unwrap();
/// let mv = agent.choose(&game, &pos, &Ctx::default()).unwrap();
/// assert!(["b1", "b3", "a2", "c2"].contains(&game.show_move(&pos, mv).as_str())); // a corner would lose
/// ```
pub struct Perfect<G: Evaluate> {
    /// The prover.
    prover: Box<dyn Prover<G>>,
    /// The search that chooses without a proof.
    search: Search<G>,
    /// The probability that a move is chosen by proof or search, 0 to 1.
    skill: f64,
    /// Chooses among equal moves.
    rng: Rng,
    /// The number of consecutive moves without a proof in this game.
    failures: i32,
}

impl<G: Evaluate> Perfect<G> {
    /// An agent with a prover and a search.
    #[must_use]
    pub fn new(prover: Box<dyn Prover<G>>, search: Search<G>, skill: f64, seed: u64) -> Perfect<G> {
        Perfect { prover, search, skill, rng: Rng::new(seed), failures: 0 }
    }

    /// The share of time or nodes for proofs at the next move: 1/2, and less after failures, down to 1/16.
    #[must_use]
    pub fn share(&self) -> f64 {
        0.5f64.powi(1 + self.failures.min(3))
    }

    /// Chooses a move. `proving` limits the prover and ends before `ctx`, which limits the search.
    pub fn choose_within(
        &mut self,
        game: &G,
        pos: &G::Position,
        proving: &Ctx,
        ctx: &Ctx,
        on_thought: OnThought<'_, G::Move>,
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
        // Among lost moves of unknown distance, the search finds the most stubborn one.
        let lost = |known: &Known<G::Move>| known.value.hi == Wdl::Loss && known.plies.is_none();
        if decided && !(best.len() > 1 && best.iter().any(lost)) {
            let known = self.rng.pick(&best).expect("an agent is asked only while the game is not over");
            let thought = Thought { proven: exact(known), ..Thought::plain(known.mv) };
            return Ok(Chosen { thought, proven: Some(true) });
        }
        let allowed: HashSet<G::Move> = best.iter().map(|known| known.mv).collect();
        let thought = self.search.among(game, pos, &|mv| allowed.contains(&mv), ctx, on_thought)?;
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
        on_thought: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        let proving = ctx.budget_share(self.share());
        match self.choose_within(game, pos, &proving, ctx, on_thought) {
            Ok(chosen) => Ok(chosen.thought),
            Err(Failed::Stopped(stop)) => Err(stop),
            Err(_) => self.search.among(game, pos, &|_| true, ctx, on_thought),
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
