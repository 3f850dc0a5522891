//! `agon solve`: what a position is worth, proven; and where that is not known, an estimate that says it is one.

use crate::cli::{Shared, Solve};
use crate::commands::{keep_certificate, seconds_limit};
use crate::erased::{AnyGame, Evidence, MethodChoice, SolveRequest};
use crate::failure::Failure;
use crate::places::{FileKind, check_place};
use crate::report::{Estimate, SolveReport};
use crate::{progress, tables};
use agon_core::{Bounds, Ctx, Solution, Stop};
use std::time::{Duration, Instant};

/// An estimate takes at most that long,
const LONGEST_ESTIMATE: Duration = Duration::from_secs(1);
/// and that share of the time or the nodes given,
const ESTIMATE_SHARE: f64 = 0.1;
/// but these nodes anyhow.
const FEWEST_NODES: u64 = 1000;

/// `agon solve`.
pub fn command(args: &Solve, shared: &Shared) -> Result<(), Failure> {
    check_place(args.certificate.as_deref(), FileKind::Certificate)?;
    let mut game = shared.game(&args.game)?;
    let pos = shared.position(game.as_ref())?;
    let limit = args.time.map(seconds_limit).transpose()?;
    let ctx = shared.context_for("solving").with_budget(args.nodes.unwrap_or(u64::MAX));
    let ctx = limit.map_or(ctx.clone(), |limit| ctx.within(limit));
    let request = request(args);
    let mut solved = None;
    match args.table.as_deref() {
        Some(folder) if request.solver == MethodChoice::Strong => {
            match tables::solve_into(game.as_ref(), folder, args, &ctx, shared)? {
                None => return Ok(()),
                Some((opened, used, seconds)) => {
                    game = opened;
                    solved = Some((used, seconds));
                }
            }
        }
        folder => game = tables::opened(game, folder)?,
    }
    let (mut report, evidence, given_up) = solve(game.as_ref(), &pos, &request, &ctx)?;
    if let Some((used, seconds)) = solved {
        report.seconds += seconds;
        report.tables = Some(used);
    }
    if report.bounds.value().is_none() && !progress::interrupted() {
        report.estimate = estimate(game.as_ref(), &pos, args, limit, shared)?;
    }
    report.known = shared.registry.known_at(game.as_ref(), &pos, report.bounds)?;
    let none = "the value is not known";
    let kept = keep_certificate(args.certificate.as_deref(), evidence, "certificate", none, shared);
    report.certificate = kept.as_ref().ok().cloned().flatten();
    shared.answer(&report)?;
    kept?;
    given_up.map_or(Ok(()), Err)?;
    ending(&report, shared)
}

/// The request that the flags make.
fn request(args: &Solve) -> SolveRequest {
    SolveRequest {
        solver: if args.strong { MethodChoice::Strong } else { args.method.as_deref().unwrap_or_default().into() },
        certificate: args.certificate.is_some(),
        all: args.all,
        memory: (args.memory as u64).saturating_mul(1 << 20),
    }
}

/// The report of a solver, with its evidence. One that gave up before it had any result still leaves a report, which
/// says why; its failure comes with it.
fn solve(
    game: &dyn AnyGame,
    pos: &str,
    request: &SolveRequest,
    ctx: &Ctx,
) -> Result<(SolveReport, Evidence, Option<Failure>), Failure> {
    let begun = Instant::now();
    let failure = match game.solve(pos, request, ctx) {
        Ok((report, evidence)) => return Ok((report, evidence, None)),
        Err(failure) => failure,
    };
    let Some(stop) = failure.stop() else { return Err(failure) };
    let solution =
        Solution::<()> { value: Bounds::UNKNOWN, plies: None, best: None, nodes: ctx.nodes(), stopped: Some(stop) };
    let (solver, mover) = (game.method_name(&request.solver)?, game.turn(pos)?);
    let name = (mover, game.player_name(mover));
    let mut report = SolveReport::new(game.spelling(), pos.to_string(), name, &solution, None, solver);
    report.seconds = begun.elapsed().as_secs_f64();
    Ok((report, Ok(None), Some(failure)))
}

/// The estimate of the game's strongest search, in a small part of the given time and nodes.
fn estimate(
    game: &dyn AnyGame,
    pos: &str,
    args: &Solve,
    limit: Option<Duration>,
    shared: &Shared,
) -> Result<Option<Estimate>, Failure> {
    let time = limit.map_or(LONGEST_ESTIMATE, |limit| limit.mul_f64(ESTIMATE_SHARE).min(LONGEST_ESTIMATE));
    let nodes = args.nodes.map_or(u64::MAX, |nodes| ((nodes as f64 * ESTIMATE_SHARE) as u64).max(FEWEST_NODES));
    let ctx = shared.quiet_context().with_budget(nodes).within(time);
    match game.estimate(pos, (args.memory as u64).saturating_mul(1 << 20), &ctx) {
        // After Ctrl-C no estimate is computed.
        Err(failure) if failure.stop().is_some() => Ok(None),
        estimate => estimate,
    }
}

/// The result of the command once its report is written.
fn ending(report: &SolveReport, shared: &Shared) -> Result<(), Failure> {
    if let Some(known) = report.known.as_ref().filter(|known| known.agrees == Some(false)) {
        shared.note(&format!(
            "CONTRADICTION: {} was proved now, but `{}` is known ({}): one of the two is wrong",
            report.value, known.says, known.source
        ));
        return Err(Failure::Refuted);
    }
    let open = report.moves.iter().flatten().filter(|mv| !mv.proven).count();
    if open > 0 {
        let all = report.moves.iter().flatten().count();
        shared.note(&format!(
            "{open} of {all} moves stay open: {}",
            report.stopped.map_or_else(
                || format!("`{}` cannot tell their values; try another --method", report.solver),
                |stop| stop.to_string(),
            )
        ));
    }
    let proven = if report.is_open() { "nothing is proven" } else { "the bounds above are proven" };
    match (report.stopped, report.bounds.value()) {
        (None, Some(_)) => Ok(()),
        (None, None) => Err(Failure::Failed(format!("this method cannot tell the value; {proven}"))),
        (Some(Stop::Interrupted), _) => Err(Failure::Interrupted(format!("{}; {proven}", Stop::Interrupted))),
        (Some(_), Some(_)) if open > 0 => Ok(()),
        (Some(_), Some(_)) => {
            shared.note("stopped at the limit given: the value is proven, distance and best move are not");
            Ok(())
        }
        (Some(stop), None) => Err(Failure::Failed(format!("{stop}; {proven}"))),
    }
}
