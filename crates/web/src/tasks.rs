//! What a job can do.

use crate::app::{App, Trouble};
use crate::jobs::{Order, Outcome};
use agon_check::{Certificate, Rejected};
use agon_core::{Code, Player, Wdl};
use agon_edge::erased::{AnyGame, Evidence, SolveRequest, SolverName, StrategyRequest, VerifyRequest};
use agon_edge::failure::Failure;
use agon_edge::words::grouped;
use agon_solve::grundy::{Grundy, Method, Stats};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// A request for a job.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Request {
    Solve(Solve),
    Verify(Verify),
    Grundy(Heaps),
    Claims { ids: Vec<String> },
    Check { job: u64 },
}

#[derive(Deserialize)]
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
    /// MiB.
    memory: Option<u64>,
}

#[derive(Deserialize)]
pub(crate) struct Verify {
    game: String,
    #[serde(default)]
    pos: String,
    strategy: String,
    side: String,
    claim: String,
    #[serde(default)]
    all: bool,
    #[serde(default)]
    repair: bool,
    #[serde(default)]
    certificate: bool,
}

#[derive(Deserialize)]
pub(crate) struct Heaps {
    code: String,
    to: usize,
}

/// MiB for a solve when nothing is said.
const USUAL_MEMORY: u64 = 1024;
/// The largest heap a page can show.
pub(crate) const LARGEST_HEAP: usize = 1 << 22;
/// Exceptions tried by a repair.
const MOST_EXCEPTIONS: usize = 16;

pub(crate) fn order(app: &Arc<App>, request: Request) -> Result<Order, Trouble> {
    match request {
        Request::Solve(solve) => order_solve(app, &solve),
        Request::Verify(verify) => order_verify(app, &verify),
        Request::Grundy(heaps) => order_grundy(&heaps),
        Request::Claims { ids } => order_claims(app, ids),
        Request::Check { job } => {
            let job = app.jobs.get(job).ok_or_else(|| Trouble::Missing(format!("there is no job {job}")))?;
            let outcome = job.outcome();
            let bytes = outcome.file.as_ref().map(|(_, bytes)| bytes.clone());
            order_check(app, bytes.ok_or_else(|| Trouble::Missing("that job left no certificate".into()))?)
        }
    }
}

fn position(game: &dyn AnyGame, given: &str) -> Result<String, Failure> {
    if given.trim().is_empty() { Ok(game.start()) } else { game.position(given) }
}

fn solver(name: &str) -> Result<SolverName, Failure> {
    Ok(match name {
        "" | "auto" | "nimbers" => SolverName::Auto,
        "lines" => SolverName::Lines,
        "alphabeta" => SolverName::Alphabeta,
        "brute" => SolverName::Brute,
        "strong" => SolverName::Strong,
        "proof-number" => SolverName::ProofNumber,
        _ => return Err(Failure::Usage(format!("invalid solver `{}`", agon_core::family::shorten(name)))),
    })
}

/// A certificate as a file; why there is none goes into the report.
fn certificate(evidence: Evidence, report: &mut Value) -> Option<(String, Vec<u8>)> {
    match evidence {
        Ok(found) => found.map(|certificate| ("certificate.agon".to_string(), certificate.write().into_bytes())),
        Err(failure) => {
            report["no_certificate"] = json!(failure.message());
            None
        }
    }
}

fn order_solve(app: &App, asked: &Solve) -> Result<Order, Trouble> {
    let game = app.game(&asked.game)?;
    let pos = position(game.as_ref(), &asked.pos)?;
    let name = solver(&asked.solver)?;
    let memory = asked.memory.unwrap_or(USUAL_MEMORY).clamp(16, 1 << 20) << 20;
    let request = SolveRequest {
        solver: name,
        strong: asked.strong || name == SolverName::Strong,
        certificate: asked.certificate,
        memory: usize::try_from(memory).unwrap_or(usize::MAX),
    };
    let from = if pos == game.start() { String::new() } else { format!(" from {pos}") };
    let spelling = game.spelling().to_string();
    Ok(Order {
        kind: "solve",
        title: format!("solve {spelling}{from}"),
        game: Some(spelling),
        memory,
        work: Box::new(move |ctx| {
            ctx.progress("solving", 0, None);
            let (report, evidence) = game.solve(&pos, request, ctx)?;
            let mut report = serde_json::to_value(report).unwrap_or_default();
            let file = certificate(evidence, &mut report);
            Ok(Outcome { report, file, ..Outcome::default() })
        }),
    })
}

fn order_verify(app: &App, asked: &Verify) -> Result<Order, Trouble> {
    let game = app.game(&asked.game)?;
    let pos = position(game.as_ref(), &asked.pos)?;
    let least = match asked.claim.as_str() {
        "win" => Wdl::Win,
        "draw" => Wdl::Draw,
        other => return Err(Failure::Usage(format!("invalid claim `{other}`: expected win or draw")).into()),
    };
    let side = game.side(&asked.side)?;
    let request = VerifyRequest {
        strategy: StrategyRequest { name: asked.strategy.clone(), exceptions: None },
        side,
        least,
        all: asked.all,
        repair: asked.repair.then_some(MOST_EXCEPTIONS),
        certificate: asked.certificate,
    };
    // An unknown strategy is refused now, not later.
    crate::play::offered(game.as_ref(), &request.strategy.name)?;
    game.agent(&request.strategy, 1)?;
    let spelling = game.spelling().to_string();
    let reaches = if least == Wdl::Win { "wins" } else { "gets at least a draw" };
    Ok(Order {
        kind: "verify",
        title: format!("{spelling}: {} as {} {reaches}", asked.strategy, game.player_name(side)),
        game: Some(spelling),
        memory: USUAL_MEMORY << 20,
        work: Box::new(move |ctx| {
            ctx.progress("verifying", 0, None);
            let (report, evidence) = game.verify(&pos, &request, ctx)?;
            let mut report = serde_json::to_value(report).unwrap_or_default();
            let file = certificate(evidence, &mut report);
            Ok(Outcome { report, file, ..Outcome::default() })
        }),
    })
}

fn order_grundy(asked: &Heaps) -> Result<Order, Trouble> {
    let code: Code = asked.code.trim().parse().map_err(|error| Failure::Usage(format!("{error}")))?;
    let to = asked.to;
    if to > LARGEST_HEAP {
        let most = grouped(LARGEST_HEAP);
        let why = format!(
            "heap {} is more than this page shows: expected at most {most}; `agon grundy` goes further",
            grouped(to)
        );
        return Err(Failure::Usage(why).into());
    }
    Ok(Order {
        kind: "grundy",
        title: format!("Grundy values of {code}, heaps 0 to {}", grouped(to)),
        game: None,
        memory: Grundy::memory(&code, to) + 8 * to as u64,
        work: Box::new(move |ctx| {
            let mut grundy = Grundy::new(&code, to, Method::Auto);
            grundy.run(ctx, to)?;
            let period = grundy.find_period().map(|p| {
                json!({"period": p.period, "preperiod": p.preperiod, "exceptions": p.exceptions, "checked_to": p.checked_to})
            });
            let values: Vec<u32> = grundy.values().collect();
            let zeros: Vec<usize> = values.iter().enumerate().filter(|(_, v)| **v == 0).map(|(n, _)| n).collect();
            let stats = Stats::of(values.iter().copied()).map(|stats| {
                let last = stats.last_new();
                let frequent: Vec<Value> =
                    stats.frequencies.iter().take(20).map(|(v, c)| json!({"value": v, "count": c})).collect();
                json!({"max": {"n": stats.max.n, "value": stats.max.value}, "distinct": stats.distinct,
                       "most_frequent": frequent, "last_new": {"n": last.n, "value": last.value},
                       "smallest_missing": stats.smallest_missing})
            });
            let report = json!({"code": code.to_string(), "to": to, "period": period, "stats": stats,
                                "zeros": zeros.iter().take(2000).collect::<Vec<_>>(), "zero_count": zeros.len()});
            Ok(Outcome { report, file: None, values })
        }),
    })
}

fn order_claims(app: &Arc<App>, ids: Vec<String>) -> Result<Order, Trouble> {
    if let Some(id) = ids.iter().find(|id| !app.claims.iter().any(|claim| claim.id == id.as_str())) {
        return Err(Trouble::Missing(format!("there is no claim `{}`", agon_core::family::shorten(id))));
    }
    let keep = Arc::downgrade(app);
    let title = match ids.as_slice() {
        [one] => format!("recompute {one}"),
        many => format!("recompute {} claims", many.len()),
    };
    Ok(Order {
        kind: "claims",
        title,
        game: None,
        memory: USUAL_MEMORY << 20,
        work: Box::new(move |ctx| {
            let mut rows = Vec::new();
            for (i, id) in ids.iter().enumerate() {
                let Some(app) = keep.upgrade() else { break };
                let Some(claim) = app.claims.iter().find(|claim| claim.id == id.as_str()) else { continue };
                ctx.progress("recomputing", i as u64, Some(ids.len() as u64));
                ctx.check()?;
                let begun = std::time::Instant::now();
                let found = (claim.run)(&ctx.fresh().silent())?;
                let row = json!({"id": claim.id, "computed": found.computed, "verdict": found.verdict, "note": found.note,
                                 "as_recorded": found.as_recorded, "seconds": begun.elapsed().as_secs_f64()});
                app.remember_verdict(claim.id, row.clone());
                rows.push(row);
            }
            ctx.progress("recomputing", ids.len() as u64, Some(ids.len() as u64));
            Ok(Outcome { report: json!({"rows": rows}), ..Outcome::default() })
        }),
    })
}

/// Checks a certificate with the rules alone.
pub(crate) fn order_check(app: &App, bytes: Vec<u8>) -> Result<Order, Trouble> {
    let damaged = |why: String| Trouble::Failure(Failure::Usage(format!("this is no certificate: {why}")));
    let certificate = Certificate::read(&bytes).map_err(|error| damaged(error.to_string()))?;
    let game = app.game(&certificate.game)?;
    if game.spelling() != certificate.game {
        return Err(damaged(format!("the game should be spelled {}", game.spelling())));
    }
    Ok(Order {
        kind: "check",
        title: format!("check a certificate of {}", certificate.game),
        game: Some(certificate.game.clone()),
        memory: USUAL_MEMORY << 20,
        work: Box::new(move |ctx| {
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
            Ok(Outcome { report, ..Outcome::default() })
        }),
    })
}

/// Both sides, for forms.
pub(crate) fn sides(game: &dyn AnyGame) -> [(&'static str, String); 2] {
    Player::BOTH.map(|player| (player.name(), game.player_name(player)))
}
