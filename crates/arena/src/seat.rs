//! Who sits at a table: one of agon's own players, or an engine in a process of its own.

use super::files::Files;
use super::tei::Engine;
use agon_core::Ctx;
use agon_registry::erased::{AnyAgent, AnyGame};
use agon_report::failure::Failure;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How much later than its limit an answer may come.
pub const GRACE: Duration = Duration::from_millis(500);

/// Why a player lost without being beaten.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// In a word or two, for tables: `time`, `crash`, `illegal move`, `flood`, `no start`.
    pub reason: &'static str,
    /// What exactly happened.
    pub note: String,
}

impl Forfeit {
    /// A forfeit with what exactly happened.
    pub fn new(reason: &'static str, note: impl Into<String>) -> Forfeit {
        Forfeit { reason, note: note.into() }
    }
}

/// Why there is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// The player loses.
    Forfeit(Forfeit),
    /// The tournament stops: the game does not count.
    Stopped,
    /// The tournament fails: a file that players rest on is damaged.
    Damaged(String),
}

impl From<Forfeit> for NoMove {
    fn from(forfeit: Forfeit) -> NoMove {
        NoMove::Forfeit(forfeit)
    }
}

/// A move, and for a player that promises proven moves whether this one is proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// The move.
    pub mv: String,
    /// Whether it is proven; `None` where nothing is promised.
    pub proof: Option<bool>,
}

/// The game so far.
pub struct Board<'a> {
    /// Where it began.
    pub from: &'a str,
    /// The moves since.
    pub moves: &'a [String],
    /// Where it stands.
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

/// What an external engine may take for a move when nothing else is said.
pub const ENGINE_TIME: Duration = Duration::from_secs(1);

/// What an own player may take: long enough for those with limits of their own.
pub const OWN_TIME: Duration = Duration::from_secs(10);

impl Seat {
    /// A player by its spelling, made from the files recorded. Own players are made at once, so that a wrong spelling is noticed.
    pub fn new(
        game: &dyn AnyGame,
        (spelling, files): (&str, &Files),
        limit: Option<Duration>,
        start_limit: Duration,
        ctx: &Ctx,
    ) -> Result<Seat, Failure> {
        let kind = match spelling.strip_prefix("tei:") {
            Some(command) => {
                let engine = Engine::new(game, command, limit.unwrap_or(ENGINE_TIME), start_limit, ctx)?;
                Kind::Engine(Box::new(engine))
            }
            None if spelling == "human" => {
                return Err(Failure::Usage("a tournament has no humans".into()));
            }
            None => Kind::Own(Some(files.player(game, spelling, 0)?)),
        };
        let (spelling, files) = (spelling.to_string(), files.clone());
        let ctx = ctx.without_progress().with_threads(1);
        Ok(Seat { spelling, files, kind, ctx, limit: limit.unwrap_or(OWN_TIME) })
    }

    /// A new game begins.
    pub fn begin(&mut self, game: &dyn AnyGame, seed: u64) -> Result<(), NoMove> {
        match &mut self.kind {
            Kind::Own(Some(agent)) => agent.begin(seed),
            Kind::Own(slot) => {
                // The last one crashed: begin anew.
                let agent = self.files.player(game, &self.spelling, seed).map_err(|failure| {
                    Forfeit::new("no start", failure.message().unwrap_or_else(|| "the player cannot be made".into()))
                })?;
                *slot = Some(agent);
            }
            Kind::Engine(engine) => engine.begin()?,
        }
        Ok(())
    }

    /// Its last answer was no legal move.
    pub fn distrust(&mut self) {
        if let Kind::Engine(engine) = &mut self.kind {
            engine.distrust();
        }
    }

    /// The move it chooses; it may still be illegal.
    pub fn choose(&mut self, board: &Board) -> Result<Chosen, NoMove> {
        let agent = match &mut self.kind {
            Kind::Engine(engine) => return engine.choose(board).map(|mv| Chosen { mv, proof: None }),
            Kind::Own(agent) => agent,
        };
        let Some(own) = agent else { return Err(Forfeit::new("crash", "the player is gone").into()) };
        let (ctx, begun) = (self.ctx.with_own_count().within(self.limit), Instant::now());
        own.limit(self.limit);
        let answer = catch_unwind(AssertUnwindSafe(|| own.choose(board.pos, &ctx)));
        match answer {
            _ if self.ctx.check().is_err() => Err(NoMove::Stopped),
            Err(_) => {
                *agent = None;
                Err(Forfeit::new("crash", "the player panicked").into())
            }
            Ok(Err(Failure::Corrupt(why))) => Err(NoMove::Damaged(why)),
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
