//! `agon reproduce`.

use crate::VERSION;
use crate::cli::{Reproduce, Shared};
use crate::commands::emit_json;
use crate::failure::Failure;
use crate::output::{emit, table, write_file};
use agon_reproduce::{Item, answer, chosen, pages, run, text};

/// `agon reproduce`.
pub fn command(args: &Reproduce, shared: &Shared) -> Result<(), Failure> {
    // `1` means document 001.
    let padded =
        |word: &String| if word.bytes().all(|b| b.is_ascii_digit()) { format!("{word:0>3}") } else { word.clone() };
    let asked: Vec<String> = args.items.iter().map(padded).collect();
    let items = chosen(&asked, args.full || args.list)?;
    if args.list {
        return list(&items, shared);
    }
    let ctx = shared.context();
    let mut rows = Vec::new();
    for (i, item) in items.iter().enumerate() {
        ctx.progress("reproducing", i as u64, Some(items.len() as u64));
        ctx.check()?;
        rows.push(run(item, &ctx.with_own_count())?);
    }
    if let Some(dir) = &args.out {
        let boards = dir.join("boards");
        std::fs::create_dir_all(&boards).map_err(|error| Failure::io(&boards, "create", error))?;
        for (name, text) in pages::all(&rows)? {
            write_file(&dir.join(name), text.as_bytes())?;
        }
    }
    if shared.json {
        emit_json(&answer(&rows))?;
    } else {
        emit(&text(&rows, shared.paint()))?;
    }
    if let Some(dir) = &args.out {
        shared.note(&format!("written to {}: reproduce.md, .json, .csv and .html, and boards", dir.display()));
    }
    let changed: Vec<&str> = rows.iter().filter(|row| !row.as_recorded).map(|row| row.id).collect();
    if changed.is_empty() {
        return Ok(());
    }
    Err(Failure::Failed(format!("not the verdict on record: {}", changed.join(", "))))
}

fn list(items: &[&Item], shared: &Shared) -> Result<(), Failure> {
    if shared.json {
        let item = |i: &&Item| {
            serde_json::json!({"id": i.id, "source": i.source, "claim": i.claim, "claimed": i.claimed,
                               "how": i.how, "slow": i.slow})
        };
        let items: Vec<_> = items.iter().map(item).collect();
        return emit_json(&serde_json::json!({"agon": VERSION, "game": null, "items": items}));
    }
    let row = |i: &&Item| vec![i.id.to_string(), if i.slow { "--full" } else { "" }.to_string(), i.claim.to_string()];
    let rows: Vec<Vec<String>> = items.iter().map(row).collect();
    emit(&table(&["item", "slow", "claim"], &rows))
}
