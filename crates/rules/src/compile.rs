//! From text to something that can be evaluated: names are looked up in the vocabulary of a game.

use crate::board::{Mates, Table, mates};
use crate::text::{
    At, Body, Comparison, Condition, Entry, Expression, Fault, Guarded, Name, Section, Step, Term, Text,
};
use crate::vocabulary::{Argument, FEATURES, Feature, PAIRINGS, Phrase, TARGETS, Word, has, vocabulary};
use agon_core::family::shorten;
use agon_core::features::{Features, Sort, Subject};
use agon_core::lines::CellSet;
use agon_core::{Family, Symmetric};
use std::collections::HashMap;

/// A strategy for one game.
pub struct Rules<G: agon_core::Game> {
    pub(crate) sight: Sight<G>,
    pub(crate) parts: Vec<Part<G>>,
    pub(crate) looks_back: bool,
    text: Text,
}

/// What features are computed from: what the game shows, its boards, and the pairings in use.
pub(crate) struct Sight<G: agon_core::Game> {
    pub(crate) features: Box<dyn Features<G>>,
    pub(crate) tables: Vec<Table>,
    pub(crate) pairings: Vec<Mates>,
}

/// Every feature of a game with every argument, ready to be evaluated: what a search for strategies chooses from.
pub struct Vocabulary<G: agon_core::Game> {
    pub(crate) sight: Sight<G>,
    pub(crate) ops: Vec<Op>,
    phrases: Vec<Phrase>,
}

impl<G: Family> Vocabulary<G> {
    /// The vocabulary of a game on its whole board.
    #[must_use]
    pub fn new(game: &G) -> Vocabulary<G> {
        let features = game.vocabulary();
        let tables: Vec<Table> = features.boards().iter().map(Table::new).collect();
        let mut names = Names { features: features.as_ref(), tables: &tables, regions: vec![], pairings: vec![] };
        names.declare(&Text::default()).expect("nothing is declared");
        let (mut phrases, mut ops) = (vocabulary(features.as_ref()), Vec::new());
        phrases.retain(|phrase| {
            let found = names.find(&Term::new(phrase.name, phrase.argument.as_deref()), 0);
            found.map(|found| ops.push(found.op)).is_ok()
        });
        let pairings = names.pairings.into_iter().map(|(_, mates)| mates).collect();
        Vocabulary { sight: Sight { features, tables, pairings }, ops, phrases }
    }

    /// The features, in the order of their values.
    #[must_use]
    pub fn phrases(&self) -> &[Phrase] {
        &self.phrases
    }
}

/// A rule or a book, by name.
pub(crate) struct Part<G: agon_core::Game> {
    pub(crate) name: String,
    pub(crate) body: Deciding<G>,
}

/// How a part chooses moves.
pub(crate) enum Deciding<G: agon_core::Game> {
    Rule { board: usize, steps: Vec<Doing> },
    Book { boards: HashMap<G::Position, Vec<G::Move>>, pictures: Vec<Picture> },
}

/// A board of which only some cells are given, and the names of the moves to make there.
pub(crate) struct Picture {
    pub(crate) marks: [CellSet; 4],
    pub(crate) empty: CellSet,
    pub(crate) moves: Vec<String>,
}

/// A step with the numbers that depend on the position alone: they are computed once.
pub(crate) struct Doing {
    pub(crate) step: Act,
    pub(crate) over_all: Vec<OverAll>,
}

pub(crate) enum Act {
    When(Test),
    Only(Test),
    Prefer(Test),
    Max(Number),
    Min(Number),
}

/// A number about all legal moves.
pub(crate) enum OverAll {
    Any(Test),
    Count(Test),
    Most(Number),
    Least(Number),
}

pub(crate) enum Test {
    Flag(Op),
    Slot(usize),
    Compare(Number, Comparison, Number),
    Not(Box<Test>),
    All(Vec<Test>),
    Some(Vec<Test>),
}

pub(crate) enum Number {
    Fixed(i32),
    Op(Op),
    Slot(usize),
    Plus(Box<Number>, Box<Number>),
    Minus(Box<Number>, Box<Number>),
}

/// A feature with its argument looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Word(Word, u64),
    Extra(usize),
}

/// What an argument `last`, `centre`, … means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Last,
    Centre,
    Own,
    Other,
    Any,
}

pub(crate) const TARGET_KINDS: [Target; 5] = [Target::Last, Target::Centre, Target::Own, Target::Other, Target::Any];

impl<G: Family + Symmetric> Rules<G> {
    /// Looks up the names of a strategy for a game. The text is read as its first reading if it has several.
    ///
    /// Fails if a name is unknown, if a board or a move of a book is none of the game, or if there is no rule at all.
    pub fn new(game: &G, text: &Text) -> Result<Rules<G>, Fault> {
        let text = text.read_as("").unwrap_or_default();
        let features = game.vocabulary();
        let tables: Vec<Table> = features.boards().iter().map(Table::new).collect();
        let mut names = Names { features: features.as_ref(), tables: &tables, regions: vec![], pairings: vec![] };
        names.declare(&text)?;
        let mut parts = Vec::new();
        for section in &text.sections {
            let body = match &section.body {
                Body::Rule(steps) => names.rule(steps)?,
                Body::Book { exact, entries } => book(game, &names, *exact, entries)?,
                Body::Pairing(_) | Body::Region(_) => continue,
            };
            if parts.iter().any(|part: &Part<G>| part.name == section.name) {
                return Err(Fault::new(section.at, format!("`{}` is there twice; expected a new name", section.name)));
            }
            parts.push(Part { name: section.name.clone(), body });
        }
        if parts.is_empty() {
            return Err(Fault::new(At { line: 1, column: 1 }, "there is no rule; expected at least one"));
        }
        let pairings = names.pairings.into_iter().map(|(_, mates)| mates).collect();
        let looks_back = text.sections.iter().any(|section| looks_back(section, features.as_ref()));
        Ok(Rules { sight: Sight { features, tables, pairings }, parts, looks_back, text })
    }

    /// The strategy without one of its rules or books, by index; `None` if it was the only one.
    #[must_use]
    pub fn without(&self, game: &G, part: usize) -> Option<Rules<G>> {
        let mut text = self.text.clone();
        let mut deciding = 0..;
        text.sections.retain(|section| match section.body {
            Body::Rule(_) | Body::Book { .. } => deciding.next() != Some(part),
            Body::Pairing(_) | Body::Region(_) => true,
        });
        Rules::new(game, &text).ok()
    }
}

impl<G: agon_core::Game> Rules<G> {
    /// The text that it was made from, under one reading.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The names of its rules and books, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| part.name.as_str())
    }
}

/// Whether a section uses the opponent's last move.
fn looks_back<G: agon_core::Game>(section: &Section, features: &dyn Features<G>) -> bool {
    let Body::Rule(steps) = &section.body else { return false };
    let mut found = false;
    let mut see = |term: &Term| {
        let word = FEATURES.iter().find(|feature| feature.name == term.name).map(|feature| feature.word);
        let last = term.argument.as_ref().is_some_and(|argument| argument.word == "last");
        let extra = features.extras().iter().any(|extra| extra.name == term.name && extra.looks_back);
        found |= matches!(word, Some(Word::SameColumn | Word::SameRow | Word::AnswersLast)) || last || extra;
    };
    steps.iter().for_each(|step| step.step.terms(&mut see));
    found
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
    fn terms(&self, see: &mut dyn FnMut(&Term)) {
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
    fn terms(&self, see: &mut dyn FnMut(&Term)) {
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

/// What names mean.
struct Names<'a, G: agon_core::Game> {
    features: &'a dyn Features<G>,
    tables: &'a [Table],
    regions: Vec<(String, CellSet)>,
    pairings: Vec<(String, Mates)>,
}

/// A feature that was looked up.
struct Found {
    op: Op,
    sort: Sort,
    subject: Subject,
}

impl<G: agon_core::Game> Names<'_, G> {
    /// Reads the pairings and regions of a strategy. Pairings that every board has come first.
    fn declare(&mut self, text: &Text) -> Result<(), Fault> {
        for table in self.tables {
            let known = PAIRINGS.iter().filter_map(|(name, _)| Some((name.to_string(), mates(table, name)?)));
            self.pairings.extend(known);
        }
        for section in &text.sections {
            let taken = self.pairings.iter().any(|(name, _)| *name == section.name)
                || self.regions.iter().any(|(name, _)| *name == section.name);
            match &section.body {
                Body::Pairing(_) | Body::Region(_) if taken => {
                    return Err(Fault::new(section.at, format!("`{}` is taken; expected a new name", section.name)));
                }
                Body::Pairing(pairs) => {
                    let mates = self.pairing(pairs)?;
                    self.pairings.push((section.name.clone(), mates));
                }
                Body::Region(cells) => {
                    let set = cells.iter().try_fold(0, |set, cell| Ok(set | 1 << self.cell(cell)?))?;
                    self.regions.push((section.name.clone(), set));
                }
                Body::Rule(_) | Body::Book { .. } => {}
            }
        }
        Ok(())
    }

    fn pairing(&self, pairs: &[(Name, Name, bool)]) -> Result<Mates, Fault> {
        let mut mates: Mates = vec![None; self.tables.first().map_or(0, Table::cells)];
        for (one, other, same) in pairs {
            let (a, b) = (self.cell(one)?, self.cell(other)?);
            for (cell, mate, name) in [(a, b, one), (b, a, other)] {
                if mates[cell].is_some() || a == b {
                    let why = format!("`{}` has a partner already; expected each cell once", shorten(&name.word));
                    return Err(Fault::new(name.at, why));
                }
                mates[cell] = Some((mate as u8, *same));
            }
        }
        Ok(mates)
    }

    fn cell(&self, name: &Name) -> Result<usize, Fault> {
        let board = self.tables.first().ok_or_else(|| Fault::new(name.at, "this game has no cells"))?;
        board.cell(&name.word).ok_or_else(|| {
            let names = board.names();
            let ends = [names.first(), names.last()].map(|name| name.map_or("", String::as_str));
            let why = format!("no cell `{}`; cells are called {} to {}", shorten(&name.word), ends[0], ends[1]);
            Fault::new(name.at, why)
        })
    }

    fn rule(&self, steps: &[Guarded]) -> Result<Deciding<G>, Fault> {
        let mut board = 0;
        for guarded in steps {
            if let Step::On(name) = &guarded.step {
                board = self.tables.iter().position(|table| table.name() == name.word).ok_or_else(|| {
                    let known: Vec<&str> = self.tables.iter().map(Table::name).collect();
                    let known = match known.is_empty() {
                        true => "this game has none".to_string(),
                        false => format!("expected {}", known.join(" or ")),
                    };
                    Fault::new(name.at, format!("no board `{}`; {known}", shorten(&name.word)))
                })?;
            }
        }
        let mut doing = Vec::new();
        for guarded in steps {
            let mut reader = Reader { names: self, board, over_all: Vec::new(), inside: false, moves: true };
            let step = match &guarded.step {
                Step::On(_) => continue,
                Step::When(condition) => {
                    reader.moves = false;
                    Act::When(reader.test(condition)?)
                }
                Step::Only(condition) => Act::Only(reader.test(condition)?),
                Step::Prefer(condition) => Act::Prefer(reader.test(condition)?),
                Step::Max(expression) => Act::Max(reader.number(expression)?),
                Step::Min(expression) => Act::Min(reader.number(expression)?),
            };
            doing.push(Doing { step, over_all: reader.over_all });
        }
        Ok(Deciding::Rule { board, steps: doing })
    }

    /// Looks up a feature.
    fn find(&self, term: &Term, board: usize) -> Result<Found, Fault> {
        let plain = |why: &str| Fault::new(term.at, format!("`{}` {why}", term.name));
        if let Some(which) = self.features.extras().iter().position(|extra| extra.name == term.name) {
            let extra = &self.features.extras()[which];
            return match &term.argument {
                Some(_) => Err(plain("takes nothing in parentheses")),
                None => Ok(Found { op: Op::Extra(which), sort: extra.sort, subject: extra.subject }),
            };
        }
        let feature = FEATURES.iter().find(|feature| feature.name == term.name).ok_or_else(|| self.unknown(term))?;
        if !has(self.tables.get(board), feature.needs) {
            return Err(plain("means nothing in this game: it has no such cells or lines"));
        }
        let argument = match (&term.argument, feature.argument) {
            (None, Argument::None) => 0,
            (Some(_), Argument::None) => return Err(plain("takes nothing in parentheses")),
            (None, wanted) => return Err(plain(&format!("needs {} in parentheses", expected(wanted)))),
            (Some(given), wanted) => self.argument(feature, given, wanted, board)?,
        };
        Ok(Found { op: Op::Word(feature.word, argument), sort: feature.sort, subject: feature.subject })
    }

    fn argument(&self, feature: &Feature, given: &Name, wanted: Argument, board: usize) -> Result<u64, Fault> {
        let wrong = |known: String| {
            Fault::new(given.at, format!("invalid `{}({})`: expected {known}", feature.name, shorten(&given.word)))
        };
        let names = |list: Vec<&str>| if list.is_empty() { "one that you declare".into() } else { list.join(", ") };
        match wanted {
            Argument::None => Ok(0),
            Argument::Number => {
                let number = given.word.parse::<u64>().ok().filter(|n| *n <= 8);
                number.ok_or_else(|| wrong("a number, 0..=8".into()))
            }
            Argument::Target => {
                let known = || names(TARGETS.iter().map(|(name, _)| *name).collect());
                let which = TARGETS.iter().position(|(name, _)| *name == given.word);
                which.map(|which| which as u64).ok_or_else(|| wrong(known()))
            }
            Argument::Cell => self.cell(given).map(|cell| cell as u64),
            Argument::Region => {
                let known = || names(self.regions.iter().map(|(name, _)| name.as_str()).collect());
                let region = self.regions.iter().find(|(name, _)| *name == given.word);
                region.map(|(_, set)| *set).ok_or_else(|| wrong(known()))
            }
            Argument::Pairing => {
                // The pairings that every board has are repeated for each board, in the order of the boards.
                let known = || {
                    let own = self.pairings.iter().skip(PAIRINGS.len() * self.tables.len());
                    names(PAIRINGS.iter().map(|(name, _)| *name).chain(own.map(|(name, _)| name.as_str())).collect())
                };
                let which = self.pairings.iter().position(|(name, _)| *name == given.word);
                let which = which.ok_or_else(|| wrong(known()))?;
                Ok((which + if which < PAIRINGS.len() { board * PAIRINGS.len() } else { 0 }) as u64)
            }
        }
    }

    /// Why there is no such feature, with the nearest name.
    fn unknown(&self, term: &Term) -> Fault {
        let extras = self.features.extras().iter().map(|extra| extra.name);
        let names = FEATURES.iter().filter(|f| has(self.tables.first(), f.needs)).map(|f| f.name).chain(extras);
        let nearest = names.map(|name| (edits(&term.name, name), name)).min();
        let hint = match nearest {
            Some((edits, name)) if edits <= 3 => format!("; did you mean `{name}`?"),
            _ => ", see the list of features".to_string(),
        };
        Fault::new(term.at, format!("no feature `{}`{hint}", shorten(&term.name)))
    }
}

fn expected(argument: Argument) -> &'static str {
    match argument {
        Argument::None => "nothing",
        Argument::Number => "a number",
        Argument::Target => "last, centre, own, other or any",
        Argument::Cell => "a cell",
        Argument::Region => "a region",
        Argument::Pairing => "a pairing",
    }
}

/// The fewest letters to change, add or drop to get from one word to the other.
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().take(40).enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let changed = before + usize::from(a != *b);
            before = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(before + 1);
        }
    }
    row[other.len()]
}

/// Reads the conditions of one step.
struct Reader<'a, 'b, G: agon_core::Game> {
    names: &'a Names<'b, G>,
    board: usize,
    over_all: Vec<OverAll>,
    /// Whether an aggregate is being read.
    inside: bool,
    /// Whether features of moves can be used.
    moves: bool,
}

impl<G: agon_core::Game> Reader<'_, '_, G> {
    fn term(&self, term: &Term, wanted: Sort) -> Result<Op, Fault> {
        let found = self.names.find(term, self.board)?;
        if found.subject == Subject::Move && !self.moves {
            let like = if found.sort == Sort::Flag { format!("any({term})") } else { format!("most({term})") };
            return Err(Fault::new(term.at, format!("`{term}` speaks of a move; a position can have {like}")));
        }
        match (found.sort, wanted) {
            (Sort::Number, Sort::Flag) => {
                Err(Fault::new(term.at, format!("`{term}` is a number; expected a condition, like {term} > 0")))
            }
            (Sort::Flag, Sort::Number) => {
                Err(Fault::new(term.at, format!("`{term}` is a yes or no, not a number; use it alone")))
            }
            _ => Ok(found.op),
        }
    }

    /// Something about all legal moves, computed once for each position.
    fn slot(&mut self, at: At, read: impl FnOnce(&mut Self) -> Result<OverAll, Fault>) -> Result<usize, Fault> {
        if self.inside {
            return Err(Fault::new(at, "any, count, most and least cannot be used inside one another"));
        }
        let moves = std::mem::replace(&mut self.moves, true);
        self.inside = true;
        let over_all = read(self)?;
        (self.inside, self.moves) = (false, moves);
        self.over_all.push(over_all);
        Ok(self.over_all.len() - 1)
    }

    fn test(&mut self, condition: &Condition) -> Result<Test, Fault> {
        Ok(match condition {
            Condition::Flag(term) => Test::Flag(self.term(term, Sort::Flag)?),
            Condition::Compare(a, comparison, b) => Test::Compare(self.number(a)?, *comparison, self.number(b)?),
            Condition::Not(part) => Test::Not(Box::new(self.test(part)?)),
            Condition::And(parts) => Test::All(parts.iter().map(|part| self.test(part)).collect::<Result<_, _>>()?),
            Condition::Or(parts) => Test::Some(parts.iter().map(|part| self.test(part)).collect::<Result<_, _>>()?),
            Condition::Any(part) => Test::Slot(self.slot(place(part), |me| Ok(OverAll::Any(me.test(part)?)))?),
        })
    }

    fn number(&mut self, expression: &Expression) -> Result<Number, Fault> {
        Ok(match expression {
            Expression::Number(n) => Number::Fixed(*n),
            Expression::Feature(term) => Number::Op(self.term(term, Sort::Number)?),
            Expression::Most(part) => Number::Slot(self.slot(at(part), |me| Ok(OverAll::Most(me.number(part)?)))?),
            Expression::Least(part) => Number::Slot(self.slot(at(part), |me| Ok(OverAll::Least(me.number(part)?)))?),
            Expression::Count(part) => Number::Slot(self.slot(place(part), |me| Ok(OverAll::Count(me.test(part)?)))?),
            Expression::Plus(a, b) => Number::Plus(Box::new(self.number(a)?), Box::new(self.number(b)?)),
            Expression::Minus(a, b) => Number::Minus(Box::new(self.number(a)?), Box::new(self.number(b)?)),
        })
    }
}

/// Where a condition begins, as far as it names a feature.
fn place(condition: &Condition) -> At {
    let mut first = None;
    condition.terms(&mut |term| first = first.or(Some(term.at)));
    first.unwrap_or_default()
}

fn at(expression: &Expression) -> At {
    let mut first = None;
    expression.terms(&mut |term| first = first.or(Some(term.at)));
    first.unwrap_or_default()
}

fn book<G: Family + Symmetric>(
    game: &G,
    names: &Names<'_, G>,
    exact: bool,
    entries: &[Entry],
) -> Result<Deciding<G>, Fault> {
    let (mut boards, mut pictures) = (HashMap::<G::Position, Vec<G::Move>>::new(), Vec::new());
    for entry in entries {
        if entry.board.word.contains('?') {
            if !exact {
                return Err(Fault::new(entry.board.at, "a board with ? stands for itself; expected an exact book"));
            }
            pictures.push(names.picture(entry)?);
            continue;
        }
        let pos = game.parse(&entry.board.word).map_err(|e| Fault::new(entry.board.at, e.to_string()))?;
        for mv in &entry.moves {
            let chosen = game.parse_move(&pos, &mv.word).map_err(|e| Fault::new(mv.at, e.to_string()))?;
            for element in 0..if exact { 1 } else { game.order() } {
                let moves = boards.entry(game.image(element, &pos)).or_default();
                let image = game.image_of_move(element, chosen);
                if !moves.contains(&image) {
                    moves.push(image);
                }
            }
        }
    }
    boards.values_mut().for_each(|moves| moves.sort_unstable());
    Ok(Deciding::Book { boards, pictures })
}

impl<G: agon_core::Game> Names<'_, G> {
    /// A board of which only some cells are given.
    fn picture(&self, entry: &Entry) -> Result<Picture, Fault> {
        let wrong = |why: String| Fault::new(entry.board.at, why);
        let board = self.tables.first().ok_or_else(|| wrong("this game has no cells".into()))?;
        let (cells, letters) = (board.picture(), self.features.letters());
        let rows: Vec<Vec<char>> = entry.board.word.split('/').map(|row| row.chars().collect()).collect();
        let shape = |rows: &[usize]| rows.iter().map(ToString::to_string).collect::<Vec<_>>().join("/");
        let (wanted, given): (Vec<usize>, Vec<usize>) =
            (cells.iter().map(Vec::len).collect(), rows.iter().map(Vec::len).collect());
        if wanted != given {
            let given = shorten(&shape(&given));
            return Err(wrong(format!("a picture with rows of {given}; expected rows of {}", shape(&wanted))));
        }
        let mut picture = Picture { marks: [0; 4], empty: 0, moves: Vec::new() };
        for (&cell, &letter) in cells.iter().flatten().zip(rows.iter().flatten()) {
            match letters.iter().take(4).position(|&known| known == letter) {
                Some(mark) => picture.marks[mark] |= 1 << cell,
                None if letter == '.' => picture.empty |= 1 << cell,
                None if letter == '?' => {}
                None => {
                    let known: Vec<String> = letters.iter().map(char::to_string).collect();
                    return Err(wrong(format!("`{letter}` is no mark; expected . ? {}", known.join(" "))));
                }
            }
        }
        picture.moves = entry.moves.iter().map(|mv| mv.word.clone()).collect();
        Ok(picture)
    }
}
