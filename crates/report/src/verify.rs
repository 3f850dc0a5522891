//! The test of a strategy's claim, and its repair.

use super::Report;
use crate::VERSION;
use crate::words::{Paint, counted, exact, grouped, table};
use agon_core::{Player, Wdl};
use agon_solve::verify::{Break, Lines, Verdict};
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// One position where a strategy first goes wrong.
#[derive(Clone, Debug, Serialize)]
pub struct FailureReport {
    /// Still fine, the strategy to move.
    pub position: String,
    /// Its class up to symmetry.
    pub class: String,
    /// The move that gives the claim away; null where the strategy has no move.
    #[serde(rename = "move")]
    pub wrong: Option<String>,
    /// The reason why the strategy allows it: the rule that decides.
    pub reason: Option<String>,
    /// The moves that lead to the position.
    pub line: Vec<String>,
}

/// The behaviour of one rule of a strategy.
#[derive(Clone, Debug, Serialize)]
pub struct RuleReport {
    /// Its name.
    pub name: String,
    /// Positions at which its moves are played.
    pub fired: u64,
    /// Those of them at which the rules after it would choose other moves.
    pub decided: u64,
    /// True if the claim fails without the rule; null if the claim fails anyway, or if that was not found out.
    pub needed: Option<bool>,
}

/// A shortest line that breaks a claim.
#[derive(Clone, Debug, Serialize)]
pub struct ShortestReport {
    /// The moves of both sides.
    pub moves: Vec<String>,
    /// The position at its end.
    pub position: String,
    /// The fault there.
    pub how: String,
    /// The rule that decided each move of the strategy; null where no rule has a name.
    pub rules: Vec<Option<String>>,
    /// The rule that gave the claim away; null where that was not found out.
    pub rule: Option<String>,
    /// The move by which it did so, as an index into `moves`; null where that was not found out.
    pub ply: Option<usize>,
}

/// The opponent's best response.
#[derive(Clone, Debug, Serialize)]
pub struct ResponseReport {
    /// The result for the strategy's side.
    #[serde(serialize_with = "crate::name_of")]
    pub value: Wdl,
    /// A line that leads there.
    pub moves: Vec<String>,
}

/// One exception to a strategy, up to symmetry.
#[derive(Clone, Debug, Serialize)]
pub struct Exception {
    /// The position.
    pub position: String,
    /// The moves to play, which are equivalent by symmetry.
    pub moves: Vec<String>,
    /// The position drawn as text.
    pub board: String,
    /// The side to move.
    pub mover: String,
}

/// The outcome of a repair.
#[derive(Clone, Debug, Serialize)]
pub struct RepairReport {
    /// The exceptions, or none found.
    pub exceptions: Option<Vec<Exception>>,
    /// The number of exceptions that are needed at least; null without a repair.
    pub at_least: Option<usize>,
    /// True if there are no fewer.
    pub fewest: bool,
    /// True if the repaired strategy verifies.
    pub holds: bool,
    /// Positions covered by that verification.
    pub positions: u64,
    /// The reason why there is no repair.
    pub why: Option<String>,
    /// The repaired strategy as text, where the strategy is a text.
    pub text: Option<String>,
    /// True if repairs with more exceptions were not searched for.
    #[serde(skip)]
    pub beyond_limit: bool,
}

impl RepairReport {
    /// No repair.
    #[must_use]
    pub fn none(why: &str) -> RepairReport {
        RepairReport {
            exceptions: None,
            at_least: None,
            fewest: false,
            holds: false,
            positions: 0,
            why: Some(why.to_string()),
            text: None,
            beyond_limit: false,
        }
    }

    /// No repair with at most that many exceptions.
    #[must_use]
    pub fn beyond(most: usize) -> RepairReport {
        let why = format!("more than {most} exceptions are needed");
        RepairReport { beyond_limit: true, ..RepairReport::none(&why) }
    }

    /// A repair, verified.
    #[must_use]
    pub fn found(exceptions: Vec<Exception>, at_least: usize, holds: bool, positions: u64) -> RepairReport {
        RepairReport {
            fewest: exceptions.len() == at_least,
            exceptions: Some(exceptions),
            at_least: Some(at_least),
            holds,
            positions,
            why: None,
            text: None,
            beyond_limit: false,
        }
    }

    /// The file that `NAME@FILE` reads.
    #[must_use]
    pub fn file(&self) -> String {
        let mut out = String::from("# POSITION MOVE; each line also applies to all symmetric images\n");
        for e in self.exceptions.iter().flatten() {
            let _ = writeln!(out, "{} {}", e.position, e.moves[0]);
        }
        out
    }
}

/// Answer of `verify`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct VerifyReport {
    /// Program version.
    pub agon: &'static str,
    /// Canonical spelling.
    pub game: String,
    /// The position at which play begins.
    pub position: String,
    /// The strategy as asked for.
    pub strategy: String,
    /// The side it plays.
    #[serde(rename = "as")]
    pub side: &'static str,
    /// The game's name for that side.
    pub side_name: String,
    /// `win` or `draw`.
    pub claim: &'static str,
    /// True if the claim holds.
    pub holds: bool,
    /// Different positions met.
    pub positions: u64,
    /// Complete lines played, or null when play can cycle or an argument replaced the walk over every play.
    pub lines: Json,
    /// Lines that break the claim.
    pub losing_lines: Json,
    /// Lines by how they end for the strategy.
    pub outcomes: Json,
    /// A shortest line that breaks the claim.
    pub counterexample: Option<Vec<String>>,
    /// The way in which it breaks the claim.
    pub how: Option<String>,
    /// The same line with the rules that decided.
    pub shortest_counterexample: Option<ShortestReport>,
    /// The opponent's best response; null where that was not found out.
    pub best_response: Option<ResponseReport>,
    /// For a strategy written as text: what each of its rules does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<RuleReport>>,
    /// The board there.
    #[serde(skip)]
    pub board: Option<String>,
    /// Every position where it first goes wrong, if all failures were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<Vec<FailureReport>>,
    /// Lines that break the claim, at most 1000, if all failures were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub losing: Option<Vec<Vec<String>>>,
    /// The exceptions, if a repair was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairReport>,
    /// The file of the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The argument that replaced a walk over every play: `decomposition` or `pairing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<&'static str>,
    /// True if the claim was refuted before all positions were met, so that lines were not counted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// The limit that was reached after the verdict, so that some of what was asked for is missing: `time`, `nodes` or
    /// `memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<&'static str>,
}

/// Answer of `verify` if a limit stopped it before the claim was decided.
#[derive(Clone, Debug, Serialize)]
pub struct UndecidedReport {
    /// Program version.
    pub agon: &'static str,
    /// Canonical spelling.
    pub game: String,
    /// The position at which play begins.
    pub position: String,
    /// The strategy as asked for.
    pub strategy: String,
    /// The side it plays.
    #[serde(rename = "as")]
    pub side: &'static str,
    /// The game's name for that side.
    pub side_name: String,
    /// `win` or `draw`.
    pub claim: &'static str,
    /// Always null: the claim neither holds nor is refuted.
    pub holds: Option<bool>,
    /// Positions looked at, about. None of them refutes the claim.
    pub positions: u64,
    /// The limit: `time`, `nodes` or `memory`.
    pub stopped: &'static str,
}

impl Report for UndecidedReport {
    fn text(&self, paint: Paint) -> String {
        let claim = if self.claim == "win" { "wins" } else { "gets at least a draw" };
        let who = side_text(self.side, &self.side_name);
        let verdict = paint.bad("not decided");
        let positions = counted(self.positions, "position");
        format!(
            "{}: {} as {who} {claim} from {}\n{verdict}: stopped after about {positions}, none of which refutes the \
             claim\n",
            self.game, self.strategy, self.position
        )
    }
}

/// The side, with the game's name for it.
fn side_text(side: &str, name: &str) -> String {
    if side == name { side.to_string() } else { format!("{side} ({name})") }
}

impl VerifyReport {
    /// The parts that need no notation.
    #[must_use]
    pub fn new<P, M>(
        game: &str,
        position: String,
        strategy: &str,
        claim: (Player, Wdl),
        verdict: &Verdict<P, M>,
    ) -> VerifyReport {
        let report = VerifyReport::counted(game, position, strategy, claim, verdict.lines.as_ref());
        VerifyReport { holds: verdict.holds, positions: verdict.positions, partial: verdict.partial, ..report }
    }

    /// The claim and the lines of play.
    fn counted(
        game: &str,
        position: String,
        strategy: &str,
        (side, least): (Player, Wdl),
        lines: Option<&Lines>,
    ) -> VerifyReport {
        let exactly = |n: Option<BigUint>| n.map_or(Json::Null, |n| exact(&n));
        VerifyReport {
            agon: VERSION,
            game: game.to_string(),
            position,
            strategy: strategy.to_string(),
            side: side.name(),
            side_name: side.name().to_string(),
            claim: least.name(),
            holds: false,
            positions: 0,
            lines: exactly(lines.map(|l| l.all())),
            losing_lines: exactly(lines.map(|l| l.below(least))),
            outcomes: lines.map_or(Json::Null, |l| {
                json!({"win": exact(&l.win), "draw": exact(&l.draw), "loss": exact(&l.loss), "broken": exact(&l.broken)})
            }),
            counterexample: None,
            how: None,
            shortest_counterexample: None,
            best_response: None,
            rules: None,
            board: None,
            failures: None,
            losing: None,
            repair: None,
            certificate: None,
            by: None,
            partial: false,
            stopped: None,
        }
    }
}

/// The way in which a line breaks a claim, in words.
pub fn counterexample_text<M>(how: Break<M>, show: impl Fn(M) -> String) -> String {
    match how {
        Break::Result(result) => format!("the play ends in a {result}"),
        Break::Silent => "the strategy has no move here".to_string(),
        Break::Illegal(mv) => format!("the strategy plays {}, which is not legal", show(mv)),
        Break::Cycle => "play can cycle forever".to_string(),
    }
}

/// Lines written out as text.
const LINES_SHOWN: usize = 60;

fn number(json: &Json) -> String {
    match json {
        Json::Number(n) => grouped(n),
        Json::String(s) => grouped(s),
        _ => "infinitely many".to_string(),
    }
}

impl Report for VerifyReport {
    fn text(&self, paint: Paint) -> String {
        let claim = if self.claim == "win" { "wins" } else { "gets at least a draw" };
        let who = side_text(self.side, &self.side_name);
        let mut out = format!("{}: {} as {who} {claim} from {}\n", self.game, self.strategy, self.position);
        let verdict = if self.holds { paint.good("holds") } else { paint.bad("refuted") };
        let o = &self.outcomes;
        let positions = counted(self.positions, "position");
        let _ = if self.partial {
            writeln!(out, "{verdict}: stopped at the first counterexample, after {positions}; lines were not counted")
        } else if self.lines.is_null() {
            // A claim that rests on an argument is not played out; else play has no last line.
            let why = match self.by {
                Some(by) => format!("by {by}, so lines are not counted"),
                None => "play can cycle, so lines cannot be counted".to_string(),
            };
            writeln!(out, "{verdict}: {positions}; {why}")
        } else {
            let lines = if self.lines == 1 { "1 line".into() } else { format!("{} lines", number(&self.lines)) };
            let [win, draw, loss] = ["win", "draw", "loss"].map(|result| number(&o[result]));
            writeln!(out, "{verdict}: {positions}, {lines} ({win} won, {draw} drawn, {loss} lost)")
        };
        if let (Some(line), Some(how)) = (&self.counterexample, &self.how) {
            if !self.losing_lines.is_null() {
                let _ = writeln!(out, "lines that break the claim: {}", number(&self.losing_lines));
            }
            let _ =
                writeln!(out, "shortest: {} — {how}", if line.is_empty() { "at once".into() } else { line.join(" ") });
            if let Some(board) = &self.board {
                let _ = write!(out, "\n{board}");
            }
        }
        if let Some(response) = &self.best_response {
            let line =
                if response.moves.is_empty() { String::new() } else { format!(": {}", response.moves.join(" ")) };
            let _ = writeln!(out, "best response: {} for {}{line}", response.value, self.side_name);
        }
        if let Some(rules) = &self.rules {
            out.push_str(&rules_text(rules));
        }
        if let Some(failures) = &self.failures {
            out.push_str(&failures_text(failures));
        }
        if let Some(losing) = &self.losing {
            let all = number(&self.losing_lines);
            let shown = losing.len().min(LINES_SHOWN);
            let _ = writeln!(
                out,
                "\nlines that break the claim ({shown} of {all}{}):",
                if shown < losing.len() { "; the JSON answer lists more" } else { "" }
            );
            losing.iter().take(shown).for_each(|line| {
                let _ = writeln!(out, "  {}", line.join(" "));
            });
        }
        if let Some(repair) = &self.repair {
            out.push_str(&repair_text(repair, paint));
        }
        out
    }
}

fn rules_text(rules: &[RuleReport]) -> String {
    let row = |rule: &RuleReport| {
        let needed = rule.needed.map_or("?", |needed| if needed { "yes" } else { "no" });
        vec![rule.name.clone(), grouped(rule.fired), grouped(rule.decided), needed.to_string()]
    };
    let rows: Vec<_> = rules.iter().map(row).collect();
    format!("\n{}", table(&["rule", "fired", "decided", "needed"], &rows))
}

/// The first wrong moves, by the rule that made them.
fn failures_text(failures: &[FailureReport]) -> String {
    let classes: std::collections::BTreeSet<_> = failures.iter().map(|f| &f.class).collect();
    let mut out =
        format!("\nfirst wrong moves: {}, at {} up to symmetry\n", failures.len(), counted(classes.len(), "position"));
    let mut reasons: Vec<&Option<String>> = Vec::new();
    for failure in failures {
        if !reasons.contains(&&failure.reason) {
            reasons.push(&failure.reason);
        }
    }
    for reason in reasons {
        let of_rule: Vec<&FailureReport> = failures.iter().filter(|f| f.reason == *reason).collect();
        let name = reason.as_deref().unwrap_or("no rule");
        let _ = writeln!(out, "\n{name}: {}", counted(of_rule.len(), "wrong move"));
        let row = |f: &&FailureReport| {
            let line = if f.line.is_empty() { "(start)".into() } else { f.line.join(" ") };
            let wrong = f.wrong.clone().unwrap_or_else(|| "none".into());
            vec![f.position.clone(), wrong, line, f.class.clone()]
        };
        out.push_str(&table(
            &["position", "wrong", "reached by", "orbit"],
            &of_rule.iter().map(row).collect::<Vec<_>>(),
        ));
    }
    out
}

fn repair_text(repair: &RepairReport, paint: Paint) -> String {
    let Some(exceptions) = &repair.exceptions else {
        return format!("\nno repair: {}\n", repair.why.as_deref().unwrap_or("none found"));
    };
    let fewest = match repair.at_least {
        Some(least) if !repair.fewest => format!("perhaps not the fewest: any repair needs at least {least}"),
        _ => "the fewest possible".to_string(),
    };
    let mut out = format!(
        "\nrepaired with {}, {fewest} (up to rotation and reflection):\n",
        counted(exceptions.len(), "exception")
    );
    for (i, e) in exceptions.iter().enumerate() {
        let alternatives =
            if e.moves.len() > 1 { format!(", or {} by symmetry", e.moves[1..].join(" ")) } else { String::new() };
        let _ = write!(
            out,
            "\n{}. when {} is to move here, play {}{alternatives}\n{}",
            i + 1,
            e.mover,
            e.moves[0],
            e.board
        );
    }
    let verdict = if repair.holds { paint.good("holds") } else { paint.bad("refuted") };
    let _ = writeln!(out, "\nthe repaired strategy {verdict} ({})", counted(repair.positions, "position"));
    out
}
