//! The behaviour of a strategy at a position, rule by rule.

use crate::words::Paint;
use serde::Serialize;
use std::fmt::Write as _;

/// The behaviour of a strategy at a position.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StrategyTrace {
    /// The strategy as asked for.
    pub strategy: String,
    /// The side it plays.
    #[serde(rename = "as")]
    pub side: &'static str,
    /// The game's name for that side.
    pub side_name: String,
    /// True if that side is to move.
    pub to_move: bool,
    /// The rule or book that decides, if it has a name.
    pub rule: Option<String>,
    /// That rule as a sentence.
    pub says: Option<String>,
    /// The moves it allows.
    pub moves: Vec<String>,
    /// Those of them that are proven to keep the value of the position, and those that are proven to give it away.
    pub keeping: Vec<String>,
    /// The moves that give the value away.
    pub losing: Vec<String>,
    /// The rules in order, up to the one that decides; nothing if the strategy has no rules as text.
    pub rules: Option<Vec<RuleTrace>>,
    /// A further remark.
    pub note: Option<String>,
}

/// The result of one rule or book at a position.
#[derive(Clone, Debug, Serialize)]
pub struct RuleTrace {
    /// Its name.
    pub name: String,
    /// True if it decides.
    pub decides: bool,
    /// Why it does not; nothing if it does.
    pub why: Option<String>,
    /// Its steps, up to the first after which it does not apply; empty for a book.
    pub steps: Vec<StepTrace>,
}

/// The effect of one step of a rule.
#[derive(Clone, Debug, Serialize)]
pub struct StepTrace {
    /// The step as text: `only corner`.
    pub step: String,
    /// For `when`: whether it holds here.
    pub holds: Option<bool>,
    /// The moves that it keeps.
    pub kept: Vec<String>,
    /// The moves that it rejects.
    pub rejected: Vec<String>,
    /// For `prefer max` and `prefer min`: the value of the moves that it keeps.
    pub value: Option<i32>,
}

impl StrategyTrace {
    /// A strategy that has not looked at the position yet.
    #[must_use]
    pub fn new(strategy: &str, side: &'static str, side_name: String, to_move: bool) -> StrategyTrace {
        StrategyTrace {
            strategy: strategy.to_string(),
            side,
            side_name,
            to_move,
            rule: None,
            says: None,
            moves: Vec::new(),
            keeping: Vec::new(),
            losing: Vec::new(),
            rules: None,
            note: None,
        }
    }

    /// The sentence that says what it does.
    #[must_use]
    pub fn sentence(&self) -> String {
        let who = format!("{}, playing {}", self.strategy, self.side_name);
        if !self.to_move {
            return format!("{who}, is not to move here.");
        }
        if self.moves.is_empty() {
            return format!("{who}, has no move here: no rule applies.");
        }
        let by = self.rule.as_ref().map_or(String::new(), |rule| format!(" by its rule `{rule}`"));
        let worth = match (self.keeping.len() == self.moves.len(), self.losing.is_empty()) {
            (true, _) if self.moves.len() == 1 => ", which keeps the value of the position",
            (true, _) => ", each of which keeps the value of the position",
            (false, false) if self.losing.len() == self.moves.len() => match self.moves.len() {
                1 => ", which gives away the value of the position",
                _ => ", all of which give away the value of the position",
            },
            (false, false) => ", not all of which keep the value of the position",
            (false, true) => "",
        };
        let lost = match self.losing.is_empty() || self.losing.len() == self.moves.len() {
            true => String::new(),
            false => {
                format!(" ({} {})", self.losing.join(" "), if self.losing.len() == 1 { "does not" } else { "do not" })
            }
        };
        format!("{who}, plays {}{by}{worth}{lost}.", or(&self.moves))
    }

    pub(super) fn text(&self, out: &mut String, paint: Paint) {
        let _ = writeln!(out, "\n{}", paint.bold(&self.sentence()));
        for rule in self.rules.iter().flatten() {
            let why = rule.why.as_deref().unwrap_or("decides");
            let _ = writeln!(out, "  {}: {why}", rule.name);
            for step in &rule.steps {
                if let Some(holds) = step.holds {
                    let _ = writeln!(out, "    {}: {}", step.step, if holds { "holds" } else { "does not hold" });
                    continue;
                }
                let value = step.value.map_or(String::new(), |value| format!(" (value {value})"));
                let rejected = match step.rejected.is_empty() {
                    true => "rejects nothing".to_string(),
                    false => format!("rejects {}", step.rejected.join(" ")),
                };
                let kept = if step.kept.is_empty() { "nothing".to_string() } else { step.kept.join(" ") };
                let _ = writeln!(out, "    {}: keeps {kept}{value}, {rejected}", step.step);
            }
        }
        if let Some(says) = &self.says {
            let _ = writeln!(out, "  in words: {says}");
        }
        if let Some(note) = &self.note {
            let _ = writeln!(out, "  note: {note}");
        }
    }
}

/// `a1`, `a1 or b2`, `a1, b2 or c3`.
pub(super) fn or(moves: &[String]) -> String {
    match moves {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
