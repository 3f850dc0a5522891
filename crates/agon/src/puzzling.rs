//! `agon puzzles`: positions with exactly one right move.

use crate::analysing::files;
use crate::cli::{Puzzles, Shared};
use crate::commands::seconds_limit;
use crate::erased::PuzzleRequest;
use crate::failure::Failure;
use crate::output::{counted, emit};
use crate::position::loaded;
use crate::tables;

/// `agon puzzles`.
pub fn command(args: &Puzzles, shared: &Shared) -> Result<(), Failure> {
    if args.csv && shared.json {
        return Err(Failure::Usage("give --csv or --json".into()));
    }
    let game = tables::opened(shared.game(&args.game)?, args.table.as_deref())?;
    let (kind, count, nodes) = (args.kind.into(), args.count as usize, args.nodes);
    let mut positions = Vec::new();
    for file in files(&args.files)?.0 {
        let (_, line) = loaded(game.as_ref(), &file)?;
        positions.push(line.from);
        positions.extend(line.played.into_iter().map(|(_, pos)| pos));
    }
    let looked_at = positions.len();
    let request = PuzzleRequest { kind, count, seed: shared.seed.unwrap_or(1), nodes, positions };
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
        found if found >= count || found > 0 && looked_at > 0 => Ok(()),
        _ if looked_at > 0 => Err(Failure::Failed(format!(
            "no puzzle among {}: none has exactly one right move, or its value was not found within --nodes",
            counted(looked_at, "position")
        ))),
        found => {
            let (found, plays) = (counted(found, "puzzle"), counted(report.plays, "play"));
            Err(Failure::Failed(format!(
                "{found} instead of {count} in {plays}: allow more with --nodes or --time, or ask for fewer"
            )))
        }
    }
}
