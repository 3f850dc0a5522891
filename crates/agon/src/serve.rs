//! `agon serve`: the workbench in a browser.

use crate::arena::plan::Plan;
use crate::arena::report::ArenaReport;
use crate::arena::run::Tournament;
use crate::arena::store::Store;
use crate::cli::{Serve, Shared};
use crate::commands::emit_json;
use crate::failure::Failure;
use crate::output::{emit, tell};
use crate::reproduce::{self, DOCUMENTS};
use crate::{VERSION, progress, registry};
use agon_core::Ctx;
use agon_web::{Claim, Contest, Program, Recomputed};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs the command.
pub fn command(args: &Serve, shared: &Shared) -> Result<(), Failure> {
    progress::farewell(|| tell("the workbench is closed"));
    let (json, open) = (shared.json, args.open);
    let program = Program { claims: claims(), arena: Box::new(tournament) };
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

/// Games told to a page.
const TOLD: usize = 200;
/// A tournament is played in about that many parts, and told about after each.
const PARTS: usize = 50;
/// No game is longer.
const MOST_PLIES: u32 = 1000;
/// Milliseconds for a player to sit down.
const START_TIME: u64 = 5000;

/// Plays a tournament for a page: in parts, so that it can be told about and stopped.
fn tournament(contest: &Contest, ctx: &Ctx, tell: &dyn Fn(Value)) -> Result<(Value, Option<Vec<u8>>), Failure> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("agon-arena-{}-{number}.sqlite", std::process::id()));
    let played = play_parts(contest, &path, ctx, tell);
    let file = std::fs::read(&path).ok();
    let _ = std::fs::remove_file(&path);
    Ok((played?, file))
}

fn play_parts(contest: &Contest, path: &Path, ctx: &Ctx, tell: &dyn Fn(Value)) -> Result<Value, Failure> {
    let begun = std::time::Instant::now();
    let game = registry::game(&contest.game)?;
    let plan = Plan {
        game: contest.game.clone(),
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
    };
    let mut store = Store::create(path, &plan)?;
    let (total, threads) = (plan.total(), ctx.threads());
    let part = (total as usize / PARTS).max(threads);
    let all: Vec<u64> = (0..total).collect();
    let (mut results, mut report) = (Vec::new(), Value::Null);
    for todo in all.chunks(part) {
        ctx.progress("playing", results.len() as u64, Some(total));
        ctx.check()?;
        let part = Tournament {
            plan: &plan,
            game: game.as_ref(),
            todo: todo.to_vec(),
            results,
            store: Some(&mut store),
            threads,
        };
        results = part.play(&ctx.silent())?;
        let mut standing = ArenaReport::new(&plan, game.as_ref(), &results);
        standing.seconds = begun.elapsed().as_secs_f64();
        report = json!(standing);
        report["list"] = store.games(TOLD)?.into();
        tell(report.clone());
    }
    Ok(report)
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
