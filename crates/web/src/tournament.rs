//! A tournament that a page looks on at.

use crate::watch::Watch;
use agon_arena::files::Files;
use agon_arena::plan::{Plan, Slot};
use agon_arena::report::ArenaReport;
use agon_arena::run::Tournament;
use agon_arena::store::{GameResult, Store};
use agon_arena::table::{Audience, Played};
use agon_core::Ctx;
use agon_registry::Registry;
use agon_registry::erased::AnyGame;
use agon_report::failure::Failure;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Where a tournament is played, and who looks on.
pub(crate) struct Stage<'a> {
    /// When to stop, and whom to tell how far it is.
    pub(crate) ctx: &'a Ctx,
    /// The file of every game; it is there already when the tournament was cut off.
    pub(crate) file: &'a Path,
    /// Told now and then how it stands.
    pub(crate) tell: &'a (dyn Fn(Value) + Sync),
    /// Shown every game while it is played.
    pub(crate) watch: &'a Watch,
    /// Looks on besides.
    pub(crate) spectator: Option<&'a (dyn Audience + Send)>,
}

/// A tournament: everybody meets everybody.
#[derive(Clone, Debug)]
pub(crate) struct Contest {
    /// The game.
    pub(crate) game: String,
    /// The players.
    pub(crate) players: Vec<String>,
    /// Games of each pairing, an even number.
    pub(crate) games: u64,
    /// Random moves at the beginning.
    pub(crate) opening_plies: u32,
    /// Seed of everything random.
    pub(crate) seed: u64,
    /// Seconds for a move.
    pub(crate) seconds: f64,
}

/// Games told to a page.
const TOLD: usize = 200;
/// Between two reports of how a tournament stands.
const PAUSE: Duration = Duration::from_millis(500);
/// No game is longer.
const MOST_PLIES: u32 = 1000;
/// Milliseconds for a player to sit down.
const START_TIME: u64 = 5000;

/// Plays a tournament for a page, or continues with it.
pub(crate) fn tournament(registry: &Registry, contest: &Contest, stage: &Stage<'_>) -> Result<Value, Failure> {
    let game = registry.game(&contest.game)?;
    let plan = Plan {
        game: game.spelling().to_string(),
        players: contest.players.clone(),
        gauntlet: false,
        games: contest.games,
        seed: contest.seed,
        from: game.start(),
        opening_plies: contest.opening_plies,
        book: Vec::new(),
        move_time: Some((contest.seconds * 1000.0).ceil() as u64),
        start_time: START_TIME,
        most_plies: MOST_PLIES,
        sprt: None,
        files: Files::of(&contest.players)?,
    };
    let mut store = Store::go_on(stage.file, &plan)?;
    let results = store.results()?;
    let done: std::collections::HashSet<u64> = results.iter().map(|result| result.id).collect();
    let todo = (0..plan.total()).filter(|id| !done.contains(id)).collect();
    let begun = Instant::now();
    let gallery =
        Gallery { plan: &plan, names: plan.names(), game: game.as_ref(), stage, begun, told: Mutex::default() };
    stage.ctx.progress("playing", results.len() as u64, Some(plan.total()));
    (stage.tell)(gallery.standing(&results, &store)?);
    let play = Tournament {
        plan: &plan,
        game: game.as_ref(),
        todo,
        results,
        store: Some(&mut store),
        threads: stage.ctx.threads(),
        audience: Some(&gallery),
    };
    let results = play.play(stage.ctx)?;
    gallery.standing(&results, &store)
}

/// The people at their browsers.
struct Gallery<'a> {
    plan: &'a Plan,
    names: Vec<String>,
    game: &'a dyn AnyGame,
    stage: &'a Stage<'a>,
    begun: Instant,
    /// When they were last told how it stands.
    told: Mutex<Option<Instant>>,
}

impl Gallery<'_> {
    fn standing(&self, results: &[GameResult], store: &Store) -> Result<Value, Failure> {
        let mut report = ArenaReport::new(self.plan, self.game, results);
        report.seconds = self.begun.elapsed().as_secs_f64();
        let mut report = json!(report);
        report["list"] = store.games(TOLD)?.into();
        Ok(report)
    }
}

impl Audience for Gallery<'_> {
    fn begins(&self, table: usize, slot: &Slot, from: &str) {
        let players = slot.seats.map(|seat| self.names[seat].as_str());
        self.stage.watch.begin(table, slot.id, players, from);
        if let Some(spectator) = self.stage.spectator {
            spectator.begins(table, slot, from);
        }
    }

    fn moves(&self, table: usize, mv: &str, proof: Option<bool>) {
        if let Some(spectator) = self.stage.spectator {
            spectator.moves(table, mv, proof);
        }
        self.stage.watch.moved(table, mv, proof);
    }

    fn ends(&self, table: usize, played: &Played) {
        let who = played.winner.map_or("draw".to_string(), |player| format!("{} wins", self.game.player_name(player)));
        self.stage.watch.ended(table, &format!("{who}: {}", played.reason));
    }

    fn kept(&self, results: &[GameResult], store: Option<&Store>) -> Result<(), Failure> {
        let Ok(mut told) = self.told.lock() else { return Ok(()) };
        if let Some(store) = store.filter(|_| told.is_none_or(|last| last.elapsed() >= PAUSE)) {
            (self.stage.tell)(self.standing(results, store)?);
            *told = Some(Instant::now());
        }
        Ok(())
    }
}
