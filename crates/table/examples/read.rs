//! Reads a table of any kind without the rest of agon: its header, a count of its values, and values by index.
//!
//! ```text
//! cargo run -p agon-table --example read -- six/3-3.agt
//! cargo run -p agon-table --example read -- six/3-3.agt 0 17 4000
//! ```
//!
//! How positions get their indices is part of a game; docs/tables.md describes it for mill games.

use agon_table::smaller::{LOST, WON};
use agon_table::values::{Code, DRAW, UNUSED};
use agon_table::{BadFile, Table};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// A code in words.
fn words(code: Code) -> String {
    match code {
        DRAW => "draw".to_string(),
        UNUSED => "no value".to_string(),
        WON => "win".to_string(),
        LOST => "loss".to_string(),
        code if code % 2 == 0 => format!("win in {} plies", code - 1),
        code => format!("loss in {} plies", code - 1),
    }
}

fn read(path: &Path, indices: &[u64]) -> Result<String, BadFile> {
    let table = Table::open_any(path)?;
    let field = |key: &str| table.reader().field(key).unwrap_or("-").to_string();
    let mut out = format!("{}, table {}, {}, {} indices\n", field("game"), field("shard"), field("kind"), table.size());
    if !indices.is_empty() {
        for &index in indices {
            out.push_str(&format!("{index}: {}\n", words(table.get(index)?)));
        }
        return Ok(out);
    }
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for index in 0..table.size() {
        let kind = match table.get(index)? {
            DRAW => "draws",
            UNUSED => "without a value",
            code if code % 2 == 0 => "wins",
            _ => "losses",
        };
        *counts.entry(kind).or_default() += 1;
    }
    counts.iter().for_each(|(kind, count)| out.push_str(&format!("{count} {kind}\n")));
    Ok(out)
}

fn main() -> std::process::ExitCode {
    let mut words = std::env::args().skip(1);
    let path = words.next();
    let indices: Option<Vec<u64>> = words.map(|word| word.parse().ok()).collect();
    let said = match (path, indices) {
        (Some(path), Some(indices)) => read(Path::new(&path), &indices).map_err(|bad| bad.to_string()),
        _ => Err("expected a table and indices, like six/3-3.agt 0 17".to_string()),
    };
    let (text, code) = match said {
        Ok(text) => (text, 0),
        Err(why) => (format!("read: {why}\n"), 1),
    };
    // A reader that has gone away is no failure.
    let _ = std::io::stdout().write_all(text.as_bytes());
    code.into()
}
