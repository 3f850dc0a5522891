//! A player at a table: a built-in player, or an external engine in its own process.

use super::engine::{Engine, program};
use super::files::Files;
use agon_core::Ctx;
use agon_registry::erased::{AnyAgent, AnyGame};
use agon_report::failure::Failure;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The delay beyond its time limit that an answer may have.
pub const GRACE: Duration = Duration::from_millis(500);

/// The reason why a player loses by forfeit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// The kind of forfeit, for tables: `time`, `crash`, `illegal move`, `flood`, `no start`.
    pub reason: &'static str,
    /// Details.
    pub note: String,
}

impl Forfeit {
    /// Creates a forfeit.
    pub fn new(reason: &'static str, note: impl Into<String>) -> Forfeit {
        Forfeit { reason, note: note.into() }
    }
}

/// The reason why a player returns no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// The player loses.
    Forfeit(Forfeit),
    /// The tournament is stopped: the game does not count.
    Stopped,
    /// The tournament fails: a file of a player is damaged.
    Damaged(Failure),
}

impl From<Forfeit> for NoMove {
    fn from(forfeit: Forfeit) -> NoMove {
        NoMove::Forfeit(forfeit)
    }
}

/// The move that a player chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// The move.
    pub mv: String,
    /// True if it is proven; `None` if the player does not prove its moves.
    pub proof: Option<bool>,
}

/// The game so far.
pub struct Board<'a> {
    /// The start position.
    pub from: &'a str,
    /// The moves so far.
    pub moves: &'a [String],
    /// The current position.
    pub pos: &'a str,
}

enum Kind {
    Own(Option<Box<dyn AnyAgent>>),
    Engine(Box<Engine>),
}

/// A player at a table.
pub struct Seat {
    spelling: String,
    files: Files,
    kind: Kind,
    ctx: Ctx,
    limit: Duration,
}

/// The default time of an external engine for a move.
pub const ENGINE_TIME: Duration = Duration::from_secs(1);

/// The default time of a built-in player for a move; players with their own limits use less.
pub const OWN_TIME: Duration = Duration::from_secs(10);

impl Seat {
    /// Creates a player from its spelling and the recorded files. Built-in players are created at once, so that a wrong
    /// spelling is refused at the start.
    pub fn new(
        game: &dyn AnyGame,
        (spelling, files): (&str, &Files),
        limit: Option<Duration>,
        start_limit: Duration,
        ctx: &Ctx,
    ) -> Result<Seat, Failure> {
        let kind = match program(spelling) {
            Some(_) => {
                let engine = Engine::new(game, spelling, limit.unwrap_or(ENGINE_TIME), start_limit, ctx)?;
                Kind::Engine(Box::new(engine))
            }
            None if spelling == "human" => {
                return Err(Failure::Usage("invalid player `human`: a tournament needs computer players".into()));
            }
            None => Kind::Own(Some(files.player(game, spelling, 0)?)),
        };
        let (spelling, files) = (spelling.to_string(), files.clone());
        let ctx = ctx.without_progress().with_threads(1);
        Ok(Seat { spelling, files, kind, ctx, limit: limit.unwrap_or(OWN_TIME) })
    }

    /// Starts a new game.
    pub fn begin(&mut self, game: &dyn AnyGame, seed: u64) -> Result<(), NoMove> {
        match &mut self.kind {
            Kind::Own(Some(agent)) => agent.begin(seed),
            Kind::Own(slot) => {
                // The last instance crashed: create a new one.
                let agent = self.files.player(game, &self.spelling, seed).map_err(|failure| {
                    Forfeit::new("no start", failure.message().unwrap_or_else(|| "the player cannot be created".into()))
                })?;
                *slot = Some(agent);
            }
            Kind::Engine(engine) => engine.begin()?,
        }
        Ok(())
    }

    /// Restarts an engine after an illegal move.
    pub fn restart(&mut self) {
        if let Kind::Engine(engine) = &mut self.kind {
            engine.restart();
        }
    }

    /// The move it chooses; it may still be illegal.
    pub fn choose(&mut self, board: &Board) -> Result<Chosen, NoMove> {
        let agent = match &mut self.kind {
            Kind::Engine(engine) => return engine.choose(board).map(|mv| Chosen { mv, proof: None }),
            Kind::Own(agent) => agent,
        };
        let Some(own) = agent else { return Err(Forfeit::new("crash", "the player has ended").into()) };
        let (ctx, begun) = (self.ctx.with_own_count().within(self.limit), Instant::now());
        own.limit(self.limit);
        let answer = catch_unwind(AssertUnwindSafe(|| own.choose(board.pos, &ctx)));
        match answer {
            _ if self.ctx.check().is_err() => Err(NoMove::Stopped),
            Err(_) => {
                *agent = None;
                Err(Forfeit::new("crash", "the player panicked").into())
            }
            Ok(Err(damaged @ Failure::Damaged { .. })) => Err(NoMove::Damaged(damaged)),
            Ok(Err(failure)) => {
                let note = failure.message().unwrap_or_else(|| "no move".into());
                Err(Forfeit::new("crash", note).into())
            }
            Ok(Ok(_)) if begun.elapsed() > self.limit.saturating_add(GRACE) => {
                Err(Forfeit::new("time", format!("a move took {:.1} s", begun.elapsed().as_secs_f64())).into())
            }
            Ok(Ok(choice)) => Ok(Chosen { mv: choice.mv, proof: choice.proof }),
        }
    }
}
