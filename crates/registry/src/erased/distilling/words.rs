//! The language of strategies as a search sees it.

use agon_core::Ctx;
use agon_core::solver::Failed;
use agon_solve::distil::exact::{List, Steps};
use agon_solve::distil::shortest::{Each, Language, Single};
use agon_strategies::Text;
use agon_strategies::grammar::{Candidate, Grammar, LIST, RULE, Values};
use agon_strategies::text::{At, Body, Guarded, Section, Step};
use agon_strategies::vocabulary::Phrase;

/// The steps over some features.
pub(super) struct Words {
    grammar: Grammar,
    steps: Vec<Candidate>,
}

impl Words {
    /// The steps over the features whose numbers are `usable`.
    pub(super) fn new(phrases: &[Phrase], usable: impl Fn(usize) -> bool) -> Words {
        Words { grammar: Grammar::new(phrases, usable), steps: Vec::new() }
    }

    /// The bits of a list.
    pub(super) fn bits_of(&self, list: &List) -> f64 {
        let steps = list.iter().flatten().map(|&step| self.steps[step].bits);
        LIST + RULE * list.len() as f64 + steps.sum::<f64>()
    }
}

impl Steps<Values> for Words {
    fn count(&self) -> usize {
        self.steps.len()
    }

    fn bits(&self, step: usize) -> f64 {
        self.steps[step].bits
    }

    fn may_fail(&self, step: usize) -> bool {
        self.steps[step].may_fail()
    }

    #[inline]
    fn apply(&self, step: usize, values: &Values, kept: u64) -> u64 {
        self.grammar.apply(&self.steps[step], values, kept)
    }

    fn all(&self, values: &Values) -> u64 {
        values.all()
    }
}

impl Language<Values> for Words {
    type Written = Text;

    fn offer(&mut self, points: &[&Values], most: f64, ctx: &Ctx) -> Result<(), Failed> {
        self.grammar.grow(points, most, ctx)?;
        self.steps = self.grammar.steps(points, most);
        Ok(())
    }

    fn beyond(
        &mut self,
        points: &[&Values],
        above: f64,
        below: f64,
        each: Each<'_, Values, Text>,
    ) -> Result<(), Failed> {
        let mut end = Ok(());
        self.grammar.beyond(points, (above, below), &mut |grammar, step| {
            let single = Single {
                bits: step.bits,
                choose: &|values| grammar.apply(step, values, values.all()),
                write: &|| text(vec![vec![grammar.step(step)]]),
            };
            each(single).unwrap_or_else(|failed| {
                end = Err(failed);
                false
            })
        });
        end
    }

    fn single(&self) -> (f64, f64) {
        self.grammar.single()
    }

    fn write(&self, list: &List) -> Text {
        as_text(self, list)
    }
}

/// A list as text.
pub(super) fn as_text(words: &Words, list: &List) -> Text {
    let step = |step: &usize| words.grammar.step(&words.steps[*step]);
    text(list.iter().map(|rule| rule.iter().map(step).collect()).collect())
}

/// Rules with numbers for names.
fn text(rules: Vec<Vec<Step>>) -> Text {
    let guarded = |step: Step| Guarded { guard: None, at: At::default(), step };
    let section = |(i, steps): (usize, Vec<Step>)| Section {
        name: (i + 1).to_string(),
        guard: None,
        at: At::default(),
        body: Body::Rule(steps.into_iter().map(guarded).collect()),
    };
    Text { sections: rules.into_iter().enumerate().map(section).collect(), ..Text::default() }
}
