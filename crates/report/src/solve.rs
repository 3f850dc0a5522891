//! The value of a position.

use super::tables::phases_text;
use super::{Phase, Report};
use crate::VERSION;
use crate::words::{Paint, duration, grouped, table};
use agon_core::{Bounds, Player, Solution, Stop, Wdl};
use agon_solve::Totals;
use serde::{Serialize, Serializer};
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
    /// The value of each move for the side that makes it, if every move was asked about.
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
    /// The solver.
    pub solver: &'static str,
    /// The proven lower bound.
    pub lo: &'static str,
    /// The proven upper bound.
    pub hi: &'static str,
    /// The same two as one.
    #[serde(skip)]
    pub bounds: Bounds,
    /// The reason for an early stop: `time`, `nodes`, `memory` or `interrupted`.
    #[serde(serialize_with = "name_of_stop")]
    pub stopped: Option<Stop>,
    /// True if the play is over at the position.
    pub over: bool,
    /// The game's name for the winner, if the play is over.
    #[serde(skip)]
    pub won_by: Option<String>,
    /// The estimate of the game's strongest search, for a position whose value is not known. It proves nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The published value of the start of this game. It proves nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
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
    /// The values of the first moves, up to symmetry.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_moves: Vec<FirstMove>,
    /// The contents of the tables, by phase.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    /// The directory that the values come from, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<TablesUsed>,
    /// Seconds spent.
    pub seconds: f64,
    /// The file of the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

fn name_of_stop<S: Serializer>(stop: &Option<Stop>, serializer: S) -> Result<S::Ok, S::Error> {
    stop.map(Stop::name).serialize(serializer)
}

/// A score that a search gives a position.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchScore {
    /// Hundredths of what the game's evaluation counts.
    Points(i32),
    /// The share of playouts won, a draw counting half.
    Share(f64),
}

/// The judgement of a search. An estimate is never a proof.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate {
    /// The score, seen by the mover; null where the search claims a result.
    pub score: Option<SearchScore>,
    /// The move it would play.
    #[serde(rename = "move")]
    pub mv: String,
    /// The line that it expects.
    pub pv: Vec<String>,
    /// The player that searches like this.
    pub by: &'static str,
    /// Plies searched to the end, or those of the longest line in the tree.
    pub depth: u32,
    /// Nodes searched, or playouts.
    pub nodes: u64,
    /// A result that the search claims for the mover, which is not proven: `win in 5`.
    pub claims: Option<String>,
    /// Seconds spent, besides those of the solver.
    pub seconds: f64,
}

/// A value that is known from elsewhere, or from a longer computation.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Known {
    /// `win`, `draw` or `loss`, for the mover.
    pub value: &'static str,
    /// The same in words.
    pub says: String,
    /// The source.
    pub source: String,
    /// True if it agrees with what was proven now; false also where it lies outside the bounds. Null where nothing
    /// decides.
    pub agrees: Option<bool>,
}

impl Known {
    /// A value for the mover, compared with what was proven now.
    #[must_use]
    pub fn new(value: Wdl, says: &str, source: &str, proved: Bounds) -> Known {
        let agrees = match proved.value() {
            Some(proved) => Some(proved == value),
            None if value < proved.lo || value > proved.hi => Some(false),
            None => None,
        };
        Known { value: value.name(), says: says.to_string(), source: source.to_string(), agrees }
    }
}

/// Tables in a directory that an answer rests on.
#[derive(Clone, Debug, Serialize)]
pub struct TablesUsed {
    /// The directory.
    pub folder: String,
    /// The number of tables that this command solved.
    pub solved: usize,
    /// The number of tables that were there before.
    pub found: usize,
}

/// The value of one move, as far as it is known.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `draw`, `loss` or `unknown`, for the side that makes it.
    pub value: &'static str,
    /// Plies until the end under best play.
    pub plies: Option<u32>,
    /// True if the value is proven.
    pub proven: bool,
}

/// The value of one first move, for the side that makes it.
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
            stopped: solution.stopped,
            over: false,
            won_by: None,
            estimate: None,
            known: None,
            bounds: solution.value,
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

    /// Returns whether nothing is proven.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.bounds == Bounds::UNKNOWN && self.none_within.unwrap_or(0) == 0
    }

    /// The play is over: this side has won, or nobody has. There is no move left to name.
    pub fn end(&mut self, won_by: Option<String>) {
        (self.over, self.won_by) = (true, won_by);
        (self.best, self.best_moves, self.pv) = (None, Some(Vec::new()), Vec::new());
    }

    /// Adds the totals over all reachable positions and over their classes.
    pub fn set_totals(&mut self, (positions, classes): (Totals, Totals)) {
        let json = |t: Totals| Some(json!({"win": t.win, "draw": t.draw, "loss": t.loss}));
        (self.totals, self.classes) = (json(positions), json(classes));
    }
}

/// So many moves are listed as text.
const SHOWN: usize = 40;

fn listed(moves: &[String]) -> String {
    let more = if moves.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", moves.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" "))
}

impl Report for SolveReport {
    fn text(&self, paint: Paint) -> String {
        let mut out = format!("{} from {}\n", self.game, self.position);
        match self.over {
            true => self.end_text(&mut out, paint),
            false => self.value_text(&mut out, paint),
        }
        self.known_text(&mut out, paint);
        if !self.over {
            let spent = duration(self.seconds);
            let _ = writeln!(out, "nodes  {} in {spent} ({})", grouped(self.nodes), self.solver);
        }
        self.tables_text(&mut out);
        self.moves_text(&mut out);
        out
    }
}

impl SolveReport {
    fn end_text(&self, out: &mut String, paint: Paint) {
        let ended = self.won_by.as_ref().map_or("the game is drawn".into(), |winner| format!("{winner} has won"));
        let _ = writeln!(out, "over   {}", paint.bold(&ended));
        if let Some(nimber) = self.nimber {
            let _ = writeln!(out, "nimber {nimber}");
        }
    }

    fn value_text(&self, out: &mut String, paint: Paint) {
        let mover = &self.mover[1];
        let bounded = match (self.bounds.lo, self.bounds.hi) {
            (lo, hi) if lo == hi => "",
            (Wdl::Draw, _) => ": proven at least a draw",
            (_, Wdl::Draw) => ": proven at most a draw",
            _ if self.is_open() => ": nothing is proven",
            _ => "",
        };
        let _ = writeln!(out, "value  {} for {mover}, the mover{bounded}", paint.bold(self.value));
        if let Some(plies) = self.plies {
            let _ = writeln!(out, "plies  {plies}");
        }
        if let Some(best) = &self.best {
            let _ = writeln!(out, "best   {best}");
        }
        if let Some(moves) = self.best_moves.as_ref().filter(|moves| moves.len() > 1 && self.winning_moves.is_none()) {
            let _ = writeln!(out, "best moves  {} ({})", listed(moves), grouped(moves.len()));
        }
        if self.best_moves.is_none() && self.best.is_some() && self.moves.is_none() {
            let _ = writeln!(out, "best moves  not all known: to find them would take longer than the value took");
        }
        if self.pv.len() > 1 {
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
            let _ = match winning.len() {
                0 if self.best.is_none() => writeln!(out, "winning moves: none, because there are no legal moves"),
                0 => writeln!(out, "winning moves: none, every move loses"),
                n => writeln!(out, "winning moves ({}): {}", grouped(n), listed(winning)),
            };
        }
        if let Some(estimate) = &self.estimate {
            let _ = writeln!(out, "≈      {}", estimate.text(mover));
        }
    }

    fn known_text(&self, out: &mut String, paint: Paint) {
        let Some(known) = &self.known else { return };
        let _ = writeln!(out, "known  {} ({})", known.says, known.source);
        if known.agrees == Some(false) {
            let loud = "CONTRADICTION: this result differs from the known value; one of them is wrong";
            let _ = writeln!(out, "{}", paint.bad(loud));
        }
    }

    fn tables_text(&self, out: &mut String) {
        if let Some(tables) = &self.tables {
            let _ = match (tables.solved, tables.found) {
                (0, 1) => writeln!(out, "tables nothing to solve: 1 is already in `{}`", tables.folder),
                (0, found) => writeln!(out, "tables nothing to solve: all {found} are already in `{}`", tables.folder),
                (solved, 0) => writeln!(out, "tables {solved} solved into `{}`", tables.folder),
                (solved, found) => {
                    writeln!(out, "tables {solved} solved, {found} already there, in `{}`", tables.folder)
                }
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
    }

    fn moves_text(&self, out: &mut String) {
        let row = |mv: &str, value: &str, plies: Option<u32>| {
            vec![mv.to_string(), value.to_string(), plies.map_or(String::new(), |n| n.to_string())]
        };
        if let Some(moves) = self.moves.as_ref().filter(|moves| !moves.is_empty()) {
            let rows: Vec<Vec<String>> = moves.iter().map(|m| row(&m.mv, m.value, m.plies)).collect();
            let _ = write!(out, "\n{}", table(&["move", "value", "plies"], &rows));
        }
        if !self.first_moves.is_empty() {
            let rows: Vec<Vec<String>> = self.first_moves.iter().map(|m| row(&m.mv, m.value, m.plies)).collect();
            let _ = write!(out, "\n{}", table(&["first move", "value", "plies"], &rows));
        }
    }
}

impl Estimate {
    /// `d, about +0.35 for x, by negamax to depth 12: an estimate, not a proof`.
    #[must_use]
    pub fn text(&self, mover: &str) -> String {
        let worth = match (&self.claims, self.score) {
            (Some(claims), _) => format!("perhaps a {claims}"),
            (None, Some(SearchScore::Points(points))) => format!("about {:+.2}", f64::from(points) / 100.0),
            (None, Some(SearchScore::Share(share))) => format!("about {:.0} % of playouts won", share * 100.0),
            (None, None) => "without a score".to_string(),
        };
        format!("{}, {worth} for {mover}, by {} to depth {}: an estimate, not a proof", self.mv, self.by, self.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(lo: Wdl, hi: Wdl, stopped: Option<Stop>) -> SolveReport {
        let solution = Solution::<u8> { value: Bounds { lo, hi }, plies: None, best: None, nodes: 5, stopped };
        SolveReport::new("mnk:3,3,3", "start".into(), (Player::First, "x".into()), &solution, None, "brute")
    }

    #[test]
    fn what_is_bounded_is_said_in_words() {
        for (lo, hi, words) in [
            (Wdl::Loss, Wdl::Win, "value  unknown for x, the mover: nothing is proven\n"),
            (Wdl::Draw, Wdl::Win, "value  unknown for x, the mover: proven at least a draw\n"),
            (Wdl::Loss, Wdl::Draw, "value  unknown for x, the mover: proven at most a draw\n"),
            (Wdl::Draw, Wdl::Draw, "value  draw for x, the mover\n"),
        ] {
            let text = report(lo, hi, None).text(Paint::PLAIN);
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn a_reason_to_stop_is_a_word_in_json() {
        for stop in [Stop::Interrupted, Stop::Time, Stop::Nodes, Stop::Memory] {
            let json = serde_json::to_value(report(Wdl::Loss, Wdl::Win, Some(stop))).unwrap();
            assert_eq!(json["stopped"], stop.name());
        }
        assert!(serde_json::to_value(report(Wdl::Draw, Wdl::Draw, None)).unwrap()["stopped"].is_null());
    }

    #[test]
    fn a_known_value_that_was_refuted_is_loud() {
        for (lo, hi, agrees) in [
            (Wdl::Win, Wdl::Win, Some(true)),
            (Wdl::Draw, Wdl::Draw, Some(false)),
            (Wdl::Loss, Wdl::Draw, Some(false)),
            (Wdl::Draw, Wdl::Win, None),
            (Wdl::Loss, Wdl::Win, None),
        ] {
            let mut report = report(lo, hi, None);
            report.known = Some(Known::new(Wdl::Win, "x wins", "somebody", report.bounds));
            let (text, json) = (report.text(Paint::PLAIN), serde_json::to_value(&report).unwrap());
            assert!(text.contains("known  x wins (somebody)\n"), "{text}");
            assert_eq!(
                (text.contains("CONTRADICTION"), &json["known"]["agrees"]),
                (agrees == Some(false), &json!(agrees))
            );
        }
    }

    #[test]
    fn estimates_are_marked() {
        let mut report = report(Wdl::Loss, Wdl::Win, Some(Stop::Time));
        let estimate = Estimate {
            score: Some(SearchScore::Points(-35)),
            mv: "d".into(),
            pv: vec!["d".into()],
            by: "negamax",
            depth: 7,
            nodes: 9,
            claims: None,
            seconds: 0.1,
        };
        for (score, claims, words) in [
            (Some(SearchScore::Points(-35)), None, "≈      d, about -0.35 for x, by negamax to depth 7: an estimate"),
            (Some(SearchScore::Share(0.625)), None, "≈      d, about 62 % of playouts won for x"),
            (None, Some("win in 5".to_string()), "≈      d, perhaps a win in 5 for x"),
        ] {
            report.estimate = Some(Estimate { score, claims, ..estimate.clone() });
            let (text, json) = (report.text(Paint::PLAIN), serde_json::to_value(&report).unwrap());
            assert!(text.contains(words), "{text}");
            assert_eq!(
                (&json["value"], &json["best"], &json["estimate"]["move"]),
                (&json!("unknown"), &json!(null), &json!("d"))
            );
        }
    }
}
