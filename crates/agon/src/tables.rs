//! Tables on disk: solving into a directory, and asking one.

mod check;
mod export;
mod find;
mod part;
mod records;
#[cfg_attr(not(feature = "timely"), path = "tables/alone.rs")]
mod together;

use crate::VERSION;
use crate::cli::{Shared, Solve, Table};
use crate::commands::emit_json;
use crate::erased::tables::{AnyTables, TableRequest, game_in, probe, tables_of};
use crate::erased::{AnyGame, MoveValue};
use crate::failure::Failure;
use crate::output::{counted, emit, grouped, table};
use crate::report::{TablesUsed, shards_text};
use agon_core::{Ctx, Wdl};
use serde_json::json;
use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

pub use check::check;

/// The game with values from `folder`, if there is one.
pub fn opened(game: Box<dyn AnyGame>, folder: Option<&Path>) -> Result<Box<dyn AnyGame>, Failure> {
    match folder {
        Some(folder) => tables_of(game.as_ref())?.open(folder),
        None => Ok(game),
    }
}

/// The game with values from a directory, how many tables were solved into it, and in how many seconds.
type Solved = (Box<dyn AnyGame>, TablesUsed, f64);

/// Solves tables into a directory: how many, and in how many seconds. Nothing when the start of the game is not among
/// them, so that what they hold is all there is to say.
pub fn solve_into(
    game: &dyn AnyGame,
    folder: &Path,
    args: &Solve,
    ctx: &Ctx,
    shared: &Shared,
) -> Result<Option<Solved>, Failure> {
    let tables = tables_of(game)?;
    let pause = Duration::try_from_secs_f64(args.save_every);
    let pause =
        pause.map_err(|_| Failure::Usage(format!("invalid pause `{}`: expected seconds, like 50", args.save_every)))?;
    let last = Cell::new(Instant::now());
    if !args.part.is_empty() {
        return part::solve(game, tables.as_ref(), args, ctx, shared);
    }
    let (numbers, bytes) = tables.size(args.only.as_deref())?;
    shared.note(&format!("{} indices to solve, about {} MiB of memory", grouped(numbers), bytes.div_ceil(1 << 20)));
    let worker = worker();
    let memory = (args.memory as u64).saturating_mul(1 << 20);
    let request = TableRequest {
        resume: args.resume,
        only: args.only.as_deref(),
        worker: worker.as_deref(),
        due: &|| last.get().elapsed() >= pause,
        saved: &|| last.set(Instant::now()),
        damaged: &|why| shared.note(&format!("{why}; it is solved again")),
        ..TableRequest::new(folder, memory)
    };
    let begun = Instant::now();
    let (found, solved) = tables.solve(&request, ctx)?;
    let seconds = begun.elapsed().as_secs_f64();
    let spent = crate::output::duration(seconds);
    shared.note(&match (solved, found) {
        (0, found) => format!("nothing to solve: {} in `{}`", counted(found, "table"), folder.display()),
        (_, 0) => format!("{} solved in {spent}; `{}`", counted(solved, "table"), folder.display()),
        _ => format!("{} solved in {spent}, {found} already there; `{}`", counted(solved, "table"), folder.display()),
    });
    if args.only.is_none() {
        let opened = tables.open(folder)?;
        let used = TablesUsed { folder: folder.display().to_string(), solved, found };
        return Ok(Some((opened, used, seconds)));
    }
    stats(game, tables.as_ref(), folder, shared)?;
    Ok(None)
}

/// The name of this worker in records, if the environment gives it one.
fn worker() -> Option<String> {
    std::env::var("AGON_WORKER").ok().filter(|name| !name.trim().is_empty())
}

/// `agon table`.
pub fn command(args: &Table, shared: &Shared) -> Result<(), Failure> {
    let folder = args.folder();
    let game = game_in(&shared.registry, folder)?;
    let tables = tables_of(game.as_ref())?;
    match args {
        Table::Stats { .. } => stats(game.as_ref(), tables.as_ref(), folder, shared),
        Table::Verify { .. } => {
            let (count, numbers) = tables.verify(folder, &shared.context_for("reading tables"))?;
            if shared.json {
                return emit_json(&json!({"agon": VERSION, "game": game.spelling(), "tables": count,
                                         "numbers": numbers, "whole": true}));
            }
            emit(&format!(
                "{}: {} of {}, {} indices; every block matches its checksum, and every header its contents\n",
                shared.paint().good("intact"),
                counted(count, "table"),
                game.spelling(),
                grouped(numbers)
            ))
        }
        Table::Longest { .. } => {
            let found = tables.longest(folder)?;
            let (shard, position, line) = found.ok_or_else(|| Failure::Failed("no table holds a win".into()))?;
            if shared.json {
                return emit_json(&json!({"agon": VERSION, "game": game.spelling(), "shard": shard,
                                         "position": position, "plies": line.len(), "line": line}));
            }
            let (plies, moves) = (line.len(), line.join(" "));
            emit(&format!(
                "a longest win of {}: {plies} plies from {position} in table {shard}\n{moves}\n",
                game.spelling()
            ))
        }
        Table::Records { .. } => records::command(game.as_ref(), tables.as_ref(), folder, shared),
        Table::Export(args) => export::command(args, game.as_ref(), tables.as_ref(), shared),
        Table::Find(args) => find::command(args, game.as_ref(), tables.as_ref(), shared),
        Table::Probe { position, .. } => {
            let game = tables.open(folder)?;
            let line = shared.line(game.as_ref(), position.as_deref())?;
            probed(game.as_ref(), line.position(), shared)
        }
    }
}

fn stats(game: &dyn AnyGame, tables: &dyn AnyTables, folder: &Path, shared: &Shared) -> Result<(), Failure> {
    let shards = tables.stats(folder)?;
    if shared.json {
        return emit_json(&json!({"agon": VERSION, "game": game.spelling(), "shards": shards}));
    }
    emit(&format!("{} in {}\n\n{}", game.spelling(), folder.display(), shards_text(&shards)))
}

fn probed(game: &dyn AnyGame, position: &str, shared: &Shared) -> Result<(), Failure> {
    let ctx = shared.context_for("looking up values");
    let found = probe(game, position, &ctx)?;
    let (report, _) = game.solve(&found.position, &crate::commands::look_up(), &ctx)?;
    if shared.json {
        return emit_json(&json!({
            "agon": VERSION, "game": game.spelling(), "position": found.position, "value": report.value,
            "plies": report.plies, "best": found.best.map(|best| best.mv), "moves": found.moves,
        }));
    }
    let verb = |value: &MoveValue| match value.value {
        Wdl::Win => "wins",
        Wdl::Draw => "draws",
        Wdl::Loss => "loses",
    };
    let plies = |n: Option<u32>| n.map_or("-".to_string(), |n| n.to_string());
    let row = |v: &MoveValue| vec![v.mv.clone(), verb(v).to_string(), plies(v.plies)];
    let rows: Vec<Vec<String>> = found.moves.iter().map(row).collect();
    let value = shared.paint().bold(report.value);
    let after = report.plies.map_or(String::new(), |n| format!(" in {}", counted(n, "ply").replace("plys", "plies")));
    let text = format!("{} from {}\nvalue  {value}{after} for the side to move\n", game.spelling(), found.position);
    emit(&if rows.is_empty() { text } else { format!("{text}\n{}", table(&["move", "", "plies"], &rows)) })
}

/// `agon count --export`.
pub fn export(game: &dyn AnyGame, path: &Path, memory: usize, shared: &Shared) -> Result<(), Failure> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    if !matches!(ending.as_deref(), Some("csv" | "json")) {
        return Err(Failure::Usage(format!(
            "invalid file `{}`: expected a name ending in .csv or .json",
            path.display()
        )));
    }
    let rows = game.boards((memory as u64).saturating_mul(1 << 20), &shared.context_for("solving tables"))?;
    let text = if ending.as_deref() == Some("json") {
        let rows = json!({"agon": VERSION, "game": game.spelling(), "boards": rows});
        format!("{rows:#}\n")
    } else {
        let cell = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
        let mut text = "phase,step,board,over,positions,sequences,value,plies\n".to_string();
        for row in &rows {
            let numbers = [row.step.map(u64::from), row.sequences, row.plies.map(u64::from)].map(cell);
            let [step, sequences, plies] = numbers;
            text.push_str(&format!(
                "{},{step},{},{},{},{sequences},{},{plies}\n",
                row.phase, row.board, row.over, row.positions, row.value
            ));
        }
        text
    };
    crate::output::write_file(path, text.as_bytes())?;
    let shown = path.display();
    if shared.json {
        return emit_json(
            &json!({"agon": VERSION, "game": game.spelling(), "boards": rows.len(), "file": shown.to_string()}),
        );
    }
    emit(&format!("{} of {} written to {shown}\n", counted(rows.len(), "board"), game.spelling()))
}
