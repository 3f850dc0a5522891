//! `agon tree`: the game tree of a small game, or the tree of a player's search.

use crate::cli::{Shared, Tree};
use crate::commands::seconds_limit;
use crate::failure::Failure;
use crate::output::{emit, write_file};
use crate::registry::tree::{Limits, grow, of_search};
use crate::tables;

/// `agon tree`.
pub fn command(args: &Tree, shared: &Shared) -> Result<(), Failure> {
    let game = tables::opened(shared.game(&args.game)?, None)?;
    let line = shared.line(game.as_ref(), args.position.as_deref())?;
    let limits =
        Limits { plies: args.plies.map_or(usize::MAX, usize::from), nodes: args.most as usize, merge: args.merge };
    let ctx = shared.context().within(seconds_limit(args.time)?);
    let report = match &args.player {
        None => grow(game.as_ref(), line.position(), limits, &ctx)?,
        Some(player) => {
            of_search(game.as_ref(), line.position(), player, shared.seed.unwrap_or(1), limits.nodes, &ctx)?
        }
    };
    match &args.svg {
        None => shared.answer(&report)?,
        Some(file) => {
            write_file(file, report.svg().as_bytes())?;
            if shared.json {
                shared.answer(&report)?;
            } else {
                emit(&format!("picture of {} nodes written to {}\n", report.nodes.len(), file.display()))?;
            }
        }
    }
    if !report.complete {
        shared.note("not every move is followed; --plies and --most allow more");
    }
    Ok(())
}
