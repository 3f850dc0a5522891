//! The canonical text of a strategy: what is printed reads back as the same strategy.

use crate::text::{Body, Condition, Entry, Expression, Guard, Guarded, Name, Section, Step, Term, Text};
use std::fmt::{self, Display, Write as _};

impl Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.about.iter().try_for_each(|line| writeln!(f, "about {line}"))?;
        self.readings.iter().try_for_each(|reading| writeln!(f, "reading {reading}"))?;
        for (i, section) in self.sections.iter().enumerate() {
            let first = i == 0 && self.about.is_empty() && self.readings.is_empty();
            write!(f, "{}{section}", if first { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heading = match &self.body {
            Body::Rule(_) => "rule",
            Body::Book { exact: false, .. } => "book",
            Body::Book { exact: true, .. } => "exact book",
            Body::Pairing(_) => "pairing",
            Body::Region(_) => "region",
        };
        writeln!(f, "{}{heading} {}", guard(self.guard.as_ref()), self.name)?;
        match &self.body {
            Body::Rule(steps) => steps.iter().try_for_each(|step| writeln!(f, "  {step}")),
            Body::Book { entries, .. } => entries.iter().try_for_each(|entry| writeln!(f, "  {entry}")),
            Body::Pairing(pairs) => pairs.iter().try_for_each(|(one, other, same)| {
                writeln!(f, "  {} {}{}", one.word, other.word, if *same { " same" } else { "" })
            }),
            Body::Region(cells) => {
                for (i, Name { word, .. }) in cells.iter().enumerate() {
                    let before = match i % 16 {
                        _ if i == 0 => "  ",
                        0 if !begins_otherwise(word) => "\n  ",
                        _ => " ",
                    };
                    write!(f, "{before}{word}")?;
                }
                f.write_str(if cells.is_empty() { "" } else { "\n" })
            }
        }
    }
}

/// Returns whether a line that begins with this word is read as something other than cells.
fn begins_otherwise(word: &str) -> bool {
    word.starts_with('[') || ["about", "rule", "exact", "book", "pairing", "region"].contains(&word)
}

fn guard(guard: Option<&Guard>) -> String {
    match guard {
        Some(guard) => format!("[{}{}] ", if guard.wanted { "" } else { "not " }, guard.word),
        None => String::new(),
    }
}

impl Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.board.word)?;
        self.moves.iter().try_for_each(|mv| write!(f, " {}", mv.word))
    }
}

impl Display for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", guard(self.guard.as_ref()), self.step)
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::On(board) => write!(f, "on {}", board.word),
            Step::When(condition) => write!(f, "when {condition}"),
            Step::Only(condition) => write!(f, "only {condition}"),
            Step::Prefer(condition) => write!(f, "prefer {condition}"),
            Step::Max(expression) => write!(f, "prefer max {expression}"),
            Step::Min(expression) => write!(f, "prefer min {expression}"),
        }
    }
}

impl Condition {
    /// The binding strength: `or` binds least.
    fn binding(&self) -> u8 {
        match self {
            Condition::Or(_) => 0,
            Condition::And(_) => 1,
            _ => 2,
        }
    }

    /// The text, in parentheses where the enclosing condition binds as strongly.
    fn within(&self, binding: u8) -> String {
        if self.binding() <= binding { format!("({self})") } else { self.to_string() }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |parts: &[Condition], word: &str, binding: u8| {
            parts.iter().map(|part| part.within(binding)).collect::<Vec<_>>().join(word)
        };
        match self {
            Condition::Flag(term) => write!(f, "{term}"),
            Condition::Compare(a, comparison, b) => write!(f, "{a} {} {b}", comparison.sign()),
            Condition::Not(part) => write!(f, "not {}", part.within(1)),
            Condition::And(parts) => f.write_str(&joined(parts, " and ", 1)),
            Condition::Or(parts) => f.write_str(&joined(parts, " or ", 0)),
            Condition::Any(part) => write!(f, "any({part})"),
        }
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Number(n) => write!(f, "{n}"),
            Expression::Feature(term) => write!(f, "{term}"),
            Expression::Most(part) => write!(f, "most({part})"),
            Expression::Least(part) => write!(f, "least({part})"),
            Expression::Count(part) => write!(f, "count({part})"),
            Expression::Plus(a, b) => write!(f, "{a} + {}", operand(b)),
            Expression::Minus(a, b) => write!(f, "{a} - {}", operand(b)),
        }
    }
}

/// The right side of a sum: sums are read from the left.
fn operand(b: &Expression) -> String {
    let mut out = String::new();
    let _ = match b {
        Expression::Plus(..) | Expression::Minus(..) => write!(out, "({b})"),
        _ => write!(out, "{b}"),
    };
    out
}

impl Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.argument.as_ref().map_or(Ok(()), |argument| write!(f, "({})", argument.word))
    }
}
