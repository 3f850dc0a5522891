//! `agon table find`: the positions in tables that have a property.

use crate::cli::{Find, Shared};
use crate::erased::AnyGame;
use crate::erased::tables::{AnyTables, TableQuery};
use crate::failure::Failure;
use crate::output::emit;
use crate::report::{PuzzleKind, PuzzlesReport};
use agon_core::Wdl;
use std::time::Instant;

/// `agon table find`.
pub(super) fn command(args: &Find, game: &dyn AnyGame, tables: &dyn AnyTables, shared: &Shared) -> Result<(), Failure> {
    let begun = Instant::now();
    let value = args.value.map(Wdl::from);
    let kind = match (args.puzzles, value) {
        (false, _) => None,
        (true, Some(Wdl::Win)) => Some(PuzzleKind::Win),
        (true, Some(Wdl::Draw)) => Some(PuzzleKind::Save),
        (true, _) => return Err(Failure::Usage("puzzles need --value win or --value draw".into())),
    };
    let seed = shared.seed.unwrap_or(1);
    let query = TableQuery {
        only: args.only.as_deref(),
        value,
        plies: args.plies,
        only_move: args.only_move,
        zugzwang: args.zugzwang,
        count: args.count as usize,
        sample: args.sample.then_some(seed),
    };
    let ctx = shared.context_for("examining indices");
    let found = tables.find(&args.folder, &query, &ctx)?;
    let Some(kind) = kind else {
        return if args.csv { emit(&found.csv()) } else { shared.answer(&found) };
    };
    let opened = tables.open(&args.folder)?;
    let mut report = PuzzlesReport::new(game.spelling(), kind, seed, query.count);
    for found in &found.matches {
        report.puzzles.extend(opened.puzzle(&found.position, kind, &ctx.without_progress())?);
    }
    report.sort();
    report.seconds = begun.elapsed().as_secs_f64();
    if args.csv { emit(&report.csv()) } else { shared.answer(&report) }
}
