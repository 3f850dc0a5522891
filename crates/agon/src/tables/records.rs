//! `agon table records`: who made each table, and who checked it.

use super::part::unreadable;
use crate::VERSION;
use crate::cli::Shared;
use crate::commands::emit_json;
use crate::erased::AnyGame;
use crate::erased::tables::AnyTables;
use crate::failure::Failure;
use crate::output::{emit, table};
use agon_table::directory::ENDING;
use agon_table::record;
use serde_json::{Value, json};
use std::path::Path;

pub(super) fn command(
    game: &dyn AnyGame,
    tables: &dyn AnyTables,
    folder: &Path,
    shared: &Shared,
) -> Result<(), Failure> {
    let ctx = shared.context_for("reading tables");
    let names: Vec<String> = tables.units(None)?.into_iter().flat_map(|unit| unit.tables).collect();
    let mut rows: Vec<Value> = Vec::new();
    for (done, name) in names.iter().enumerate() {
        ctx.check()?;
        ctx.progress("reading tables", done as u64, Some(names.len() as u64));
        let path = folder.join(format!("{name}.{ENDING}"));
        if !path.exists() {
            continue;
        }
        let (hash, bytes) = record::hash_of(&path).map_err(unreadable)?;
        let record = record::read(&path).map_err(unreadable)?;
        let check = record::read_check(&path).map_err(unreadable)?.filter(|check| check.blake3 == hash);
        rows.push(json!({
            "name": name, "blake3": hash, "bytes": bytes, "recorded": record.as_ref().map(|record| record.blake3 == hash),
            "made": record.and_then(|record| record.made), "checked": check,
        }));
    }
    let wrong: Vec<&str> =
        rows.iter().filter(|row| row["recorded"] == false).filter_map(|row| row["name"].as_str()).collect();
    if shared.json {
        emit_json(&json!({"agon": VERSION, "game": game.spelling(), "tables": rows}))?;
    } else {
        let text = |value: &Value| value.as_str().unwrap_or("-").to_string();
        let row = |row: &Value| {
            let recorded = match row["recorded"].as_bool() {
                Some(true) => "as recorded",
                Some(false) => "another hash",
                None => "no record",
            };
            let seconds = row["made"]["seconds"].as_f64().map_or("-".to_string(), |seconds| format!("{seconds:.1}"));
            let share = row["checked"]["share"].as_f64().map_or("-".to_string(), |share| share.to_string());
            vec![
                text(&row["name"]),
                text(&row["blake3"]).chars().take(16).collect(),
                recorded.to_string(),
                text(&row["made"]["worker"]),
                seconds,
                share,
                text(&row["checked"]["worker"]),
            ]
        };
        let rows: Vec<Vec<String>> = rows.iter().map(row).collect();
        let head = ["table", "blake3", "record", "made by", "seconds", "checked", "by"];
        emit(&format!("{} in {}\n\n{}", game.spelling(), folder.display(), table(&head, &rows)))?;
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::damaged(folder, format!("tables with another hash than their records name: {}", wrong.join(" "))))
}
