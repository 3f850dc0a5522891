//! What a position is worth.

use super::tables::phases_text;
use super::{Phase, Report};
use crate::VERSION;
use crate::words::{Paint, duration, grouped, table};
use agon_core::{Player, Solution, Wdl};
use agon_solve::strong::Totals;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// Answer of `solve`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SolveReport {
    /// Program version.
    pub agon: &'static str,
    /// Canonical spelling.
    pub game: String,
    /// The position solved.
    pub position: String,
    /// `win`, `draw`, `loss` or `unknown`, for the mover.
    pub value: &'static str,
    /// `first`, `second` or null.
    pub winner: Option<&'static str>,
    /// Plies to the end under best play.
    pub plies: Option<u32>,
    /// A best move.
    pub best: Option<String>,
    /// Every move that keeps the value and the distance; null where not all moves could be valued with at most half as
    /// much work again, or the value is not known.
    pub best_moves: Option<Vec<String>>,
    /// The principal variation: best play of both sides, as far as it is proven.
    pub pv: Vec<String>,
    /// With `--all`: what each move is worth to the side that makes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveReport>>,
    /// The nim-value, for impartial games in normal play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u32>,
    /// All winning moves, for impartial games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_moves: Option<Vec<String>>,
    /// Positions visited.
    pub nodes: u64,
    /// Which solver.
    pub solver: &'static str,
    /// What is proven at least.
    pub lo: &'static str,
    /// What is proven at most.
    pub hi: &'static str,
    /// Why it stopped early, if it did.
    pub stopped: Option<String>,
    /// The mover: first or second, and the game's own name.
    pub mover: [String; 2],
    /// Reachable positions by value for the side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub totals: Option<Json>,
    /// The same up to symmetry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<Json>,
    /// Neither side wins by force within that many plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none_within: Option<u32>,
    /// What the first moves are worth, up to symmetry.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_moves: Vec<FirstMove>,
    /// What the tables hold, part by part of the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    /// Where the values came from, when that is a directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<TablesUsed>,
    /// Seconds spent.
    pub seconds: f64,
    /// Where the certificate was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

/// Tables in a directory that an answer rests on.
#[derive(Clone, Debug, Serialize)]
pub struct TablesUsed {
    /// The directory.
    pub folder: String,
    /// How many of them this command solved.
    pub solved: usize,
    /// How many were there already.
    pub found: usize,
}

/// What is known about one move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `draw`, `loss` or `unknown`, for the side that makes it.
    pub value: &'static str,
    /// Plies until the end under best play.
    pub plies: Option<u32>,
    /// Whether the value is proven.
    pub proven: bool,
}

/// What one first move is worth to the side that makes it.
#[derive(Clone, Debug, Serialize)]
pub struct FirstMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `loss` or `unknown`.
    pub value: &'static str,
    /// Plies to the end under best play.
    pub plies: Option<u32>,
}

impl SolveReport {
    /// From what a solver found.
    pub fn new<M>(
        game: &str,
        position: String,
        (mover, name): (Player, String),
        solution: &Solution<M>,
        best: Option<String>,
        solver: &'static str,
    ) -> SolveReport {
        let value = solution.value.value();
        let winner = match value {
            Some(Wdl::Win) => Some(mover.name()),
            Some(Wdl::Loss) => Some(mover.other().name()),
            _ => None,
        };
        SolveReport {
            agon: VERSION,
            game: game.to_string(),
            position,
            value: value.map_or("unknown", Wdl::name),
            winner,
            plies: solution.plies,
            best,
            best_moves: None,
            pv: Vec::new(),
            moves: None,
            nimber: None,
            winning_moves: None,
            nodes: solution.nodes,
            solver,
            lo: solution.value.lo.name(),
            hi: solution.value.hi.name(),
            stopped: solution.stopped.map(|stop| stop.to_string()),
            mover: [mover.name().to_string(), name],
            totals: None,
            classes: None,
            none_within: None,
            first_moves: Vec::new(),
            phases: Vec::new(),
            tables: None,
            seconds: 0.0,
            certificate: None,
        }
    }

    /// Adds the totals over all reachable positions and over their classes.
    pub fn set_totals(&mut self, (positions, classes): (Totals, Totals)) {
        let json = |t: Totals| Some(json!({"win": t.win, "draw": t.draw, "loss": t.loss}));
        (self.totals, self.classes) = (json(positions), json(classes));
    }
}

impl Report for SolveReport {
    fn text(&self, paint: Paint) -> String {
        let mut out = format!("{} from {}\n", self.game, self.position);
        let value = match self.value {
            "unknown" => format!("unknown, between {} and {}", self.lo, self.hi),
            value => value.to_string(),
        };
        let over = self.plies == Some(0);
        let role = if over { "whose turn it would be; the play is over" } else { "the mover" };
        let _ = writeln!(out, "value  {} for {}, {role}", paint.bold(&value), self.mover[1]);
        if let Some(plies) = self.plies.filter(|_| !over) {
            let _ = writeln!(out, "plies  {plies}");
        }
        if let Some(best) = &self.best {
            let _ = writeln!(out, "best   {best}");
        }
        if let Some(moves) = self.best_moves.as_ref().filter(|moves| moves.len() > 1 && self.winning_moves.is_none()) {
            const SHOWN: usize = 40;
            let more = if moves.len() > SHOWN { " …" } else { "" };
            let shown = moves.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" ");
            let _ = writeln!(out, "as good {shown}{more} ({} best moves)", grouped(moves.len()));
        }
        if self.pv.len() > 1 && self.plies.is_some() && self.winning_moves.is_none() {
            let _ = writeln!(out, "line   {}", self.pv.join(" "));
        }
        if let Some(plies) = self.none_within.filter(|&plies| plies > 0) {
            let unit = if plies == 1 { "ply" } else { "plies" };
            let _ = writeln!(out, "proven neither side wins by force within {plies} {unit}");
        }
        if let Some(nimber) = self.nimber {
            let _ = writeln!(out, "nimber {nimber}");
        }
        if let Some(winning) = &self.winning_moves {
            const SHOWN: usize = 40;
            let shown = winning.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" ");
            let more = if winning.len() > SHOWN { " …" } else { "" };
            let _ = match winning.len() {
                0 if self.best.is_none() => writeln!(out, "winning moves: none, there is no move at all"),
                0 => writeln!(out, "winning moves: none, every move loses"),
                n => writeln!(out, "winning moves ({}): {shown}{more}", grouped(n)),
            };
        }
        let spent = duration(self.seconds);
        let _ = writeln!(out, "nodes  {} in {spent} ({})", grouped(self.nodes), self.solver);
        if let Some(tables) = &self.tables {
            let _ = match (tables.solved, tables.found) {
                (0, _) => writeln!(out, "tables all were there, {} in `{}`", tables.found, tables.folder),
                (solved, 0) => writeln!(out, "tables {solved} solved into `{}`", tables.folder),
                (solved, found) => writeln!(out, "tables {solved} solved, {found} were there, in `{}`", tables.folder),
            };
        }
        if let (Some(totals), Some(classes)) = (&self.totals, &self.classes) {
            let row = |name: &str| {
                let cell = |of: &Json| grouped(of[name].as_u64().unwrap_or(0));
                vec![name.to_string(), cell(totals), cell(classes)]
            };
            let sum =
                |of: &Json| grouped(["win", "draw", "loss"].map(|n| of[n].as_u64().unwrap_or(0)).iter().sum::<u64>());
            let all = vec!["all".to_string(), sum(totals), sum(classes)];
            let head = ["for the side to move", "positions", "up to symmetry"];
            let _ = write!(out, "\n{}", table(&head, &[row("win"), row("draw"), row("loss"), all]));
        }
        if !self.phases.is_empty() {
            let _ = write!(out, "\n{}", phases_text(&self.phases));
        }
        if let Some(moves) = &self.moves {
            let row = |m: &MoveReport| {
                vec![m.mv.clone(), m.value.to_string(), m.plies.map_or(String::new(), |n| n.to_string())]
            };
            let rows: Vec<Vec<String>> = moves.iter().map(row).collect();
            let _ = write!(out, "\n{}", table(&["move", "value", "plies"], &rows));
        }
        if !self.first_moves.is_empty() {
            let row = |m: &FirstMove| {
                vec![m.mv.clone(), m.value.to_string(), m.plies.map_or(String::new(), |n| n.to_string())]
            };
            let rows: Vec<Vec<String>> = self.first_moves.iter().map(row).collect();
            let _ = write!(out, "\n{}", table(&["first move", "value", "plies"], &rows));
        }
        out
    }
}
