//! `agon table export`: smaller tables for players.

use crate::VERSION;
use crate::cli::{Export, Shared};
use crate::commands::emit_json;
use crate::erased::AnyGame;
use crate::erased::tables::AnyTables;
use crate::failure::Failure;
use crate::output::{counted, emit, grouped};
use agon_solve::retro::smaller::{Coverage, Smaller};
use serde_json::json;

pub(super) fn command(
    args: &Export,
    game: &dyn AnyGame,
    tables: &dyn AnyTables,
    shared: &Shared,
) -> Result<(), Failure> {
    let what = match args.budget {
        None => Smaller::Outcomes,
        Some(bytes) => Smaller::Chosen { bytes, games: args.games, seed: shared.seed.unwrap_or(1) },
    };
    let done = tables.export(&args.folder, &args.out, what, &shared.context_for("exporting tables"))?;
    if done.tables == 0 {
        let given = args.budget.unwrap_or_default();
        return Err(Failure::Usage(format!(
            "a budget of {given} bytes is too small for any table: expected a size like 50MB"
        )));
    }
    let out = args.out.display().to_string();
    if shared.json {
        let coverage = done.coverage.map(|coverage| {
            json!({"games": coverage.games, "decisions": coverage.decisions, "covered": coverage.covered,
                   "share": coverage.share()})
        });
        return emit_json(&json!({"agon": VERSION, "game": game.spelling(), "folder": out, "tables": done.tables,
                                 "bytes": done.bytes, "values": done.entries, "coverage": coverage}));
    }
    let covered = |coverage: Coverage| {
        format!(
            "\ncoverage {:.1} %: all values for {} of {} moves of a perfect player in {} other games",
            100.0 * coverage.share(),
            grouped(coverage.covered),
            grouped(coverage.decisions),
            grouped(coverage.games)
        )
    };
    emit(&format!(
        "{} of {}, {} values in {} bytes; `{out}`{}\n",
        counted(done.tables, "table"),
        game.spelling(),
        grouped(done.entries),
        grouped(done.bytes),
        done.coverage.map_or(String::new(), covered)
    ))
}
