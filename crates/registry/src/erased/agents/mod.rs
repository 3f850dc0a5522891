//! Players by name, for every kind of game.
//!
//! | module | holds |
//! |---|---|
//! | `spelling` | `name:param=…,param=…`, read and checked in one place |
//! | `reasons` | what a player thinks, as text |
//! | `levels` | the players behind `level:1` to `level:5` |

mod levels;
mod reasons;
mod spelling;

use super::game::Erased;
use super::{AnyAgent, Choice, GrownText, StrategyRequest};
use agon_core::{Ctx, Evaluate, Family, Rng, Stop, Symmetric};
use agon_play::perfect::{BySolver, NoProofs, Prover, Search};
use agon_play::{
    Agent, Follow, Mcts, MonteCarlo, Negamax, OnThought, Perfect, Playouts, Random, Thought, Weighted, mcts, negamax,
};
use agon_report::Estimate;
use agon_report::failure::Failure;
use agon_solve::method::Purpose;
pub use levels::Levels;
pub(super) use levels::level;
pub(super) use reasons::choice;
pub use reasons::{Considered, Reasons, SearchScore};
use spelling::{Given, SEARCHERS};
pub use spelling::{Setting, settings};
use std::time::{Duration, Instant};

/// The names of players that are no strategies.
pub(super) fn names(skill: bool) -> Vec<&'static str> {
    let searchers = SEARCHERS.iter().map(|searcher| searcher.name);
    let skill = skill.then_some("skill:P");
    ["human", "random"].into_iter().chain(searchers).chain(["perfect", "level:N"]).chain(skill).collect()
}

/// The player of that name.
pub(super) fn player<G: Family + Symmetric + Evaluate>(
    erased: &Erased<G>,
    request: &StrategyRequest,
    seed: u64,
) -> Result<Box<dyn AnyAgent>, Failure> {
    let (game, quick, rng) = (&erased.game, erased.capabilities.quick, Rng::new(seed));
    let spelled = request.name.as_str();
    let (name, text) = spelled.split_once(':').unwrap_or((spelled, ""));
    if name == "level" && !request.brings_its_own() {
        let level = level(erased, text).ok_or_else(|| spelling::wrong(spelled, "expected level:1 to level:5"))?;
        return player(erased, &StrategyRequest::named(&level), seed);
    }
    let bare = |agent: Box<dyn Agent<G>>| Kind::Other(agent, None);
    let proving = |skill: f64| {
        let prover: Box<dyn Prover<G>> = match erased.solver(Purpose::Moves) {
            Some((solver, table)) => Box::new(BySolver { solver, table }),
            None => Box::new(NoProofs),
        };
        Kind::Perfect(
            Box::new(Perfect::new(prover, search(erased.capabilities.plays_out, u64::MAX, seed), skill, seed)),
            None,
        )
    };
    let kind = match name {
        _ if request.brings_its_own() => bare(Box::new(Follow::new(erased.strategy(request)?.boxed(), rng))),
        "random" if text.is_empty() => bare(Box::new(Random(rng))),
        "perfect" if text.is_empty() => proving(1.0),
        "skill" if quick => {
            let skill = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
            proving(skill.ok_or_else(|| spelling::wrong(spelled, "expected skill:0 to skill:1"))?)
        }
        _ if SEARCHERS.iter().any(|searcher| searcher.name == name) => {
            let (agent, time) = searcher(game, spelled, seed)?;
            Kind::Other(agent, time)
        }
        _ if game.strategies().iter().any(|s| s.name == name) => {
            bare(Box::new(Follow::new(erased.strategy(request)?.boxed(), rng)))
        }
        _ => {
            let strategies = game.strategies().into_iter().map(|s| s.name);
            let known: Vec<&str> = names(quick).into_iter().chain(strategies).collect();
            return Err(spelling::wrong(spelled, &format!("expected one of {}", known.join(", "))));
        }
    };
    Ok(Box::new(Speaking { game: game.clone(), kind }))
}

/// The estimate of an unfinished position by the strongest search of a game. Its table takes at most
/// `memory` bytes.
pub(super) fn estimate<G: Family + Symmetric + Evaluate>(
    erased: &Erased<G>,
    pos: &G::Position,
    memory: u64,
    ctx: &Ctx,
) -> Result<Estimate, Stop> {
    let begun = Instant::now();
    let mut search = search(erased.capabilities.plays_out, memory, 1);
    let thought = search.think(&erased.game, pos, ctx)?;
    Ok(Estimate {
        score: thought.score.map(reasons::search_score),
        mv: erased.game.show_move(pos, thought.mv),
        pv: erased.game.show_line(pos, &thought.pv).0,
        by: search.name(),
        depth: thought.depth,
        nodes: thought.nodes,
        claims: thought.proven.map(reasons::in_words),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// The strongest search of a game, which `perfect` falls back on.
fn search<G: Evaluate>(plays_out: bool, memory: u64, seed: u64) -> Search<G> {
    if plays_out {
        let weights = (!G::WEIGHTS.is_empty()).then(G::default_weights);
        let playouts = Playouts { weights, ..Playouts::default() };
        return Search::Mcts(Box::new(Mcts::new(mcts::Settings { playouts, ..mcts::Settings::default() }, seed)));
    }
    let usual = negamax::Settings::default();
    let memory = usual.memory.min(usize::try_from(memory).unwrap_or(usize::MAX));
    Search::Negamax(Box::new(Negamax::new(negamax::Settings { memory, ..usual })))
}

/// A player, and how long it may think.
pub type Timed<G> = (Box<dyn Agent<G>>, Option<Duration>);

/// A player that searches, plays out or draws lots, by its spelling, and how long it may think.
pub fn searcher<G: Evaluate>(game: &G, spelled: &str, seed: u64) -> Result<Timed<G>, Failure> {
    let given = Given::read(spelled, G::WEIGHTS)?;
    let rng = Rng::new(seed);
    let agent: Box<dyn Agent<G>> = match given.searcher {
        "weighted" => Box::new(Weighted { weights: given.weights()?, rng }),
        "mc" => {
            let (limits, playouts, solver) = (given.limits("playouts")?, given.playouts()?, given.on("solver")?);
            Box::new(MonteCarlo { limits, playouts, solver, rng })
        }
        "mcts" => Box::new(Mcts::new(given.mcts()?, seed)),
        _ => {
            let agent = Negamax::new(given.negamax()?);
            match given.evaluation() {
                None => Box::new(agent),
                Some(name) => {
                    let known: Vec<&str> = G::EVALUATIONS.iter().map(|(name, _)| *name).collect();
                    let list = if known.is_empty() { "no other in this game".to_string() } else { known.join(", ") };
                    let game = game.with_evaluation(name);
                    let game = game.ok_or_else(|| spelling::wrong(spelled, &format!("eval must be {list}")))?;
                    Box::new(Reweighed { game, agent })
                }
            }
        }
    };
    let time = given.time()?;
    Ok((agent, time))
}

/// A player that sees the same game with another evaluation.
struct Reweighed<G> {
    game: G,
    agent: Negamax,
}

impl<G: Evaluate> Agent<G> for Reweighed<G> {
    fn think(
        &mut self,
        _game: &G,
        pos: &G::Position,
        ctx: &Ctx,
        on_thought: OnThought<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Stop> {
        self.agent.think(&self.game, pos, ctx, on_thought)
    }

    fn begin(&mut self, seed: u64) {
        Agent::<G>::begin(&mut self.agent, seed);
    }
}

/// A player, and its time limit if it has one.
enum Kind<G: Evaluate> {
    /// Divides its time between proofs and search, and says which of them a move comes from.
    Perfect(Box<Perfect<G>>, Option<Duration>),
    /// Everybody else.
    Other(Box<dyn Agent<G>>, Option<Duration>),
}

/// A player that speaks text.
struct Speaking<G: Family + Evaluate> {
    game: G,
    kind: Kind<G>,
}

impl<G: Family + Evaluate> AnyAgent for Speaking<G> {
    fn think(&mut self, pos: &str, ctx: &Ctx, on_choice: &mut dyn FnMut(&Choice)) -> Result<Choice, Failure> {
        let game = &self.game;
        let pos = if pos.trim() == "start" { game.start() } else { game.parse(pos)? };
        let mut tell = |thought: &Thought<G::Move>| on_choice(&reasons::choice(game, &pos, thought, None));
        let (thought, proven) = match &mut self.kind {
            Kind::Perfect(perfect, limit) => {
                let part = ctx.budget_share(perfect.share());
                let proving = limit.map_or(part.clone(), |limit| part.within(limit.mul_f64(perfect.share())));
                let chosen = perfect.choose_within(game, &pos, &proving, ctx, &mut tell)?;
                (chosen.thought, chosen.proven)
            }
            Kind::Other(agent, time) => {
                let timed = time.map_or(ctx.clone(), |time| ctx.within(time));
                (agent.think(game, &pos, &timed, &mut tell)?, None)
            }
        };
        if ctx.check() == Err(Stop::Interrupted) {
            return Err(Stop::Interrupted.into());
        }
        Ok(reasons::choice(game, &pos, &thought, proven))
    }

    fn limit(&mut self, time: Duration) {
        if let Kind::Perfect(_, limit) = &mut self.kind {
            *limit = Some(time);
        }
    }

    fn grown(&self, pos: &str, most: usize) -> Result<Vec<GrownText>, Failure> {
        let Kind::Other(agent, _) = &self.kind else { return Ok(Vec::new()) };
        let mut places = Vec::new();
        let mut told = Vec::new();
        for node in agent.grown(most) {
            let (by, place) = match node.by {
                None => (None, self.game.parse(pos)?),
                Some((from, mv)) => {
                    let before: &G::Position = &places[from];
                    (Some((from, self.game.show_move(before, mv))), self.game.after(before, mv))
                }
            };
            let position = self.game.show(&place);
            places.push(place);
            told.push(GrownText { by, position, ply: node.ply, visits: node.visits, share: node.share, cut: node.cut });
        }
        Ok(told)
    }

    fn begin(&mut self, seed: u64) {
        match &mut self.kind {
            Kind::Perfect(perfect, _) => perfect.begin(seed),
            Kind::Other(agent, _) => agent.begin(seed),
        }
    }
}
