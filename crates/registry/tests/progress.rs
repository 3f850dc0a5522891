//! Long work reports what it does: every solver, count and check sends events while it counts nodes, whatever the clock.

use agon_check::Certificate;
use agon_check::tables::Extent;
use agon_core::{Ctx, Player, Progress, Wdl};
use agon_registry::Registry;
use agon_registry::erased::tables::TableRequest;
use agon_registry::erased::{AnyGame, SolveRequest, StrategyRequest, VerifyRequest};
use agon_solve::count::Limits;
use std::sync::{Arc, Mutex};

/// Nodes of a job, and the most of them between two events.
const NODES: u64 = 60_000;
const GAP: u64 = 8 * 4096;

/// A context that remembers all events.
fn listening() -> (Ctx, Arc<Mutex<Vec<Progress>>>) {
    let heard: Arc<Mutex<Vec<Progress>>> = Arc::default();
    let sink = heard.clone();
    (Ctx::default().with_sink(move |progress| sink.lock().unwrap().push(progress)), heard)
}

/// Fails if a job with so many nodes was silent for too long.
fn reported(job: &str, ctx: &Ctx, heard: &Mutex<Vec<Progress>>) {
    let mut counts: Vec<u64> = heard.lock().unwrap().iter().map(|progress| progress.nodes).collect();
    assert!(!counts.is_empty(), "{job} reports nothing");
    counts.push(ctx.nodes());
    let gaps = std::iter::once(counts[0]).chain(counts.windows(2).map(|pair| pair[1].saturating_sub(pair[0])));
    let widest = gaps.max().unwrap_or(0);
    assert!(widest <= GAP, "{job} is silent for {widest} of {} nodes", ctx.nodes());
}

fn game(spelling: &str) -> Box<dyn AnyGame> {
    Registry::standard().game(spelling).unwrap()
}

#[test]
fn every_solver_reports() {
    for spelling in [
        "mnk:5,5,4",
        "drop:5,5,4",
        "order-chaos:5x4,k=4",
        "order-chaos:6x5,row=exact-final",
        "order-chaos:4x3,k=3",
        "cram:5x6",
        "ellie:5x5",
        "circular-nim:4,2:6+7+8+9",
        "kayles:30+31",
        "nim:3+5,play=misere",
        "sum:(cram:4x5)+(kayles:20)",
        "treblecross:1x16",
        "tak:4",
        "antrin:4",
    ] {
        let game = game(spelling);
        for solver in game.offers().solvers {
            let (ctx, heard) = listening();
            let ctx = ctx.with_budget(NODES);
            // A solver that is stopped may fail.
            let _ = game.solve(&game.start(), &SolveRequest::plain(1 << 26).by(solver), &ctx);
            if ctx.nodes() > GAP || ["sweep", "tables"].contains(&solver) {
                reported(&format!("{solver} of {spelling}"), &ctx, &heard);
            }
        }
    }
}

#[test]
fn counts_report() {
    for spelling in ["mnk:4,4,4", "tak:3", "antrin:4", "cram:4x4"] {
        let game = game(spelling);
        let (ctx, heard) = listening();
        let ctx = ctx.with_budget(NODES);
        let limits = Limits { plies: u32::MAX, bytes: 1 << 28, up_to_symmetry: true };
        let _ = game.count(&game.start(), limits, &ctx);
        reported(&format!("the count of {spelling}"), &ctx, &heard);
        let (ctx, heard) = listening();
        let _ = game.perft(&game.start(), 6, None, &ctx.clone().with_budget(NODES));
        reported(&format!("perft of {spelling}"), &ctx, &heard);
    }
}

#[test]
fn certificates_report() {
    let game = game("mnk:4,4,4");
    let (ctx, heard) = listening();
    let (_, evidence) = game.solve(&game.start(), &SolveRequest::plain(1 << 26).certified(), &ctx).unwrap();
    assert!(heard.lock().unwrap().iter().any(|progress| progress.task == "writing the proof"));
    let text = evidence.unwrap().unwrap().write();
    let (ctx, heard) = listening();
    game.check(&Certificate::read(text.as_bytes()).unwrap(), &ctx).unwrap();
    reported("a check", &ctx, &heard);
}

#[test]
fn strategies_report() {
    let game = game("tic-tac-toe");
    let (ctx, heard) = listening();
    let request = VerifyRequest {
        strategy: StrategyRequest::named("singh-objectives"),
        side: Player::Second,
        least: Wdl::Draw,
        all: true,
        repair: Some(4),
        listed: false,
        certificate: false,
    };
    drop(game.verify(&game.start(), &request, &ctx).unwrap());
    let tasks: Vec<&str> = heard.lock().unwrap().iter().map(|progress| progress.task).collect();
    assert!(tasks.contains(&"verifying") && tasks.contains(&"repairing"), "{tasks:?}");
}

#[test]
fn tables_report() {
    let game = game("antrin:3");
    let folder = tempfile::tempdir().unwrap();
    let tables = game.tables().unwrap();
    let request = TableRequest::new(folder.path(), 1 << 30);
    let (ctx, heard) = listening();
    tables.solve(&request, &ctx).unwrap();
    tables.verify(folder.path(), &ctx).unwrap();
    tables.check(folder.path(), Extent::Full, &ctx).unwrap();
    let tasks: Vec<&str> = heard.lock().unwrap().iter().map(|progress| progress.task).collect();
    for task in ["solving tables", "reading tables", "checking tables"] {
        assert!(tasks.contains(&task), "{task}");
    }
}
