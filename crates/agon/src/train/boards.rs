//! Boards with known values, as `agon count --export` writes them: a training set.

use crate::erased::{AnyGame, AnyTrainer};
use crate::failure::Failure;
use crate::output::read_text;
use agon_core::Wdl;
use std::path::Path;

/// A board whose value is known.
struct Known {
    board: String,
    value: Wdl,
    plies: u32,
    /// True for the moving phase, whose boards are listed for one side alone.
    moving: bool,
}

/// Teaches the boards of a file; returns their number.
pub(super) fn teach(game: &dyn AnyGame, trainer: &mut dyn AnyTrainer, path: &Path) -> Result<usize, Failure> {
    let boards = read(path)?;
    for known in &boards {
        let mut taught = trainer.teach(&known.board, known.value, known.plies);
        if known.moving {
            let other = taught.and_then(|()| game.exchanged(&known.board));
            taught = other.and_then(|other| trainer.teach(&other, known.value, known.plies));
        }
        taught.map_err(|why| Failure::Usage(format!("`{}`: {why}", path.display())))?;
    }
    Ok(boards.len())
}

fn read(path: &Path) -> Result<Vec<Known>, Failure> {
    let text = read_text(path)?;
    let wrong = |why: String| Failure::Usage(format!("`{}` is not a list of boards: {why}", path.display()));
    let known = |board: &str, value: &str, plies: u32, phase: &str| {
        let value = [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().find(|wdl| wdl.name() == value);
        let value = value.ok_or_else(|| wrong(format!("the value of {board} must be win, draw or loss")))?;
        Ok(Known { board: board.to_string(), value, plies, moving: phase == "moving" })
    };
    if let Ok(json) = serde_json::from_str::<serde_json::Value>(&text) {
        let rows = json["boards"].as_array().ok_or_else(|| wrong("expected `boards` in the JSON object".into()))?;
        let row = |row: &serde_json::Value| {
            let plies = row["plies"].as_u64().unwrap_or(0) as u32;
            let text = |key: &str| row[key].as_str().unwrap_or_default();
            known(text("board"), text("value"), plies, text("phase"))
        };
        return rows.iter().map(row).collect();
    }
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| {
        let at = head.iter().position(|column| *column == name);
        at.ok_or_else(|| wrong(format!("no column `{name}`; `agon count GAME --export FILE.csv` writes one")))
    };
    let (board, value, plies, phase) = (column("board")?, column("value")?, column("plies")?, column("phase")?);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        if cells.len() != head.len() {
            return Err(wrong(format!(
                "`{}` has {} cells, not {}",
                agon_core::family::shorten(line),
                cells.len(),
                head.len()
            )));
        }
        known(cells[board], cells[value], cells[plies].parse().unwrap_or(0), cells[phase])
    };
    lines.filter(|line| !line.is_empty()).map(row).collect()
}
