//! A strategy as it is written: sections, rules, steps, conditions. Names are not resolved yet, since what they mean
//! depends on the game.

use std::fmt;

/// The line and column of a word, both counted from 1. The places of words do not affect the equality of texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct At {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

impl Eq for At {}

/// Why a text is no strategy for a game, with the place, what was given and what would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    at: (u32, u32),
    why: String,
}

/// A longer explanation is cut: what was given can be as long as the text.
const LONGEST_WHY: usize = 400;

impl Fault {
    /// A fault at a place of the text.
    pub fn new(at: At, why: impl Into<String>) -> Fault {
        let why: String = why.into();
        let cut = why.char_indices().nth(LONGEST_WHY).map_or(why.len(), |(cut, _)| cut);
        let clean = why[..cut].chars().map(|c| if c.is_control() { '␣' } else { c });
        Fault { at: (at.line, at.column), why: clean.chain((cut < why.len()).then_some('…')).collect() }
    }

    /// The line and the column, counted from 1.
    #[must_use]
    pub fn place(&self) -> (u32, u32) {
        self.at
    }

    /// The reason alone.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.at.0, self.at.1, self.why)
    }
}

impl std::error::Error for Fault {}

/// A whole strategy.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    /// A description, with the source.
    pub about: Vec<String>,
    /// The ways to read it, the default one first: each a list of words, for lines that begin with `[word]`.
    pub readings: Vec<String>,
    /// Rules, books, pairings and regions, in order.
    pub sections: Vec<Section>,
}

/// A part of a strategy under a heading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The name: the rest of the heading.
    pub name: String,
    /// The readings in which the section counts.
    pub guard: Option<Guard>,
    /// The place of the heading.
    pub at: At,
    /// Its lines.
    pub body: Body,
}

/// The lines of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// Conditions and preferences.
    Rule(Vec<Guarded>),
    /// Boards with the moves to make there.
    Book {
        /// True if each board stands for itself alone, not for its images under symmetry.
        exact: bool,
        /// The boards.
        entries: Vec<Entry>,
    },
    /// Pairs of cells; the flag says that both get the same mark.
    Pairing(Vec<(Name, Name, bool)>),
    /// A set of cells.
    Region(Vec<Name>),
}

/// A word with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The word.
    pub word: String,
    /// Its place.
    pub at: At,
}

/// A board of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The position in the game's notation, or a picture with `?` for any content.
    pub board: Name,
    /// The moves to choose among.
    pub moves: Vec<Name>,
}

/// `[word]` or `[not word]`: the line counts only in readings with or without that word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The word of a reading.
    pub word: String,
    /// True if the reading must have it.
    pub wanted: bool,
}

/// A step with its guard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guarded {
    /// The readings in which the step counts.
    pub guard: Option<Guard>,
    /// Its place.
    pub at: At,
    /// The step.
    pub step: Step,
}

/// A line of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `on NAME`: features of cells and lines refer to that board.
    On(Name),
    /// `when C`: the rule applies only in positions with C.
    When(Condition),
    /// `only C`: keeps the moves with C; without any, the rule does not apply.
    Only(Condition),
    /// `prefer C`: keeps the moves with C if there are any.
    Prefer(Condition),
    /// `prefer max E`: keeps the moves with the largest E.
    Max(Expression),
    /// `prefer min E`: keeps the moves with the smallest E.
    Min(Expression),
}

/// Something that is true or false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// A feature that is a yes or no.
    Flag(Term),
    /// Two numbers compared.
    Compare(Expression, Comparison, Expression),
    /// The opposite.
    Not(Box<Condition>),
    /// All of them.
    And(Vec<Condition>),
    /// At least one of them.
    Or(Vec<Condition>),
    /// `any(C)`: some legal move has C.
    Any(Box<Condition>),
}

/// A whole number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// Itself.
    Number(i32),
    /// A feature that is a number.
    Feature(Term),
    /// `most(E)`: the largest E among all legal moves.
    Most(Box<Expression>),
    /// `least(E)`: the smallest E among all legal moves.
    Least(Box<Expression>),
    /// `count(C)`: how many legal moves have C.
    Count(Box<Condition>),
    /// A sum.
    Plus(Box<Expression>, Box<Expression>),
    /// A difference.
    Minus(Box<Expression>, Box<Expression>),
}

/// A feature by name, perhaps with an argument: `corner`, `cuts(1)`, `distance(last)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The name.
    pub name: String,
    /// The text in parentheses.
    pub argument: Option<Name>,
    /// Its place.
    pub at: At,
}

impl Term {
    /// A feature without a place in a text.
    #[must_use]
    pub fn new(name: &str, argument: Option<&str>) -> Term {
        let argument = argument.map(|word| Name { word: word.to_string(), at: At::default() });
        Term { name: name.to_string(), argument, at: At::default() }
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// All of them with their signs; longer signs first.
    pub const ALL: [(&'static str, Comparison); 6] = [
        ("!=", Comparison::Unequal),
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("=", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];

    /// The sign.
    #[must_use]
    pub fn sign(self) -> &'static str {
        Comparison::ALL.iter().find(|(_, other)| *other == self).map_or("=", |(sign, _)| sign)
    }

    /// Returns whether it holds between two numbers.
    #[must_use]
    #[inline]
    pub fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::Unequal => a != b,
            Comparison::Less => a < b,
            Comparison::AtMost => a <= b,
            Comparison::Greater => a > b,
            Comparison::AtLeast => a >= b,
        }
    }
}

impl Text {
    /// The rules and books, in order.
    pub fn deciding(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(|section| matches!(section.body, Body::Rule(_) | Body::Book { .. }))
    }

    /// The strategy under one reading, an empty one being the first: lines of other readings are dropped. `None` if
    /// the text has no such reading.
    #[must_use]
    pub fn read_as(&self, reading: &str) -> Option<Text> {
        let reading = match (reading, self.readings.first()) {
            ("", Some(first)) => first,
            ("", None) => "",
            _ => self.readings.iter().find(|known| *known == reading)?,
        };
        let counts = |guard: &Option<Guard>| match guard {
            Some(guard) => reading.split(',').any(|word| word == guard.word) == guard.wanted,
            None => true,
        };
        let mut text = Text { about: self.about.clone(), ..Text::default() };
        for section in self.sections.iter().filter(|section| counts(&section.guard)) {
            let mut section = Section { guard: None, ..section.clone() };
            if let Body::Rule(steps) = &mut section.body {
                steps.retain(|step| counts(&step.guard));
                steps.iter_mut().for_each(|step| step.guard = None);
            }
            text.sections.push(section);
        }
        Some(text)
    }
}

impl Step {
    /// Calls `see` with every feature of the step.
    pub fn terms(&self, see: &mut dyn FnMut(&Term)) {
        match self {
            Step::On(_) => {}
            Step::When(c) | Step::Only(c) | Step::Prefer(c) => c.terms(see),
            Step::Max(e) | Step::Min(e) => e.terms(see),
        }
    }
}

impl Condition {
    pub(crate) fn terms(&self, see: &mut dyn FnMut(&Term)) {
        match self {
            Condition::Flag(term) => see(term),
            Condition::Compare(a, _, b) => {
                a.terms(see);
                b.terms(see);
            }
            Condition::Not(part) | Condition::Any(part) => part.terms(see),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| part.terms(see)),
        }
    }
}

impl Expression {
    pub(crate) fn terms(&self, see: &mut dyn FnMut(&Term)) {
        match self {
            Expression::Number(_) => {}
            Expression::Feature(term) => see(term),
            Expression::Most(part) | Expression::Least(part) => part.terms(see),
            Expression::Count(part) => part.terms(see),
            Expression::Plus(a, b) | Expression::Minus(a, b) => {
                a.terms(see);
                b.terms(see);
            }
        }
    }
}
