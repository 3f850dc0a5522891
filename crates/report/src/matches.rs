//! Positions found in tables: the answer of `table find`.

use super::Report;
use crate::VERSION;
use crate::words::{Paint, counted, grouped, quoted, table};
use serde::Serialize;
use std::fmt::Write as _;

/// A position that matches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TableMatch {
    /// The table that holds it.
    pub table: String,
    /// The position; it stands for all its images under symmetry.
    pub position: String,
    /// `first` or `second`, the side to move.
    pub mover: &'static str,
    /// `win`, `draw` or `loss` for the side to move.
    pub value: &'static str,
    /// Plies to the end.
    pub plies: Option<u32>,
    /// The one move that keeps the value, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_move: Option<String>,
    /// The number of positions that it stands for.
    pub orbit: u64,
}

/// Answer of `table find`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MatchesReport {
    /// Program version.
    pub agon: &'static str,
    /// Canonical spelling.
    pub game: String,
    /// Positions examined, up to symmetry.
    pub examined: u64,
    /// Those that match, up to symmetry.
    pub orbits: u64,
    /// All positions that match.
    pub positions: u64,
    /// Some of them, one for each orbit.
    pub matches: Vec<TableMatch>,
}

impl MatchesReport {
    /// The answer with the matches that are listed.
    #[must_use]
    pub fn new(game: &str, examined: u64, orbits: u64, positions: u64, matches: Vec<TableMatch>) -> MatchesReport {
        MatchesReport { agon: VERSION, game: game.to_string(), examined, orbits, positions, matches }
    }

    /// The listed matches as comma-separated values, with a line of names.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = String::from("game,table,position,mover,value,plies,only_move,orbit\n");
        for found in &self.matches {
            let cells = [
                self.game.clone(),
                found.table.clone(),
                found.position.clone(),
                found.mover.to_string(),
                found.value.to_string(),
                found.plies.map_or(String::new(), |plies| plies.to_string()),
                found.only_move.clone().unwrap_or_default(),
                found.orbit.to_string(),
            ];
            let _ = writeln!(out, "{}", cells.map(|cell| quoted(&cell)).join(","));
        }
        out
    }
}

impl Report for MatchesReport {
    fn text(&self, paint: Paint) -> String {
        let mut out = format!(
            "{}: {} of {} match, up to symmetry; with their images {}\n",
            paint.bold(&self.game),
            grouped(self.orbits),
            counted(self.examined, "position"),
            grouped(self.positions)
        );
        if self.matches.is_empty() {
            return out;
        }
        let only = self.matches.iter().any(|found| found.only_move.is_some());
        let mut names = vec!["table", "position", "value", "plies", "images"];
        names.extend(only.then_some("only move"));
        let row = |found: &TableMatch| {
            let plies = found.plies.map_or("–".to_string(), |plies| plies.to_string());
            let mut row = vec![
                found.table.clone(),
                found.position.clone(),
                found.value.to_string(),
                plies,
                found.orbit.to_string(),
            ];
            row.extend(only.then(|| found.only_move.clone().unwrap_or_default()));
            row
        };
        let rows: Vec<Vec<String>> = self.matches.iter().map(row).collect();
        let _ = write!(out, "\n{}", table(&names, &rows));
        if (self.matches.len() as u64) < self.orbits {
            let _ = writeln!(out, "… {} in all", grouped(self.orbits));
        }
        out
    }
}
