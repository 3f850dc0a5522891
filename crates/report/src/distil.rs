//! Short strategies that were found.

use super::Report;
use crate::VERSION;
use crate::words::{Paint, counted, grouped};
use agon_core::Wdl;
use serde::Serialize;
use std::fmt::Write as _;

/// The size of a strategy.
#[derive(Clone, Debug, Serialize)]
pub struct SizeReport {
    /// Everything, in bits.
    pub bits: f64,
    /// Rules.
    pub rules: usize,
    /// Features used.
    pub literals: usize,
    /// Boards in books.
    pub book: usize,
}

/// A rule or a step at a position where it rejects moves.
#[derive(Clone, Debug, Serialize)]
pub struct StepShown {
    /// The position.
    pub position: String,
    /// The moves that it keeps.
    pub keeps: Vec<String>,
    /// The moves that it rejects.
    pub rejects: Vec<String>,
    /// The position drawn as text.
    #[serde(skip)]
    pub board: String,
}

/// The moves of a list with and without a rule or a step.
#[derive(Clone, Debug, Serialize)]
pub struct Instead {
    /// The position.
    pub position: String,
    /// The moves of the list.
    pub plays: Vec<String>,
    /// The moves of the list without it.
    pub instead: Vec<String>,
    /// The position drawn as text.
    #[serde(skip)]
    pub board: String,
}

/// A shortest line that refutes a list without one of its rules or steps.
#[derive(Clone, Debug, Serialize)]
pub struct PunishedReport {
    /// The moves of both sides.
    pub line: Vec<String>,
    /// What is wrong at its end.
    pub how: String,
    /// The position there, drawn as text.
    #[serde(skip)]
    pub board: String,
}

/// A rule of a list with several rules, or a step, and what it is for.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// The name of the rule.
    pub rule: String,
    /// The step as text; nothing for the whole rule.
    pub step: Option<String>,
    /// A position where it rejects moves.
    pub decides: Option<StepShown>,
    /// A position where what comes after it would choose other moves.
    pub overrides: Option<Instead>,
    /// The shortest line that refutes the list without it; null if the list does without.
    pub without: Option<PunishedReport>,
}

/// Answer of `distil`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DistilReport {
    /// Program version.
    pub agon: &'static str,
    /// Canonical spelling.
    pub game: String,
    /// The position at which play begins.
    pub position: String,
    /// The side that the list plays: `first`, `second` or `either`.
    #[serde(rename = "as")]
    pub side: &'static str,
    /// `win` or `draw`.
    pub claim: &'static str,
    /// True if a list was found and verified against every reply.
    pub holds: bool,
    /// The list as text.
    pub rules: Option<String>,
    /// The same in English, a sentence for each rule.
    pub english: Vec<String>,
    /// Its size.
    pub size: Option<SizeReport>,
    /// True if it is proven that no list has fewer bits.
    pub minimal: bool,
    /// No list that keeps the claim has fewer bits; see docs/strategies.md for the lists that this speaks of.
    pub lower_bound: f64,
    /// The features that lists may use; empty for all.
    pub among: Vec<String>,
    /// Positions that the verification met.
    pub positions: u64,
    /// Lists tried.
    pub tried: u64,
    /// What each rule and each step is for.
    pub steps: Vec<StepReport>,
    /// The reason why there is no list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// True if no strategy at all can keep the claim.
    #[serde(skip)]
    pub impossible: bool,
    /// The time it took.
    pub seconds: f64,
    /// The file of the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

impl DistilReport {
    /// Nothing found yet.
    #[must_use]
    pub fn new(game: &str, position: String, least: Wdl) -> DistilReport {
        DistilReport {
            agon: VERSION,
            game: game.to_string(),
            position,
            side: "first",
            claim: least.name(),
            holds: false,
            rules: None,
            english: Vec::new(),
            size: None,
            minimal: false,
            lower_bound: 0.0,
            among: Vec::new(),
            positions: 0,
            tried: 0,
            steps: Vec::new(),
            why: None,
            impossible: false,
            seconds: 0.0,
            certificate: None,
        }
    }

    /// The list, its size, and how short it is known to be.
    fn heading(&self, paint: Paint) -> String {
        let claim = if self.claim == "win" { "wins" } else { "gets at least a draw" };
        let mut out = format!("{}: a list of rules that {claim} as {} from {}\n", self.game, self.side, self.position);
        if let Some(why) = &self.why {
            let _ = writeln!(out, "{}: {why}", paint.bad("none"));
        }
        if let Some(size) = &self.size {
            let verdict = if self.holds { paint.good("holds") } else { paint.bad("refuted") };
            let _ = writeln!(
                out,
                "{verdict}: {}, every reply and every choice left open followed",
                counted(self.positions, "position")
            );
            let _ = writeln!(
                out,
                "size: {:.2} bits, {}, {}",
                size.bits,
                counted(size.rules, "rule"),
                counted(size.literals, "feature")
            );
        }
        let _ = match (&self.size, self.minimal) {
            (None, _) if self.impossible => Ok(()),
            (Some(_), true) => writeln!(out, "no list is shorter: proven, {} lists tried", grouped(self.tried)),
            _ => writeln!(out, "no list has fewer than {:.2} bits: proven", self.lower_bound),
        };
        out
    }
}

impl Report for DistilReport {
    fn text(&self, paint: Paint) -> String {
        let mut out = self.heading(paint);
        let Some(rules) = &self.rules else { return out };
        let _ = write!(out, "\n{rules}\n");
        for (i, sentence) in self.english.iter().enumerate() {
            let _ = writeln!(out, "{}. {sentence}", i + 1);
        }
        let several = self.size.as_ref().is_some_and(|size| size.rules > 1);
        for part in &self.steps {
            let _ = writeln!(out, "\n{}", paint.bold(&part.heading(several)));
            let it = if part.step.is_some() { "the step" } else { "the rule" };
            if let Some(shown) = &part.decides {
                let (keeps, rejects) = (listed(&shown.keeps), listed(&shown.rejects));
                let _ = write!(out, "here it keeps {keeps}, and rejects {rejects}:\n{}", shown.board);
            }
            if let Some(shown) = &part.overrides {
                let (plays, instead) = (listed(&shown.plays), listed(&shown.instead));
                let _ = write!(out, "here the list plays {plays}; without {it}, {instead}:\n{}", shown.board);
            }
            let _ = match &part.without {
                Some(punished) => {
                    let (line, board) = (punished.line.join(" "), punished.board.trim_end());
                    writeln!(out, "without {it}: {line} — {}\n{board}", punished.how)
                }
                None => writeln!(out, "the list does without {it}"),
            };
        }
        out
    }
}

/// Longer lists of moves are cut.
const MOVES_SHOWN: usize = 12;

/// Moves as words.
fn listed(moves: &[String]) -> String {
    match moves.len() {
        0 => "nothing".to_string(),
        n if n > MOVES_SHOWN => format!("{} … ({n})", moves[..MOVES_SHOWN].join(" ")),
        _ => moves.join(" "),
    }
}

impl StepReport {
    /// The rule or the step as a heading. Where there are several rules, a step is headed by the name of its own.
    #[must_use]
    pub fn heading(&self, several: bool) -> String {
        match &self.step {
            None => format!("rule {}", self.rule),
            Some(step) if several => format!("{}: {step}", self.rule),
            Some(step) => step.clone(),
        }
    }
}
