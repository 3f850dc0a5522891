//! Some tables of a directory, solved or checked beside other processes: the tasks of a plan.

use super::{together, worker};
use crate::VERSION;
use crate::cli::{CheckFile, Shared, Solve};
use crate::commands::{emit_json, fresh_seed};
use crate::erased::AnyGame;
use crate::erased::tables::{AnyTables, TableRequest};
use crate::failure::Failure;
use crate::output::{counted, duration, emit, grouped};
use agon_check::Rejected;
use agon_check::tables::{Checked, Extent};
use agon_core::Ctx;
use agon_solve::retro::folder::Sent;
use agon_table::BadFile;
use agon_table::directory::ENDING;
use agon_table::record::{self, CheckRecord, Record};
use serde_json::json;
use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

/// What has become of a request.
pub(super) enum Work {
    /// The tables are there.
    Done {
        /// Tables that were there already.
        found: usize,
        /// Tables that were solved.
        solved: usize,
        /// What several processes sent one another.
        sent: Option<Sent>,
    },
    /// Another process has said so.
    #[cfg_attr(not(feature = "timely"), expect(dead_code))]
    Elsewhere,
}

/// Solves the components of the tables that `--part` names, unless they are there already.
pub(super) fn solve<T>(
    game: &dyn AnyGame,
    tables: &dyn AnyTables,
    args: &Solve,
    ctx: &Ctx,
    shared: &Shared,
) -> Result<Option<T>, Failure> {
    let folder = args.table.as_deref().unwrap_or(Path::new("."));
    let pause = crate::commands::seconds_limit(args.save_every)?;
    let last = Cell::new(Instant::now());
    let worker = worker();
    let request = TableRequest {
        resume: true,
        these: Some(&args.part),
        patience: Duration::from_secs(args.patience.into()),
        worker: worker.as_deref(),
        due: &|| last.get().elapsed() >= pause,
        saved: &|| last.set(Instant::now()),
        damaged: &|why| shared.note(&format!("{why}; the work is done again")),
        ..TableRequest::new(folder, (args.memory as u64).saturating_mul(1 << 20))
    };
    let begun = Instant::now();
    let Work::Done { found, solved, sent } = together::solve(args, tables, &request, ctx, shared)? else {
        return Ok(None);
    };
    let seconds = begun.elapsed().as_secs_f64();
    let shown = folder.display().to_string();
    if shared.json {
        let mut answer = json!({"agon": VERSION, "game": game.spelling(), "part": args.part, "seconds": seconds,
                                "tables": {"folder": shown, "solved": solved, "found": found}});
        if let Some(sent) = sent {
            answer["processes"] = json!(args.processes);
            answer["sent"] = json!({"messages": sent.batches, "bytes": sent.bytes});
        }
        emit_json(&answer)?;
    } else {
        let spent = duration(seconds);
        let sent = sent.map_or(String::new(), |sent| {
            format!(
                ", by {} processes with {} messages of {} bytes together",
                args.processes,
                grouped(sent.batches),
                grouped(sent.bytes)
            )
        });
        emit(&match solved {
            0 => format!("{} of {} already there; `{shown}`\n", counted(found, "table"), game.spelling()),
            _ => format!("{} of {} solved in {spent}{sent}; `{shown}`\n", counted(solved, "table"), game.spelling()),
        })?;
    }
    Ok(None)
}

/// Checks the tables that `--part` names: hashes first, then values by forward moves.
pub(super) fn check(
    args: &CheckFile,
    game: &dyn AnyGame,
    tables: &dyn AnyTables,
    shared: &Shared,
) -> Result<(), Failure> {
    let folder = args.file.as_path();
    let seed = shared.seed.unwrap_or_else(fresh_seed);
    let share = args.share.unwrap_or(1.0);
    let extent = if share < 1.0 { Extent::Share { share, seed } } else { Extent::Full };
    let known: Vec<String> = tables.units(None)?.into_iter().flat_map(|unit| unit.tables).collect();
    if let Some(unknown) = args.part.iter().find(|name| !known.contains(name)) {
        return Err(Failure::NotOffered {
            what: format!("table `{unknown}`"),
            game: game.spelling().to_string(),
            offered: known,
        });
    }
    let ctx = shared.context_for("checking tables");
    let (mut total, mut skipped) = (Checked::default(), 0);
    for name in &args.part {
        ctx.check()?;
        let path = folder.join(format!("{name}.{ENDING}"));
        let record = recorded(folder, &path)?;
        let before = record::read_check(&path).map_err(unreadable)?;
        if args.record && before.is_some_and(|before| before.blake3 == record.blake3 && before.share >= share) {
            skipped += 1;
            continue;
        }
        let checked = match tables.check_some(folder, std::slice::from_ref(name), extent, &ctx) {
            Ok(checked) => checked,
            Err(Rejected::Stopped(stop)) => return Err(stop.into()),
            Err(Rejected::Corrupt(why)) => return Err(Failure::damaged_text(why)),
            Err(Rejected::Refuted(why)) => {
                let by = record.made.as_ref().and_then(|made| made.worker.clone());
                let by = by.map_or(String::new(), |worker| format!(" (made by {worker})"));
                say(game, args, ("refuted", &format!("table {name}{by}: {why}")), (seed, share), &total, shared)?;
                return Err(Failure::Refuted);
            }
        };
        total.tables += checked.tables;
        total.indices += checked.indices;
        total.positions += checked.positions;
        if args.record {
            let result = CheckRecord {
                format: record::CHECK_FORMAT.to_string(),
                game: game.spelling().to_string(),
                table: name.clone(),
                blake3: record.blake3.clone(),
                share,
                seed,
                numbers: checked.indices,
                worker: worker(),
                made_by: record.made.and_then(|made| made.worker),
                at: record::now(),
                agon: record::VERSION.to_string(),
            };
            record::write_check(&path, &result).map_err(unreadable)?;
        }
    }
    let already = if skipped > 0 { format!("; {} checked before", counted(skipped, "table")) } else { String::new() };
    let how =
        if share < 1.0 { format!("each value with probability {share}, seed {seed}") } else { "every value".into() };
    let said = format!(
        "{} of {} by forward moves alone, {how}; {} positions{already}",
        counted(total.tables, "table"),
        game.spelling(),
        grouped(total.positions)
    );
    say(game, args, (if share < 1.0 { "sample" } else { "proved" }, &said), (seed, share), &total, shared)
}

fn say(
    game: &dyn AnyGame,
    args: &CheckFile,
    (verdict, said): (&str, &str),
    (seed, share): (u64, f64),
    checked: &Checked,
    shared: &Shared,
) -> Result<(), Failure> {
    if shared.json {
        let mode = if share < 1.0 { "share" } else { "full" };
        return emit_json(&json!({
            "agon": VERSION, "game": game.spelling(), "holds": verdict != "refuted", "verdict": verdict,
            "statement": said, "mode": mode, "share": share, "seed": (share < 1.0).then_some(seed), "part": args.part,
            "numbers": checked.indices, "positions": checked.positions,
        }));
    }
    let paint = shared.paint();
    emit(&match verdict {
        "refuted" => format!("{}: {said}\n", paint.bad("wrong")),
        "sample" => format!("{}: {said}\n", paint.good("sample holds")),
        _ => format!("{}: {said}\n", paint.good("correct")),
    })
}

/// The record of a table, which has the hash in it and was computed from the tables that are there.
fn recorded(folder: &Path, path: &Path) -> Result<Record, Failure> {
    let shown = path.display();
    if !path.exists() {
        return Err(Failure::Failed(format!("there is no `{shown}`")));
    }
    let none = || {
        let folder = folder.display();
        Failure::Failed(format!(
            "`{shown}` has no record of its hash; `agon solve GAME --strong --table {folder} --resume` writes it"
        ))
    };
    let record = record::read(path).map_err(unreadable)?.ok_or_else(none)?;
    let (hash, _) = record::hash_of(path).map_err(unreadable)?;
    if hash != record.blake3 {
        return Err(Failure::damaged(path, format!("its hash is {hash}, and its record names {}", record.blake3)));
    }
    for (name, hash) in &record.inputs {
        let input = record::read(&folder.join(format!("{name}.{ENDING}"))).map_err(unreadable)?;
        if input.is_some_and(|input| input.blake3 != *hash) {
            return Err(Failure::damaged(path, format!("it was computed from another table {name}")));
        }
    }
    Ok(record)
}

pub(super) fn unreadable(bad: BadFile) -> Failure {
    match bad {
        BadFile::Damaged { path, why } => Failure::damaged(&path, why),
        other => Failure::Failed(other.to_string()),
    }
}
