//! Texts that play a smaller game in the middle of the board and answer on the border.

use crate::text::{Body, Condition, Expression, Section, Step, Term, Text};
use crate::vocabulary::{FEATURES, Needs, Word};

impl Text {
    /// The strategy for the smaller game in the middle, if the text is one for the whole board made of it:
    ///
    /// 1. a rule with the single line `only answers(border)`;
    /// 2. a rule with the lines `on inner` and `only extends`;
    /// 3. rules that begin with `on inner`, consider only moves `inside`, and use nothing but cells, marks and lines of
    ///    the inner board.
    ///
    /// The third part does not depend on the border, so what it does in the smaller game is what it does on the whole
    /// board.
    #[must_use]
    pub fn lifted(&self) -> Option<Text> {
        let [answer, extend, inside @ ..] = self.sections.as_slice() else { return None };
        let answers =
            matches!(steps(answer)?[..], [Step::Only(Condition::Flag(term))] if is(term, "answers", "border"));
        let extends = match steps(extend)?[..] {
            [Step::On(board), Step::Only(Condition::Flag(term))] => board.word == INNER && is(term, "extends", ""),
            _ => false,
        };
        if !answers || !extends || inside.is_empty() || !self.readings.is_empty() {
            return None;
        }
        let sections = inside.iter().map(inner_rule).collect::<Option<_>>()?;
        Some(Text { sections, ..Text::default() })
    }
}

/// The name of the board in the middle.
const INNER: &str = "inner";

fn steps(section: &Section) -> Option<Vec<&Step>> {
    match &section.body {
        Body::Rule(steps) => Some(steps.iter().map(|guarded| &guarded.step).collect()),
        _ => None,
    }
}

fn is(term: &Term, name: &str, argument: &str) -> bool {
    term.name == name && term.argument.as_ref().map_or("", |argument| argument.word.as_str()) == argument
}

/// The rule without `on inner` and `only inside`, if it speaks of the inner board alone.
fn inner_rule(section: &Section) -> Option<Section> {
    let Body::Rule(lines) = &section.body else { return None };
    let (first, rest) = lines.split_first()?;
    let on_inner = matches!(&first.step, Step::On(board) if board.word == INNER);
    let inside = |step: &Step| matches!(step, Step::Only(Condition::Flag(term)) if is(term, "inside", ""));
    // What comes before sees moves on the border too.
    let at = rest.iter().position(|line| inside(&line.step))?;
    let sound = |(i, line): (usize, &crate::text::Guarded)| match &line.step {
        Step::On(_) => false,
        Step::When(condition) => in_condition(condition),
        Step::Only(condition) | Step::Prefer(condition) => i > at && in_condition(condition),
        Step::Max(expression) | Step::Min(expression) => i > at && in_expression(expression),
    };
    let kept = || rest.iter().enumerate().filter(|(i, _)| *i != at);
    let body = Body::Rule(kept().map(|(_, line)| line.clone()).collect());
    (on_inner && kept().all(sound)).then(|| Section { body, ..section.clone() })
}

/// Returns whether a condition depends on the inner board alone. `any` and its like look at moves on the border too.
fn in_condition(condition: &Condition) -> bool {
    match condition {
        Condition::Flag(term) => of_inner_board(term),
        Condition::Compare(a, _, b) => in_expression(a) && in_expression(b),
        Condition::Not(part) => in_condition(part),
        Condition::And(parts) | Condition::Or(parts) => parts.iter().all(in_condition),
        Condition::Any(_) => false,
    }
}

fn in_expression(expression: &Expression) -> bool {
    match expression {
        Expression::Number(_) => true,
        Expression::Feature(term) => of_inner_board(term),
        Expression::Plus(a, b) | Expression::Minus(a, b) => in_expression(a) && in_expression(b),
        Expression::Most(_) | Expression::Least(_) | Expression::Count(_) => false,
    }
}

fn of_inner_board(term: &Term) -> bool {
    let known = FEATURES.iter().find(|feature| feature.name == term.name);
    let of_board = known.is_some_and(|feature| {
        let elsewhere = matches!(
            feature.word,
            Word::SameColumn | Word::SameRow | Word::AnswersLast | Word::Cell | Word::In | Word::Extends
        );
        feature.needs != Needs::Rules && !elsewhere
    });
    of_board && term.argument.as_ref().is_none_or(|argument| argument.word != "last")
}
