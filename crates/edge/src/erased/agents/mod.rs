//! Players by name, for every kind of game.
//!
//! | module | holds |
//! |---|---|
//! | `spelling` | `name:param=…,param=…`, read and checked in one place |
//! | `reasons` | what a player thinks, as text |
//! | `clock` | a flag that is raised when the time is over |

mod clock;
mod reasons;
mod spelling;

use super::{AnyAgent, Choice, StrategyRequest};
use crate::failure::Failure;
use agon_core::solver::Solver;
use agon_core::{Ctx, Evaluate, Family, Game, Rng, Strategy};
use agon_play::{Agent, Follow, Mcts, MonteCarlo, Negamax, Perfect, Random, Thought, Weighted};
pub use clock::Alarm;
pub(super) use reasons::choice;
pub use reasons::{Considered, Reasons, Seen};
use spelling::{Given, SEARCHERS};
pub use spelling::{Setting, settings};
use std::time::Duration;

/// Reads a strategy.
type ReadStrategy<'a, G> = dyn Fn(&StrategyRequest) -> Result<Box<dyn Strategy<G>>, Failure> + 'a;

/// A move without a solver, and whether it is proven.
type Otherwise<G> = fn(&G, &<G as Game>::Position, &Ctx) -> (<G as Game>::Move, bool);

/// How to build the players that need more than a game.
pub(super) struct Kit<'a, G: Family> {
    /// Values any position, if there is such a thing.
    pub(super) solver: Option<Box<dyn Solver<G>>>,
    /// Whether it is quick enough for a player that errs now and then.
    pub(super) skill: bool,
    /// Reads a strategy.
    pub(super) strategy: &'a ReadStrategy<'a, G>,
    /// What the family plays without a solver, or when the solver has no answer in time; and whether it is proven.
    pub(super) otherwise: Otherwise<G>,
    /// What went wrong behind the solver, if something did.
    pub(super) trouble: Option<Trouble>,
}

/// Says what went wrong behind a solver: a table that cannot be read.
type Trouble = Box<dyn Fn() -> Option<Failure> + Send>;

/// The names of players that are no strategies.
pub(super) fn names(skill: bool) -> Vec<&'static str> {
    let searchers = SEARCHERS.iter().map(|searcher| searcher.name);
    ["human", "random"].into_iter().chain(searchers).chain(["perfect"]).chain(skill.then_some("skill:P")).collect()
}

/// The player of that name.
pub(super) fn player<G: Family + Evaluate>(
    game: &G,
    request: &StrategyRequest,
    seed: u64,
    kit: Kit<'_, G>,
) -> Result<Box<dyn AnyAgent>, Failure> {
    let rng = Rng::new(seed);
    let spelled = request.name.as_str();
    let (name, text) = spelled.split_once(':').unwrap_or((spelled, ""));
    let bare = |agent: Box<dyn Agent<G>>| (Some(agent), None);
    let (agent, time): (Option<Box<dyn Agent<G>>>, Option<Duration>) = match name {
        "random" if text.is_empty() => bare(Box::new(Random(rng))),
        "perfect" if text.is_empty() => match kit.solver {
            Some(solver) => bare(Box::new(Perfect { solver, skill: 1.0, rng })),
            None => (None, None),
        },
        "skill" if kit.skill => {
            let skill = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
            let wrong = || Failure::Usage(format!("invalid player `{spelled}`: expected skill:0 to skill:1"));
            let (skill, solver) = skill.zip(kit.solver).ok_or_else(wrong)?;
            bare(Box::new(Perfect { solver, skill, rng }))
        }
        _ if SEARCHERS.iter().any(|searcher| searcher.name == name) => {
            let (agent, time) = searcher(game, spelled, seed)?;
            (Some(agent), time)
        }
        _ if game.strategies().iter().any(|s| s.name == name) => {
            bare(Box::new(Follow { strategy: (kit.strategy)(request)?, rng }))
        }
        _ => {
            let strategies = game.strategies().into_iter().map(|s| s.name);
            let known: Vec<&str> = names(kit.skill).into_iter().chain(strategies).collect();
            return Err(Failure::Usage(format!("invalid player `{spelled}`: expected one of {}", known.join(", "))));
        }
    };
    let trouble = kit.trouble.filter(|_| ["perfect", "skill"].contains(&name));
    Ok(Box::new(Speaking { game: game.clone(), agent, time, otherwise: kit.otherwise, trouble }))
}

/// A player, and how long it may think.
pub type Timed<G> = (Box<dyn Agent<G>>, Option<Duration>);

/// A player that searches, plays out or draws lots, by its spelling, and how long it may think.
pub fn searcher<G: Evaluate>(_game: &G, spelled: &str, seed: u64) -> Result<Timed<G>, Failure> {
    let given = Given::read::<G>(spelled)?;
    let rng = Rng::new(seed);
    let agent: Box<dyn Agent<G>> = match given.searcher {
        "weighted" => Box::new(Weighted { weights: given.weights::<G>()?, rng }),
        "mc" => Box::new(MonteCarlo { limits: given.limits("playouts")?, playouts: given.playouts::<G>()?, rng }),
        "mcts" => Box::new(Mcts::new(given.mcts::<G>()?, seed)),
        _ => Box::new(Negamax::new(given.negamax()?)),
    };
    let time = given.time()?;
    Ok((agent, time))
}

/// A player that speaks text.
struct Speaking<G: Family> {
    game: G,
    /// `None` for the family's own search.
    agent: Option<Box<dyn Agent<G>>>,
    time: Option<Duration>,
    otherwise: Otherwise<G>,
    trouble: Option<Trouble>,
}

impl<G: Family> AnyAgent for Speaking<G> {
    fn think(&mut self, pos: &str, ctx: &Ctx, told: &mut dyn FnMut(&Choice)) -> Result<Choice, Failure> {
        let game = &self.game;
        let pos = if pos.trim() == "start" { game.start() } else { game.parse(pos)? };
        let alarm = self.time.map(Alarm::after);
        let timed = alarm.as_ref().map(|alarm| ctx.clone().with_also(alarm.flag()));
        let mut tell = |thought: &Thought<G::Move>| told(&reasons::choice(game, &pos, thought, true));
        let by_search =
            self.agent.as_mut().map(|agent| agent.think(game, &pos, timed.as_ref().unwrap_or(ctx), &mut tell));
        let (thought, proven) = match by_search {
            Some(Ok(thought)) => (thought, true),
            Some(Err(_)) => (Thought::plain((self.otherwise)(game, &pos, ctx).0), false),
            None => {
                let (mv, proven) = (self.otherwise)(game, &pos, ctx);
                (Thought::plain(mv), proven)
            }
        };
        if crate::interrupt::interrupted() {
            ctx.check()?;
        }
        if let Some(failure) = self.trouble.as_ref().and_then(|trouble| trouble()) {
            return Err(failure);
        }
        Ok(reasons::choice(game, &pos, &thought, proven))
    }

    fn begin(&mut self, seed: u64) {
        if let Some(agent) = &mut self.agent {
            agent.begin(seed);
        }
    }
}
