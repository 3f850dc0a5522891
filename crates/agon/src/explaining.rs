//! `agon explain`: why a position has its value.

use crate::cli::{Explain, Shared};
use crate::commands::{seconds_limit, strategy_request};
use crate::erased::ExplainRequest;
use crate::failure::Failure;
use crate::registry::record::Line;
use crate::report::ExplainReport;
use crate::tables;
use agon_core::Bounds;
use agon_solve::explain::Limits;

/// `agon explain`.
pub fn command(args: &Explain, shared: &Shared) -> Result<(), Failure> {
    let game = tables::opened(shared.game(&args.game)?, args.table.as_deref())?;
    let line = shared.line(game.as_ref(), args.position.as_deref())?;
    let strategy = match &args.strategy {
        Some(spelled) => {
            let side = args.side.as_ref().map(|side| game.side(side)).transpose()?;
            Some((strategy_request(spelled)?, side))
        }
        None => None,
    };
    let limits = Limits { positions: args.most as usize, depth: args.depth };
    let request = ExplainRequest { limits, strategy, last: last_move(&line) };
    let ctx = shared.context().with_budget(args.nodes.unwrap_or(u64::MAX)).within(seconds_limit(args.time)?);
    let report = game.explain(line.position(), &request, &ctx)?;
    shared.answer(&report)?;
    ending(&report, shared)
}

/// The last move of a line, with the position before it.
fn last_move(line: &Line) -> Option<(String, String)> {
    let (mv, _) = line.played.last()?;
    let before = line.played.len().checked_sub(2).map_or(&line.from, |at| &line.played[at].1);
    Some((before.clone(), mv.clone()))
}

/// The result of the command once its report is written.
fn ending(report: &ExplainReport, shared: &Shared) -> Result<(), Failure> {
    let proven =
        if report.why.root.value == Bounds::UNKNOWN { "nothing is proven" } else { "the bounds above are proven" };
    match (&report.why.stopped, report.value()) {
        (None, Some(_)) => Ok(()),
        (Some(_), Some(_)) => {
            shared.note("stopped at the limit given: some moves, distances or answers are not proven");
            Ok(())
        }
        (None, None) => Err(Failure::Failed(format!("the value is unknown; {proven}"))),
        (Some(why), None) => Err(Failure::Failed(format!("{why}; {proven}"))),
    }
}
