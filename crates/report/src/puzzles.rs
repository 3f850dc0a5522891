//! Positions with exactly one right move: the answer of `puzzles`.

use super::Report;
use crate::VERSION;
use crate::words::{Paint, counted, duration, quoted};
use serde::Serialize;
use std::fmt::Write as _;

/// The effect of the right move of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PuzzleKind {
    /// It wins, and no other move does.
    Win,
    /// It draws, and every other move loses.
    Save,
}

impl PuzzleKind {
    /// `win` or `save`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PuzzleKind::Win => "win",
            PuzzleKind::Save => "save",
        }
    }
}

/// The grades of puzzles are 1 to this.
pub const HARDEST: u32 = 5;

/// From that many decoys on a puzzle is a grade harder.
const MANY_DECOYS: usize = 10;

/// A position with exactly one right move. Everything about it is proven.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Puzzle {
    /// The position.
    pub position: String,
    /// `first` or `second`, the side to move.
    pub mover: &'static str,
    /// The game's name for that side.
    pub name: String,
    /// The right move.
    pub solution: String,
    /// Best play of both sides, the right move first, as far as it is proven.
    pub line: Vec<String>,
    /// Plies until the win; or, if the right move draws, the most plies in which another move loses. Null where
    /// distances are not known.
    pub distance: Option<u32>,
    /// The number of wrong moves.
    pub decoys: usize,
    /// 1 (easy) to 5 (hard).
    pub grade: u32,
    /// The position drawn as text.
    #[serde(skip)]
    pub board: String,
}

impl Puzzle {
    /// The grade: how many moves of its own the solver has to look ahead, and one more if there are many decoys.
    #[must_use]
    pub fn grade(distance: Option<u32>, decoys: usize) -> u32 {
        let own_moves = distance.unwrap_or(1).div_ceil(2);
        (own_moves + u32::from(decoys >= MANY_DECOYS)).clamp(1, HARDEST)
    }
}

/// Answer of `puzzles`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PuzzlesReport {
    /// Program version.
    pub agon: &'static str,
    /// Canonical spelling.
    pub game: String,
    /// `win` or `save`.
    pub kind: PuzzleKind,
    /// The seed of the random games.
    pub seed: u64,
    /// The number of puzzles asked for.
    pub count: usize,
    /// The puzzles, easy ones first; no two are equal up to symmetry.
    pub puzzles: Vec<Puzzle>,
    /// The number of games played to find them.
    pub plays: u64,
    /// Seconds spent.
    pub seconds: f64,
}

impl PuzzlesReport {
    /// No puzzles yet.
    #[must_use]
    pub fn new(game: &str, kind: PuzzleKind, seed: u64, count: usize) -> PuzzlesReport {
        let (agon, game, puzzles) = (VERSION, game.to_string(), Vec::new());
        PuzzlesReport { agon, game, kind, seed, count, puzzles, plays: 0, seconds: 0.0 }
    }

    /// Puts the easiest puzzles first.
    pub fn sort(&mut self) {
        self.puzzles.sort_by(|a, b| {
            (a.grade, a.distance, a.decoys, &a.position).cmp(&(b.grade, b.distance, b.decoys, &b.position))
        });
    }

    /// The puzzles as comma-separated values, with a line of names.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = String::from("game,kind,position,mover,solution,distance,decoys,grade,line\n");
        for puzzle in &self.puzzles {
            let cells = [
                self.game.clone(),
                self.kind.name().to_string(),
                puzzle.position.clone(),
                puzzle.mover.to_string(),
                puzzle.solution.clone(),
                puzzle.distance.map_or(String::new(), |plies| plies.to_string()),
                puzzle.decoys.to_string(),
                puzzle.grade.to_string(),
                puzzle.line.join(" "),
            ];
            let _ = writeln!(out, "{}", cells.map(|cell| quoted(&cell)).join(","));
        }
        out
    }
}

impl Report for PuzzlesReport {
    fn text(&self, paint: Paint) -> String {
        let mut out = format!("{}: {}\n", self.game, counted(self.puzzles.len(), "puzzle"));
        for (i, puzzle) in self.puzzles.iter().enumerate() {
            let task = match self.kind {
                PuzzleKind::Win => "to move and win",
                PuzzleKind::Save => "to move and save the draw",
            };
            let head = format!("{}. {} {task} (grade {})", i + 1, puzzle.name, puzzle.grade);
            let _ = writeln!(out, "\n{}\n{}{}", paint.bold(&head), puzzle.board, puzzle.position);
        }
        if !self.puzzles.is_empty() {
            let _ = writeln!(out, "\n{}", paint.bold("solutions"));
        }
        for (i, puzzle) in self.puzzles.iter().enumerate() {
            let what = match (self.kind, puzzle.distance) {
                (PuzzleKind::Win, Some(plies)) => format!("wins in {plies}"),
                (PuzzleKind::Win, None) => "wins".to_string(),
                (PuzzleKind::Save, _) => "draws".to_string(),
            };
            let decoys = match puzzle.decoys {
                1 => "the other move does not".to_string(),
                n => format!("the other {n} moves do not"),
            };
            let _ = writeln!(out, "{}. {} {what}, {decoys}: {}", i + 1, puzzle.solution, puzzle.line.join(" "));
        }
        let _ = writeln!(out, "\nseed {}, {}, {}", self.seed, counted(self.plays, "play"), duration(self.seconds));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_grow_with_distance_and_decoys() {
        for (distance, decoys, grade) in
            [(Some(1), 3, 1), (Some(3), 3, 2), (Some(3), 12, 3), (Some(9), 2, 5), (Some(30), 40, 5), (None, 2, 1)]
        {
            assert_eq!(Puzzle::grade(distance, decoys), grade, "{distance:?} {decoys}");
        }
    }

    #[test]
    fn cells_with_commas_are_quoted() {
        let mut report = PuzzlesReport::new("tak:5", PuzzleKind::Win, 1, 1);
        report.puzzles.push(Puzzle {
            position: "x5/x2,2,x2_1_7".into(),
            mover: "first",
            name: "white".into(),
            solution: "c3".into(),
            line: vec!["c3".into()],
            distance: None,
            decoys: 4,
            grade: 1,
            board: String::new(),
        });
        let csv = report.csv();
        assert_eq!(csv.lines().nth(1), Some("tak:5,win,\"x5/x2,2,x2_1_7\",first,c3,,4,1,c3"));
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!((&json["kind"], &json["puzzles"][0]["solution"]), (&"win".into(), &"c3".into()));
    }
}
