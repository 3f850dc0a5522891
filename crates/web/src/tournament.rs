//! A tournament that pages can watch.

use crate::watch::Watch;
use agon_arena::files::Files;
use agon_arena::game::{Audience, Played};
use agon_arena::plan::{Plan, Slot};
use agon_arena::report::ArenaReport;
use agon_arena::run::Tournament;
use agon_arena::store::{GameResult, Store};
use agon_core::Ctx;
use agon_registry::Registry;
use agon_registry::erased::AnyGame;
use agon_report::failure::Failure;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The context of a tournament: limits, file and listeners.
pub(crate) struct Session<'a> {
    /// Limits, cancellation and progress.
    pub(crate) ctx: &'a Ctx,
    /// The file of all games; it exists already if the tournament was interrupted.
    pub(crate) file: &'a Path,
    /// Receives intermediate standings.
    pub(crate) tell: &'a (dyn Fn(Value) + Sync),
    /// Receives every move for the pages that watch.
    pub(crate) watch: &'a Watch,
    /// A further listener.
    pub(crate) spectator: Option<&'a (dyn Audience + Send)>,
}

/// A round-robin tournament.
#[derive(Clone, Debug)]
pub(crate) struct TournamentSpec {
    /// The game.
    pub(crate) game: String,
    /// The players.
    pub(crate) players: Vec<String>,
    /// The number of games of each pairing, even.
    pub(crate) games: u64,
    /// The number of random plies at the start of each game.
    pub(crate) opening_plies: u32,
    /// The random seed.
    pub(crate) seed: u64,
    /// The time for a move, in seconds.
    pub(crate) seconds: f64,
}

/// The number of games that a page lists.
const LISTED_GAMES: usize = 200;
/// The time between two intermediate standings.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);
/// The length limit of a game, in plies.
const MAX_PLIES: u32 = 1000;
/// The start timeout of an engine, in milliseconds.
const ENGINE_START_MS: u64 = 5000;

/// Plays a tournament, or resumes an interrupted one.
pub(crate) fn tournament(registry: &Registry, spec: &TournamentSpec, session: &Session<'_>) -> Result<Value, Failure> {
    let game = registry.game(&spec.game)?;
    let plan = Plan {
        game: game.spelling().to_string(),
        players: spec.players.clone(),
        gauntlet: false,
        games: spec.games,
        seed: spec.seed,
        from: game.start(),
        opening_plies: spec.opening_plies,
        book: Vec::new(),
        move_time: Some((spec.seconds * 1000.0).ceil() as u64),
        start_time: ENGINE_START_MS,
        most_plies: MAX_PLIES,
        sprt: None,
        files: Files::of(&spec.players)?,
    };
    let mut store = Store::resume(session.file, &plan)?;
    let results = store.results()?;
    let done: std::collections::HashSet<u64> = results.iter().map(|result| result.id).collect();
    let todo = (0..plan.total()).filter(|id| !done.contains(id)).collect();
    let begun = Instant::now();
    let view = LiveView {
        plan: &plan,
        names: plan.names(),
        game: game.as_ref(),
        session,
        begun,
        last_report: Mutex::default(),
    };
    session.ctx.progress("playing", results.len() as u64, Some(plan.total()));
    (session.tell)(view.standing(&results, &store)?);
    let play = Tournament {
        plan: &plan,
        game: game.as_ref(),
        todo,
        results,
        store: Some(&mut store),
        threads: session.ctx.threads(),
        audience: Some(&view),
    };
    let results = play.play(session.ctx)?;
    view.standing(&results, &store)
}

/// Forwards games and standings to the pages.
struct LiveView<'a> {
    plan: &'a Plan,
    names: Vec<String>,
    game: &'a dyn AnyGame,
    session: &'a Session<'a>,
    begun: Instant,
    /// The time of the last intermediate standings.
    last_report: Mutex<Option<Instant>>,
}

impl LiveView<'_> {
    fn standing(&self, results: &[GameResult], store: &Store) -> Result<Value, Failure> {
        let mut report = ArenaReport::new(self.plan, self.game, results);
        report.seconds = self.begun.elapsed().as_secs_f64();
        let mut report = json!(report);
        report["list"] = store.games(LISTED_GAMES)?.into();
        Ok(report)
    }
}

impl Audience for LiveView<'_> {
    fn begins(&self, table: usize, slot: &Slot, from: &str) {
        let players = slot.seats.map(|seat| self.names[seat].as_str());
        self.session.watch.begin(table, slot.id, players, from);
        if let Some(spectator) = self.session.spectator {
            spectator.begins(table, slot, from);
        }
    }

    fn moves(&self, table: usize, mv: &str, proof: Option<bool>) {
        if let Some(spectator) = self.session.spectator {
            spectator.moves(table, mv, proof);
        }
        self.session.watch.moved(table, mv, proof);
    }

    fn ends(&self, table: usize, played: &Played) {
        let who = played.winner.map_or("draw".to_string(), |player| format!("{} wins", self.game.player_name(player)));
        self.session.watch.ended(table, &format!("{who}: {}", played.reason));
    }

    fn stored(&self, results: &[GameResult], store: Option<&Store>) -> Result<(), Failure> {
        let Ok(mut last_report) = self.last_report.lock() else { return Ok(()) };
        if let Some(store) = store.filter(|_| last_report.is_none_or(|last| last.elapsed() >= REPORT_INTERVAL)) {
            (self.session.tell)(self.standing(results, store)?);
            *last_report = Some(Instant::now());
        }
        Ok(())
    }
}
