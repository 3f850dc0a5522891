//! The kinds of work a job can do.

use crate::app::{App, Meter, Metered, RequestError, lock};
use crate::job::{Artifact, JobKind, Outcome, Work, WorkDir};
use crate::jobs::JobSpec;
use crate::solve_report::{self, TableSolve};
use agon_check::{Certificate, Rejected};
use agon_core::{Code, Ctx, Player, Wdl};
use agon_grade::Grader;
use agon_registry::erased::{AnyGame, Evidence, MethodChoice, SolveRequest, StrategyRequest, VerifyRequest};
use agon_report::SolveReport;
use agon_report::failure::Failure;
use agon_report::grundy::{period_json, stats_json};
use agon_report::words::grouped;
use agon_solve::grundy::{Grundy, Method, Stats};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// The request for a job, as a page sends it.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Request {
    Solve(Solve),
    Verify(Verify),
    Grundy(Heaps),
    Grade(Grade),
    Arena(crate::arena::TournamentRequest),
    Claims { ids: Vec<String> },
    Check { job: u64 },
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Solve {
    game: String,
    #[serde(default)]
    pos: String,
    #[serde(default)]
    solver: String,
    #[serde(default)]
    strong: bool,
    #[serde(default)]
    certificate: bool,
    /// The memory limit in MiB.
    memory: Option<u64>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Verify {
    game: String,
    #[serde(default)]
    pos: String,
    /// The name of a strategy of the game; empty if `text` is given.
    #[serde(default)]
    strategy: String,
    /// A strategy written as text.
    #[serde(default)]
    text: String,
    side: String,
    claim: String,
    #[serde(default)]
    all: bool,
    #[serde(default)]
    repair: bool,
    #[serde(default)]
    certificate: bool,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Heaps {
    code: String,
    to: usize,
}

/// Games of players to grade.
#[derive(Serialize, Deserialize)]
pub(crate) struct Grade {
    game: String,
    /// The games, as `agon grade` reads them.
    text: String,
    /// The time for each position.
    seconds: Option<f64>,
}

/// The subdirectory with the tables of a solve, in the directory of its job.
pub(crate) const TABLES: &str = "table";
/// The name of a strategy that a person wrote on the page.
const YOUR_RULES: &str = "your rules";
/// The default memory limit of a solve, in MiB.
const DEFAULT_MEMORY_MIB: u64 = 1024;
/// The largest heap that a page plots.
pub(crate) const LARGEST_HEAP: usize = 1 << 22;
/// The most exceptions that a repair tries.
const MAX_EXCEPTIONS: usize = 16;

pub(crate) fn job_spec(app: &Arc<App>, meter: &Meter, request: Request) -> Result<JobSpec, RequestError> {
    let asked = serde_json::to_value(&request).unwrap_or_default();
    let spec = match request {
        Request::Solve(solve) => job_solve(app, meter, &solve),
        Request::Verify(verify) => job_verify(app, meter, &verify),
        Request::Grundy(heaps) => job_grundy(&heaps),
        Request::Grade(grade) => job_grade(app, meter, &grade),
        Request::Arena(asked) => crate::arena::job_spec(app, meter, &asked),
        Request::Claims { ids } => job_claims(app, ids),
        Request::Check { job } => {
            let job = app.jobs.get(job).ok_or_else(|| RequestError::NotFound(format!("there is no job {job}")))?;
            job_check(app, meter, job.contents()?)
        }
    };
    Ok(JobSpec { request: asked, ..spec? })
}

/// The job for a stored request.
pub(crate) fn respawn(app: &Arc<App>, meter: &Meter, request: &Value) -> Result<JobSpec, RequestError> {
    let request = serde_json::from_value(request.clone());
    job_spec(app, meter, request.map_err(|error| Failure::Usage(format!("the stored request is invalid: {error}")))?)
}

/// A job with default settings.
fn simple(kind: JobKind, title: String, game: Option<String>, memory: u64, work: Work) -> JobSpec {
    let (live, watch) = (Arc::default(), Arc::default());
    JobSpec { kind, title, game, request: Value::Null, given: None, resumes: false, memory, live, watch, work }
}

fn position(game: &dyn AnyGame, given: &str) -> Result<String, Failure> {
    game.position(if given.trim().is_empty() { "start" } else { given })
}

/// The certificate as a file. If there is none, the reason goes into the report.
pub(crate) fn certificate(evidence: Evidence, report: &mut Value) -> Option<Artifact> {
    match evidence {
        Ok(found) => found.map(|certificate| Artifact::Bytes("certificate.agon", certificate.write().into_bytes())),
        Err(failure) => {
            report["no_certificate"] = json!(failure.message());
            None
        }
    }
}

fn job_solve(app: &Arc<App>, meter: &Meter, asked: &Solve) -> Result<JobSpec, RequestError> {
    let game = app.game(meter, &asked.game)?.unmetered();
    let pos = position(game.as_ref(), &asked.pos)?;
    let memory = asked.memory.unwrap_or(DEFAULT_MEMORY_MIB).clamp(16, 1 << 20) << 20;
    let solver = if asked.strong { MethodChoice::Strong } else { asked.solver.as_str().into() };
    game.method_name(&solver)?;
    let strong = solver == MethodChoice::Strong;
    let request = SolveRequest { solver, certificate: asked.certificate, all: false, memory };
    let from = if pos == game.start() { String::new() } else { format!(" from {pos}") };
    let spelling = game.spelling().to_string();
    let title = format!("Solve {}{from}", crate::play::named(app, &app.game(meter, &asked.game)?));
    if let Some(tables) = strong.then(|| game.tables()).flatten() {
        let (_, needed) = tables.size(None)?;
        if needed > memory {
            return Err(Failure::Usage(format!(
                "the tables of {spelling} need about {} MiB, more than the limit of {} MiB: allow more memory",
                grouped(needed.div_ceil(1 << 20)),
                grouped(memory >> 20)
            ))
            .into());
        }
        let (app, work) = (
            Arc::downgrade(app),
            TableSolve { registry: app.registry.clone(), spelling: spelling.clone(), pos, request },
        );
        let run = Box::new(move |ctx: &Ctx, work_dir: &WorkDir| {
            let outcome = work.run(ctx, work_dir)?;
            if let (Some(app), true) = (app.upgrade(), work_dir.persistent()) {
                app.adopt_tables(&work.spelling, work_dir.folder()?.join(TABLES));
            }
            Ok(outcome)
        });
        return Ok(JobSpec { resumes: true, ..simple(JobKind::Solve, title, Some(spelling), needed, run) });
    }
    let registry = app.registry.clone();
    let live: Arc<Mutex<Value>> = Arc::default();
    let found = live.clone();
    let run = Box::new(move |ctx: &Ctx, _: &WorkDir| {
        ctx.progress("solving", 0, None);
        if request.certificate && !strong {
            // The value is shown the moment it is known; the certificate follows.
            let plain = SolveRequest { certificate: false, ..request.clone() };
            let (report, _) = game.solve(&pos, &plain, ctx)?;
            if report.bounds.value().is_some() {
                *lock(&found) = json!({"found": found_in_words(&report)});
            }
        }
        let (report, evidence) = game.solve(&pos, &request, ctx)?;
        let mut report = solve_report::completed(&registry, game.as_ref(), report, memory, ctx)?;
        solve_report::enrich(game.as_ref(), &mut report, &evidence, ctx);
        let file = certificate(evidence, &mut report);
        Ok(Outcome { report, file })
    });
    Ok(JobSpec { live, ..simple(JobKind::Solve, title, Some(spelling), memory, run) })
}

/// `A win for x in 5 plies, best move b3`.
fn found_in_words(report: &SolveReport) -> String {
    let plies = report.plies.filter(|_| report.value != "draw");
    let plies = plies.map_or(String::new(), |n| format!(" in {n} {}", if n == 1 { "ply" } else { "plies" }));
    let best = report.best.as_ref().map_or(String::new(), |best| format!(", best move {best}"));
    format!("A {} for {}{plies}{best}.", report.value, crate::play::spoken(&report.mover[1]))
}

/// The game, the position and the request to verify a strategy; an unknown or faulty strategy is refused.
pub(crate) fn verification(
    app: &App,
    meter: &Meter,
    asked: &Verify,
) -> Result<(Arc<dyn AnyGame>, String, VerifyRequest), RequestError> {
    let game = app.game(meter, &asked.game)?;
    let pos = position(game.unmetered().as_ref(), &asked.pos)?;
    let least = match asked.claim.as_str() {
        "win" => Wdl::Win,
        "draw" => Wdl::Draw,
        other => return Err(Failure::Usage(format!("invalid claim `{other}`: expected win or draw")).into()),
    };
    let side = game.side(&asked.side)?;
    let strategy = match asked.text.trim() {
        "" => StrategyRequest::named(asked.strategy.clone()),
        _ => StrategyRequest::written(YOUR_RULES, asked.text.clone()),
    };
    let request = VerifyRequest {
        strategy,
        side,
        least,
        all: asked.all,
        repair: asked.repair.then_some(MAX_EXCEPTIONS),
        certificate: asked.certificate,
        listed: false,
    };
    if request.strategy.text.is_none() {
        crate::play::offered(&game, &request.strategy.name)?;
    }
    meter.pay(asked.text.len() as u64)?;
    let game = game.unmetered();
    game.agent(&request.strategy, 1)?;
    Ok((game, pos, request))
}

fn job_verify(app: &App, meter: &Meter, asked: &Verify) -> Result<JobSpec, RequestError> {
    let (game, pos, request) = verification(app, meter, asked)?;
    let spelling = game.spelling().to_string();
    let reaches = if request.least == Wdl::Win { "wins" } else { "gets at least a draw" };
    let side = crate::play::spoken(&game.player_name(request.side));
    let title = format!(
        "Test {} in {}: {side} {reaches}",
        request.strategy.name,
        crate::play::named(app, &app.game(meter, &asked.game)?)
    );
    let work = Box::new(move |ctx: &Ctx, _: &WorkDir| {
        ctx.progress("verifying", 0, None);
        let (report, evidence) = game.verify(&pos, &request, ctx)?;
        let mut report = serde_json::to_value(report).unwrap_or_default();
        let file = certificate(evidence, &mut report);
        Ok(Outcome { report, file })
    });
    Ok(simple(JobKind::Verify, title, Some(spelling), DEFAULT_MEMORY_MIB << 20, work))
}

fn job_grundy(asked: &Heaps) -> Result<JobSpec, RequestError> {
    let code: Code = asked.code.trim().parse().map_err(|error| Failure::Usage(format!("{error}")))?;
    let to = asked.to;
    if to > LARGEST_HEAP {
        let most = grouped(LARGEST_HEAP);
        let why = format!("heap {} is too large for this page: expected at most {most}", grouped(to));
        return Err(Failure::Usage(why).into());
    }
    let title = format!("Nim-values of {code}, heaps 0 to {}", grouped(to));
    let memory = Grundy::memory(&code, to) + 8 * to as u64;
    let work = Box::new(move |ctx: &Ctx, _: &WorkDir| {
        let mut grundy = Grundy::new(&code, to, Method::Auto);
        grundy.run(ctx, to)?;
        let period = grundy.find_period().map(period_json);
        let values: Vec<u32> = grundy.values().collect();
        let zeros: Vec<usize> = values.iter().enumerate().filter(|(_, v)| **v == 0).map(|(n, _)| n).collect();
        let stats = Stats::of(values.iter().copied()).map(|stats| stats_json(&stats));
        let report = json!({"code": code.to_string(), "to": to, "period": period, "stats": stats,
                                "first": values.iter().take(400).collect::<Vec<_>>(),
                                "zeros": zeros.iter().take(2000).collect::<Vec<_>>(), "zero_count": zeros.len()});
        let words = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Ok(Outcome { report, file: Some(Artifact::Bytes("grundy.words", words)) })
    });
    Ok(simple(JobKind::Grundy, title, None, memory, work))
}

/// The most bytes of the games that a page sends.
const LONGEST_GAMES: usize = 4 << 20;

fn job_grade(app: &App, meter: &Meter, asked: &Grade) -> Result<JobSpec, RequestError> {
    let game = app.game(meter, &asked.game)?.unmetered();
    if asked.text.len() > LONGEST_GAMES {
        let (given, most) = (grouped(asked.text.len()), grouped(LONGEST_GAMES));
        return Err(Failure::Usage(format!("the games have {given} bytes: expected at most {most}")).into());
    }
    if asked.text.trim().is_empty() {
        return Err(Failure::Usage("there are no games: paste them, or choose a file".into()).into());
    }
    let (text, limit) = (asked.text.clone(), crate::play::seconds(asked.seconds, 1.0));
    let spelling = game.spelling().to_string();
    let title = format!("Grade players of {}", crate::play::named(app, &app.game(meter, &asked.game)?));
    let work = Box::new(move |ctx: &Ctx, _: &WorkDir| {
        let begun = std::time::Instant::now();
        let (mut grader, mut positions) = (Grader::new(game.as_ref())?, 0);
        let mut each = || {
            ctx.progress("grading positions", positions, None);
            positions += 1;
            ctx.without_progress().within(limit)
        };
        grader.add_text(None, &text, &mut each)?;
        let report = grader.finish(begun.elapsed().as_secs_f64());
        let page = agon_grade::page(game.as_ref(), &report).into_bytes();
        let report = serde_json::to_value(report).unwrap_or_default();
        Ok(Outcome { report, file: Some(Artifact::Bytes("grade.html", page)) })
    });
    Ok(simple(JobKind::Grade, title, Some(spelling), DEFAULT_MEMORY_MIB << 20, work))
}

fn job_claims(app: &Arc<App>, ids: Vec<String>) -> Result<JobSpec, RequestError> {
    if let Some(id) = ids.iter().find(|id| !app.claims.iter().any(|claim| claim.id == id.as_str())) {
        return Err(RequestError::NotFound(format!("there is no claim `{}`", agon_core::family::shorten(id))));
    }
    let weak = Arc::downgrade(app);
    let title = match ids.as_slice() {
        [one] => format!("Recompute {one}"),
        many => format!("Recompute {} claims", many.len()),
    };
    let work = Box::new(move |ctx: &Ctx, _: &WorkDir| {
        let mut rows = Vec::new();
        for (i, id) in ids.iter().enumerate() {
            let Some(app) = weak.upgrade() else { break };
            let Some(claim) = app.claims.iter().find(|claim| claim.id == id.as_str()) else { continue };
            ctx.progress("recomputing", i as u64, Some(ids.len() as u64));
            ctx.check()?;
            let row = json!(agon_reproduce::run(claim, &ctx.with_own_count().without_progress())?);
            app.remember_verdict(claim.id, row.clone());
            rows.push(row);
        }
        ctx.progress("recomputing", ids.len() as u64, Some(ids.len() as u64));
        Ok(Outcome { report: json!({"rows": rows}), file: None })
    });
    Ok(simple(JobKind::Claims, title, None, DEFAULT_MEMORY_MIB << 20, work))
}

/// A job that checks a certificate, using only the rules of the game.
pub(crate) fn job_check(app: &App, meter: &Meter, bytes: Vec<u8>) -> Result<JobSpec, RequestError> {
    let damaged = |why: String| RequestError::Failure(Failure::Usage(format!("this is not a certificate: {why}")));
    let certificate = Certificate::read(&bytes).map_err(|error| damaged(error.to_string()))?;
    let game = match certificate.rules.as_deref() {
        None => app.game(meter, &certificate.game)?.unmetered(),
        rules => {
            let described = app.registry.described(&certificate.game, rules);
            Arc::from(described.map_err(|error| damaged(error.to_string()))?)
        }
    };
    if !agon_registry::is_spelling_of(game.as_ref(), &certificate.game) {
        return Err(damaged(format!("the game must be spelled {}", game.spelling())));
    }
    let (title, spelling) = (format!("Check a certificate of {}", certificate.game), certificate.game.clone());
    let work = Box::new(move |ctx: &Ctx, _: &WorkDir| {
        ctx.progress("checking", 0, None);
        let claim = certificate.claim.to_string();
        let report = match game.check(&certificate, ctx) {
            Ok(proved) => {
                json!({"verdict": "proved", "statement": proved.statement, "positions": proved.positions})
            }
            Err(Rejected::Stopped(stop)) => return Err(stop.into()),
            Err(Rejected::Corrupt(why)) => json!({"verdict": "corrupt", "statement": why}),
            Err(Rejected::Refuted(why)) => json!({"verdict": "refuted", "statement": why}),
        };
        let mut report = report;
        report["claim"] = json!(claim);
        report["from"] = json!(certificate.from);
        Ok(Outcome { report, file: None })
    });
    let spec = simple(JobKind::Check, title, Some(spelling), DEFAULT_MEMORY_MIB << 20, work);
    Ok(JobSpec { given: Some(bytes), ..spec })
}

/// The two sides, for forms: value and name.
pub(crate) fn sides(game: &Metered<'_>) -> [(&'static str, String); 2] {
    Player::BOTH.map(|player| (player.name(), game.player_name(player)))
}
