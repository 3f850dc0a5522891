//! The report of a solve beyond the value: positions by distance, values of the first moves, lines of play.

use crate::job::{Outcome, WorkDir};
use crate::job_kinds::{TABLES, certificate};
use agon_check::Section;
use agon_core::{Ctx, Value as GameValue, Wdl};
use agon_registry::Registry;
use agon_registry::erased::tables::{AnyTables, TableRequest, tables_of};
use agon_registry::erased::{AnyGame, Evidence, MoveValue, SolveRequest};
use agon_report::SolveReport;
use agon_report::failure::Failure;
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// The time between two saves of unfinished tables.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);
/// The node limit for lines and first moves after the value is known.
const EXTRA_NODES: u64 = 30_000_000;
/// The most moves of a line.
const MAX_LINE: u32 = 400;
/// First moves are valued if there are at most this many.
const FIRST_MOVES: u64 = 200;

/// An estimate takes at most this long.
const ESTIMATE_TIME: Duration = Duration::from_secs(1);

/// Adds what is known from elsewhere and, if the value was not proven, an estimate; as JSON.
pub(crate) fn completed(
    registry: &Registry,
    game: &dyn AnyGame,
    mut report: SolveReport,
    memory: u64,
    ctx: &Ctx,
) -> Result<Value, Failure> {
    let pos = report.position.clone();
    report.known = registry.known_at(game, &pos, report.bounds)?;
    if report.bounds.value().is_none() {
        let short = ctx.with_own_count().without_progress().within(ESTIMATE_TIME);
        report.estimate = game.estimate(&pos, memory, &short).ok().flatten();
    }
    let says = report.estimate.as_ref().map(|estimate| estimate.text(&report.mover[1]));
    let mut report = serde_json::to_value(report).unwrap_or_default();
    if let Some(says) = says {
        report["estimate"]["says"] = json!(says);
    }
    Ok(report)
}

/// A strong solve with tables on disk. After an interruption it resumes from the last save.
pub(crate) struct TableSolve {
    pub(crate) registry: Registry,
    pub(crate) spelling: String,
    pub(crate) pos: String,
    pub(crate) request: SolveRequest,
}

impl TableSolve {
    pub(crate) fn run(&self, ctx: &Ctx, work_dir: &WorkDir) -> Result<Outcome, Failure> {
        let begun = Instant::now();
        // A separate instance: requests keep using the cached game.
        let game = self.registry.game(&self.spelling)?;
        let tables = tables_of(game.as_ref())?;
        let folder = work_dir.folder()?.join(TABLES);
        match self.solve(tables.as_ref(), &folder, ctx) {
            Err(Failure::Damaged { .. }) => {
                // The saved tables are unusable: start again.
                let _ = std::fs::remove_dir_all(&folder);
                self.solve(tables.as_ref(), &folder, ctx)?;
            }
            other => other?,
        }
        let game = tables.open(&folder)?;
        ctx.progress("looking up values", 0, None);
        let (mut report, evidence) = game.solve(&self.pos, &self.request, &ctx.with_own_count())?;
        report.known = self.registry.known_at(game.as_ref(), &self.pos, report.bounds)?;
        let mut report = serde_json::to_value(report).unwrap_or_default();
        report["seconds"] = json!(begun.elapsed().as_secs_f64());
        report["tables"] = json!(true);
        let mut distances: BTreeMap<u32, u64> = BTreeMap::new();
        for shard in tables.stats(&folder)? {
            shard.distances.into_iter().for_each(|(plies, n)| *distances.entry(plies).or_default() += n);
        }
        report["distances"] = by_distance(distances);
        if let Some((_, position, line)) = tables.longest(&folder)? {
            report["longest"] = json!({"position": position, "plies": line.len(), "line": line});
        }
        lines(game.as_ref(), &mut report, ctx);
        let file = certificate(evidence, &mut report);
        Ok(Outcome { report, file })
    }

    fn solve(&self, tables: &dyn AnyTables, folder: &Path, ctx: &Ctx) -> Result<(), Failure> {
        let last = Cell::new(Instant::now());
        let request = TableRequest {
            resume: true,
            due: &|| last.get().elapsed() >= SAVE_INTERVAL,
            saved: &|| last.set(Instant::now()),
            ..TableRequest::new(folder, self.request.memory)
        };
        tables.solve(&request, ctx).map(|_| ())
    }
}

/// The numbers of positions (up to symmetry) by plies to the end, in the form of a report.
fn by_distance(distances: BTreeMap<u32, u64>) -> Value {
    distances.into_iter().map(|(plies, n)| json!([plies, n])).collect()
}

/// Adds distances and lines to the report of a position that was solved without tables on disk.
pub(crate) fn enrich(game: &dyn AnyGame, report: &mut Value, evidence: &Evidence, ctx: &Ctx) {
    let mut longest = None;
    if let Ok(Some(certificate)) = evidence {
        let mut distances = BTreeMap::new();
        let mut win: Option<(&str, u32)> = None;
        let values = certificate.sections.iter().filter_map(|section| match section {
            Section::Values(entries) => Some(entries),
            _ => None,
        });
        for (pos, value) in values.flatten() {
            let Some(plies) = GameValue::plies(*value).filter(|_| value.wdl() != Wdl::Draw) else { continue };
            *distances.entry(plies).or_default() += 1;
            if value.wdl() == Wdl::Win && win.is_none_or(|(_, most)| plies > most) {
                win = Some((pos, plies));
            }
        }
        if !distances.is_empty() {
            report["distances"] = by_distance(distances);
        }
        longest = win.map(|(pos, plies)| (pos.to_string(), plies));
    }
    lines(game, report, ctx);
    let small = &small_budget(ctx);
    let line = longest.map(|(pos, plies)| (best_line(game, &pos, plies, small), pos, plies));
    if let Some((line, position, plies)) = line.filter(|(line, _, plies)| line.len() as u32 == *plies) {
        report["longest"] = json!({"position": position, "plies": plies, "line": line});
    }
}

/// Adds the values of the first moves, and the line of best play if one side wins.
fn lines(game: &dyn AnyGame, report: &mut Value, ctx: &Ctx) {
    ctx.progress("valuing the first moves", 0, None);
    let small = &small_budget(ctx);
    let Some(pos) = report["position"].as_str().map(String::from) else { return };
    let few = game.count_moves(&pos).is_ok_and(|moves| moves <= FIRST_MOVES);
    if few && report["first_moves"].is_null() {
        let mut values = game.values(&pos, small).unwrap_or_default();
        values.sort_by_key(|value| std::cmp::Reverse(value.preference()));
        let row = |v: &MoveValue| json!({"move": v.mv, "value": v.value.name(), "plies": v.plies});
        report["first_moves"] = values.iter().map(row).collect();
    }
    let decided = matches!(report["value"].as_str(), Some("win" | "loss"));
    if let Some(plies) = report["plies"].as_u64().filter(|_| decided) {
        let line = best_line(game, &pos, u32::try_from(plies).unwrap_or(u32::MAX), small);
        // An incomplete line would look like a complete one.
        if line.len() as u64 == plies {
            report["line"] = json!(line);
        }
    }
}

/// Best play on both sides, as far as it is proven within the limits of `ctx`.
fn best_line(game: &dyn AnyGame, from: &str, plies: u32, ctx: &Ctx) -> Vec<String> {
    let (mut pos, mut line) = (from.to_string(), Vec::new());
    while (line.len() as u32) < plies.min(MAX_LINE) && ctx.check().is_ok() {
        let Ok(values) = game.values(&pos, ctx) else { break };
        let Some(best) = values.into_iter().max_by_key(MoveValue::preference) else { break };
        let Ok((mv, next)) = game.play(&pos, &best.mv) else { break };
        line.push(mv);
        pos = next;
    }
    line
}

/// A child context with a small node budget and without progress.
fn small_budget(ctx: &Ctx) -> Ctx {
    ctx.with_own_count().without_progress().with_budget(EXTRA_NODES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_registry::erased::MethodChoice;

    fn solved(spelling: &str, strong: bool) -> Value {
        let game = agon_registry::standard().game(spelling).unwrap();
        let request = SolveRequest::plain(1 << 28).certified();
        let request = if strong { request.by(MethodChoice::Strong) } else { request };
        let (report, evidence) = game.solve(&game.start(), &request, &Ctx::default()).unwrap();
        let mut report = serde_json::to_value(report).unwrap();
        enrich(game.as_ref(), &mut report, &evidence, &Ctx::default());
        report
    }

    #[test]
    fn a_strong_solve_counts_by_distance_and_knows_its_longest_win() {
        let report = solved("tic-tac-toe", true);
        let of = |kind: usize| -> u64 {
            let rows = report["distances"].as_array().unwrap();
            rows.iter()
                .filter(|row| row[0].as_u64().unwrap() % 2 == kind as u64)
                .map(|row| row[1].as_u64().unwrap())
                .sum()
        };
        // Odd distances are wins and even ones losses, finished positions among them; draws have none.
        assert_eq!(
            (of(1), of(0)),
            (report["classes"]["win"].as_u64().unwrap(), report["classes"]["loss"].as_u64().unwrap())
        );
        let longest = &report["longest"];
        assert_eq!(longest["line"].as_array().unwrap().len() as u64, longest["plies"].as_u64().unwrap());
        assert_eq!(report["first_moves"].as_array().unwrap().len(), 9);
    }

    #[test]
    fn a_won_game_comes_with_its_line() {
        let report = solved("mnk:4,3,3", false);
        assert_eq!(
            (report["value"].as_str(), report["line"].as_array().unwrap().len() as u64),
            (Some("win"), report["plies"].as_u64().unwrap())
        );
    }

    #[test]
    fn an_unproved_value_comes_with_an_estimate_and_with_what_is_known() {
        let (registry, game) = (agon_registry::standard(), agon_registry::standard().game("drop:7,6,4").unwrap());
        let few = Ctx::default().with_budget(100);
        let (report, _) = game.solve(&game.start(), &SolveRequest::plain(1 << 24), &few).unwrap();
        let report = completed(registry, game.as_ref(), report, 1 << 24, &Ctx::default()).unwrap();
        assert_eq!(report["value"], "unknown");
        let says = report["estimate"]["says"].as_str().unwrap();
        assert!(says.ends_with("an estimate, not a proof"), "{says}");
        assert_eq!((&report["known"]["value"], &report["known"]["agrees"]), (&json!("win"), &Value::Null));
        assert!(report["known"]["source"].as_str().unwrap().contains("1988"));
    }
}
