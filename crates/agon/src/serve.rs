//! `agon serve`: the workbench in a browser.

use crate::arena::files::Files;
use crate::arena::plan::{Plan, Slot};
use crate::arena::report::ArenaReport;
use crate::arena::run::Tournament;
use crate::arena::store::{GameResult, Store};
use crate::arena::table::{Audience, Played};
use crate::cli::{Serve, Shared};
use crate::commands::emit_json;
use crate::erased::AnyGame;
use crate::failure::Failure;
use crate::output::{emit, tell};
use crate::registry::Registry;
use crate::reproduce::{self, DOCUMENTS};
use crate::{VERSION, progress};
use agon_web::{Claim, Contest, Program, Recomputed, Stage};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Runs the command.
pub fn command(args: &Serve, shared: &Shared) -> Result<(), Failure> {
    progress::farewell(|| tell("the workbench is closed"));
    let (json, open) = (shared.json, args.open);
    let data = data_folder(args.data.as_deref(), |name| std::env::var_os(name));
    let data = if args.data.is_none() { usable(data) } else { data };
    let (registry, games) = (shared.registry.clone(), shared.registry.clone());
    let arena = Box::new(move |contest: &Contest, stage: &Stage<'_>| tournament(&games, contest, stage));
    let program = Program { registry, claims: claims(), arena, data, log: Box::new(tell) };
    agon_web::run(args.port, program, move |address| {
        let url = format!("http://{address}/");
        let said = if json {
            emit_json(&json!({"agon": VERSION, "game": null, "url": url}))
        } else {
            emit(&format!("the workbench is at {url} (Ctrl-C ends it)\n"))
        };
        // Whoever started it may have closed standard output; the workbench is there all the same.
        let _ = said;
        if open {
            open_browser(&url);
        }
    })
}

/// The claims of every document, ready to be recomputed.
fn claims() -> Vec<Claim> {
    let claim = |item: &'static reproduce::Item| {
        let number = item.id.split('/').next().unwrap_or_default();
        Claim {
            id: item.id,
            document: DOCUMENTS.iter().copied().find(|document| document.0 == number).unwrap_or((number, "")),
            source: item.source,
            claim: item.claim,
            claimed: item.claimed,
            how: item.how,
            recorded: item.expected.name(),
            slow: item.slow,
            run: Box::new(move |ctx| {
                let row = reproduce::run(item, ctx)?;
                let verdict = row.verdict.name();
                Ok(Recomputed { computed: row.computed, verdict, note: row.note, as_recorded: row.as_recorded })
            }),
        }
    };
    reproduce::items().into_iter().map(claim).collect()
}

/// Where jobs are kept: as given, or in the directory for state of the person's own, as the XDG rules have it.
fn data_folder(given: Option<&Path>, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    match given {
        Some(path) if path.as_os_str() == "none" => None,
        Some(path) => Some(path.to_path_buf()),
        None => absolute("XDG_STATE_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
            .map(|state| state.join("agon")),
    }
}

/// A directory that nobody asked for by name is done without when it cannot be used.
fn usable(folder: Option<PathBuf>) -> Option<PathBuf> {
    let why = match &folder {
        None => "neither XDG_STATE_HOME nor HOME is set".to_string(),
        Some(folder) => match std::fs::create_dir_all(folder) {
            Ok(()) => return Some(folder.clone()),
            Err(error) => format!("cannot use `{}`: {error}", folder.display()),
        },
    };
    tell(&format!("{why}; so jobs end with the server, unless --data DIR says where to keep them"));
    None
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
fn tournament(registry: &Registry, contest: &Contest, stage: &Stage<'_>) -> Result<Value, Failure> {
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
    }

    fn moves(&self, table: usize, mv: &str, proof: Option<bool>) {
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

/// Asks the system to show a page; says how to do it by hand if it cannot.
fn open_browser(url: &str) {
    let tries: &[(&str, &[&str])] =
        if cfg!(windows) { &[("cmd", &["/C", "start"])] } else { &[("xdg-open", &[]), ("open", &[])] };
    let started = |(program, words): &(&str, &[&str])| {
        let mut command = Command::new(program);
        command.args(*words).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
    };
    if !tries.iter().any(started) {
        tell(&format!("no browser could be started; open {url} yourself"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_kept_where_the_rules_say() {
        let home = |name: &str| (name == "HOME").then(|| OsString::from("/home/one"));
        let both = |name: &str| match name {
            "XDG_STATE_HOME" => Some(OsString::from("/state")),
            other => home(other),
        };
        let relative = |name: &str| if name == "HOME" { home(name) } else { Some(OsString::from("here")) };
        let at = |path: &str| Some(PathBuf::from(path));
        assert_eq!(data_folder(None, home), at("/home/one/.local/state/agon"));
        assert_eq!(data_folder(None, both), at("/state/agon"));
        // A relative one does not count.
        assert_eq!(data_folder(None, relative), at("/home/one/.local/state/agon"));
        assert_eq!(data_folder(None, |_| None), None);
        assert_eq!(data_folder(Some(Path::new("none")), both), None);
        assert_eq!(data_folder(Some(Path::new("./none")), both), at("./none"));
    }
}
