//! `agon bench`: fixed work with known answers. A rate is printed only beside an answer that was checked.

use crate::VERSION;
use crate::cli::{Bench, Shared};
use crate::commands::emit_json;
use crate::failure::Failure;
use crate::output::{emit, grouped, table};
use agon_bench::{ITEMS, Item, Measured};

/// `agon bench`.
pub fn command(args: &Bench, shared: &Shared) -> Result<(), Failure> {
    let wanted = |item: &&Item| args.only.is_empty() || args.only.iter().any(|word| item.name.contains(word.as_str()));
    let items: Vec<&Item> = ITEMS.iter().filter(wanted).collect();
    if items.is_empty() {
        let names: Vec<&str> = ITEMS.iter().map(|item| item.name).collect();
        return Err(Failure::Usage(format!(
            "no bench matches `{}`: expected {}",
            args.only.join(" "),
            names.join(", ")
        )));
    }
    let ctx = shared.context();
    let mut measured = Vec::new();
    for (i, item) in items.iter().enumerate() {
        ctx.progress("measuring", i as u64, Some(items.len() as u64));
        ctx.check()?;
        measured.push(item.measure());
    }
    if shared.json {
        emit_json(&serde_json::json!({"agon": VERSION, "game": null, "items": measured}))?;
    } else {
        let row = |m: &Measured| {
            let answer = if m.answer_ok { "correct" } else { "WRONG" };
            let rate = grouped(m.rate as u64);
            vec![m.name.into(), grouped(m.work), crate::output::duration(m.seconds), rate, m.unit.into(), answer.into()]
        };
        let rows: Vec<Vec<String>> = measured.iter().map(row).collect();
        emit(&table(&["work", "units", "time", "rate", "unit", "answer"], &rows))?;
    }
    match measured.iter().find(|m| !m.answer_ok) {
        Some(wrong) => Err(Failure::Failed(format!("`{}` gave a wrong answer", wrong.name))),
        None => Ok(()),
    }
}
