//! A strategy in English sentences.

use crate::text::{Body, Comparison, Condition, Expression, Section, Step, Term, Text};
use crate::vocabulary::{FEATURES, says};
use agon_core::features::Extra;

/// The rules of a strategy in English, one text for each rule or book, in order. `extras` are the features that only this
/// game has.
#[must_use]
pub fn english(text: &Text, extras: &[Extra]) -> Vec<String> {
    let speaker = Speaker { extras };
    text.deciding().map(|section| speaker.section(section)).collect()
}

struct Speaker<'a> {
    extras: &'a [Extra],
}

impl Speaker<'_> {
    fn section(&self, section: &Section) -> String {
        match &section.body {
            Body::Book { exact, entries } => {
                let images = if *exact { "" } else { ", or on one that is symmetric to it" };
                let boards =
                    if entries.len() == 1 { "the board".into() } else { format!("one of {} boards", entries.len()) };
                format!("On {boards} of the book{images}, play the move that it names.")
            }
            Body::Rule(steps) => self.rule(&steps.iter().map(|guarded| &guarded.step).collect::<Vec<_>>()),
            Body::Pairing(_) | Body::Region(_) => String::new(),
        }
    }

    fn rule(&self, steps: &[&Step]) -> String {
        let mut whens = Vec::new();
        let mut kept = Vec::new();
        for step in steps {
            let (limit, which) = match step {
                Step::On(board) => {
                    whens.push(format!("seen on the {} board", board.word));
                    continue;
                }
                Step::When(condition) => {
                    whens.push(format!("if {}", self.condition(condition)));
                    continue;
                }
                Step::Only(condition) => ("consider only", format!("for which {}", self.condition(condition))),
                Step::Prefer(condition) => {
                    ("consider, if possible, only", format!("for which {}", self.condition(condition)))
                }
                Step::Max(number) => ("consider", format!("with the largest value of {}", self.number(number))),
                Step::Min(number) => ("consider", format!("with the smallest value of {}", self.number(number))),
            };
            kept.push(match (kept.is_empty(), limit == "consider") {
                (true, true) => format!("{limit} the moves {which}"),
                (true, false) => format!("{limit} moves {which}"),
                (false, _) => format!("Of these, {limit} those {which}"),
            });
        }
        if kept.is_empty() {
            kept.push("play any move".to_string());
        }
        if !whens.is_empty() {
            kept[0] = format!("{}, {}", whens.join(" and "), kept[0]);
        }
        let sentence = kept.join(". ");
        let mut letters = sentence.chars();
        letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
    }

    fn term(&self, term: &Term) -> String {
        let argument = term.argument.as_ref().map(|name| name.word.as_str());
        let extra = self.extras.iter().find(|extra| extra.name == term.name);
        let feature = FEATURES.iter().find(|feature| feature.name == term.name);
        match (extra, feature) {
            (Some(extra), _) => extra.says.to_string(),
            (None, Some(feature)) => says(feature, argument),
            (None, None) => term.to_string(),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        let joined = |parts: &[Condition], word: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.part(part)).collect();
            parts.join(word)
        };
        match condition {
            Condition::Flag(term) => self.term(term),
            Condition::Compare(a, comparison, b) => {
                format!("{} is {}{}", self.number(a), than(*comparison), self.number(b))
            }
            Condition::Not(part) => format!("it is not so that {}", self.condition(part)),
            Condition::And(parts) => joined(parts, " and "),
            Condition::Or(parts) => joined(parts, " or "),
            Condition::Any(part) => format!("there is a move for which {}", self.condition(part)),
        }
    }

    /// A part of `and` or `or`, set off where it has parts of its own.
    fn part(&self, condition: &Condition) -> String {
        match condition {
            Condition::And(_) | Condition::Or(_) => format!("({})", self.condition(condition)),
            _ => self.condition(condition),
        }
    }

    fn number(&self, expression: &Expression) -> String {
        match expression {
            Expression::Number(n) => n.to_string(),
            Expression::Feature(term) => self.term(term),
            Expression::Most(part) => format!("the largest value, over all moves, of {}", self.number(part)),
            Expression::Least(part) => format!("the smallest value, over all moves, of {}", self.number(part)),
            Expression::Count(part) => format!("the number of moves for which {}", self.condition(part)),
            Expression::Plus(a, b) => format!("{} plus {}", self.number(a), self.number(b)),
            Expression::Minus(a, b) => format!("{} minus {}", self.number(a), self.number(b)),
        }
    }
}

fn than(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "",
        Comparison::Unequal => "not ",
        Comparison::Less => "less than ",
        Comparison::AtMost => "at most ",
        Comparison::Greater => "more than ",
        Comparison::AtLeast => "at least ",
    }
}
