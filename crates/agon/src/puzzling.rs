//! `agon puzzles`: positions with exactly one right move.

use crate::cli::{Puzzles, Shared};
use crate::commands::seconds_limit;
use crate::erased::PuzzleRequest;
use crate::failure::Failure;
use crate::output::{counted, emit};
use crate::tables;

/// `agon puzzles`.
pub fn command(args: &Puzzles, shared: &Shared) -> Result<(), Failure> {
    if args.csv && shared.json {
        return Err(Failure::Usage("give --csv or --json".into()));
    }
    let game = tables::opened(shared.game(&args.game)?, args.table.as_deref())?;
    let (kind, count, nodes) = (args.kind.into(), args.count as usize, args.nodes);
    let request = PuzzleRequest { kind, count, seed: shared.seed.unwrap_or(1), nodes };
    let ctx = match args.time {
        Some(seconds) => shared.context().within(seconds_limit(seconds)?),
        None => shared.context(),
    };
    let report = game.puzzles(&request, &ctx)?;
    match args.csv {
        true => emit(&report.csv())?,
        false => shared.answer(&report)?,
    }
    match report.puzzles.len() {
        found if found >= count => Ok(()),
        found => {
            let (found, plays) = (counted(found, "puzzle"), counted(report.plays, "play"));
            Err(Failure::Failed(format!(
                "{found} instead of {count} in {plays}: allow more with --nodes or --time, or ask for fewer"
            )))
        }
    }
}
