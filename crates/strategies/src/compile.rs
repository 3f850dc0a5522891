//! From text to something that can be evaluated: names are looked up in the vocabulary of a game.

use crate::board::{Mates, Table};
use crate::names::Names;
use crate::text::{At, Body, Comparison, Entry, Fault, Section, Term, Text};
use crate::vocabulary::{FEATURES, Phrase, Word, vocabulary};
use agon_core::family::shorten;
use agon_core::features::{Extra, Features};
use agon_core::lines::CellSet;
use agon_core::{Family, Symmetric};
use std::collections::HashMap;

/// A strategy for one game.
pub struct Rules<G: agon_core::Game> {
    pub(crate) inputs: Inputs<G>,
    pub(crate) parts: Vec<Part<G>>,
    pub(crate) looks_back: bool,
    text: Text,
}

/// The inputs of the features: the game's own features, its boards, and the pairings in use.
pub(crate) struct Inputs<G: agon_core::Game> {
    pub(crate) features: Box<dyn Features<G>>,
    pub(crate) tables: Vec<Table>,
    pub(crate) pairings: Vec<Mates>,
}

/// Every feature of a game with every argument, ready to be evaluated: what a search for strategies chooses from.
pub struct Vocabulary<G: agon_core::Game> {
    pub(crate) inputs: Inputs<G>,
    pub(crate) ops: Vec<Op>,
    phrases: Vec<Phrase>,
}

impl<G: Family> Vocabulary<G> {
    /// The vocabulary of a game on its whole board.
    #[must_use]
    pub fn new(game: &G) -> Vocabulary<G> {
        let features = game.vocabulary();
        let tables: Vec<Table> = features.boards().iter().map(Table::new).collect();
        let mut names = Names::new(features.as_ref(), &tables);
        names.declare(&Text::default()).expect("nothing is declared");
        let (mut phrases, mut ops) = (vocabulary(features.as_ref()), Vec::new());
        phrases.retain(|phrase| {
            let found = names.find(&Term::new(phrase.name, phrase.argument.as_deref()), 0);
            found.map(|found| ops.push(found.op)).is_ok()
        });
        let pairings = names.pairings.into_iter().map(|(_, mates)| mates).collect();
        Vocabulary { inputs: Inputs { features, tables, pairings }, ops, phrases }
    }

    /// The features, in the order of their values.
    #[must_use]
    pub fn phrases(&self) -> &[Phrase] {
        &self.phrases
    }

    /// Returns whether a feature depends on the opponent's last move.
    #[must_use]
    pub fn looks_back(&self, phrase: &Phrase) -> bool {
        term_looks_back(phrase.name, phrase.argument.as_deref(), self.inputs.features.extras())
    }

    /// The memory of a strategy after a move of the opponent.
    pub fn remembers(&self, game: &G, before: &G::Position, mv: G::Move) -> u16 {
        self.inputs.features.last(game, before, mv)
    }
}

/// A rule or a book, by name.
pub(crate) struct Part<G: agon_core::Game> {
    pub(crate) name: String,
    pub(crate) body: Deciding<G>,
}

/// The way in which a part chooses moves.
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
    /// By the rules of the game.
    Play(Word),
    /// By the cells and marks of the board.
    Board(Word, u64),
    /// By the lines through the cell of the move.
    Lines(Word, u32),
    /// By the game itself.
    Extra(usize),
}

/// The meaning of an argument `last`, `centre`, ….
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
        let mut names = Names::new(features.as_ref(), &tables);
        names.declare(&text)?;
        let mut parts = Vec::new();
        for section in &text.sections {
            let body = match &section.body {
                Body::Rule(steps) => {
                    let (board, steps) = names.rule(steps)?;
                    Deciding::Rule { board, steps }
                }
                Body::Book { exact, entries } => book(game, &names, *exact, entries)?,
                Body::Pairing(_) | Body::Region(_) => continue,
            };
            if parts.iter().any(|part: &Part<G>| part.name == section.name) {
                return Err(Fault::new(
                    section.at,
                    format!("`{}` occurs twice; expected a new name", shorten(&section.name)),
                ));
            }
            parts.push(Part { name: section.name.clone(), body });
        }
        if parts.is_empty() {
            return Err(Fault::new(At { line: 1, column: 1 }, "there is no rule; expected at least one"));
        }
        let pairings = names.pairings.into_iter().map(|(_, mates)| mates).collect();
        let looks_back = text.sections.iter().any(|section| looks_back(section, features.extras()));
        Ok(Rules { inputs: Inputs { features, tables, pairings }, parts, looks_back, text })
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

/// Returns whether a section uses the opponent's last move.
fn looks_back(section: &Section, extras: &[Extra]) -> bool {
    let Body::Rule(steps) = &section.body else { return false };
    let mut found = false;
    let mut see = |term: &Term| {
        found |= term_looks_back(&term.name, term.argument.as_ref().map(|argument| argument.word.as_str()), extras);
    };
    steps.iter().for_each(|step| step.step.terms(&mut see));
    found
}

/// Returns whether a feature depends on the opponent's last move.
fn term_looks_back(name: &str, argument: Option<&str>, extras: &[Extra]) -> bool {
    let word = FEATURES.iter().find(|feature| feature.name == name).map(|feature| feature.word);
    let extra = extras.iter().any(|extra| extra.name == name && extra.looks_back);
    matches!(word, Some(Word::SameColumn | Word::SameRow | Word::AnswersLast)) || argument == Some("last") || extra
}

fn book<G: Family + Symmetric>(
    game: &G,
    names: &Names<'_>,
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
