//! Resolves the names of a strategy for one game.

use crate::board::{Mates, Table, mates};
use crate::compile::{Act, Doing, Number, Op, OverAll, Picture, Test};
use crate::text::{At, Body, Condition, Entry, Expression, Fault, Guarded, Name, Step, Term, Text};
use crate::vocabulary::{Argument, FEATURES, Feature, Needs, PAIRINGS, TARGETS, Word, has};
use agon_core::Game;
use agon_core::family::shorten;
use agon_core::features::{Extra, Features, Sort, Subject};
use agon_core::lines::CellSet;

/// The meanings of names.
pub(crate) struct Names<'a> {
    extras: &'a [Extra],
    letters: &'a [char],
    tables: &'a [Table],
    regions: Vec<(String, CellSet)>,
    pub(crate) pairings: Vec<(String, Mates)>,
}

/// A feature that was looked up.
pub(crate) struct Found {
    pub(crate) op: Op,
    sort: Sort,
    subject: Subject,
}

impl<'a> Names<'a> {
    pub(crate) fn new<G: Game>(features: &'a dyn Features<G>, tables: &'a [Table]) -> Names<'a> {
        let (extras, letters) = (features.extras(), features.letters());
        Names { extras, letters, tables, regions: Vec::new(), pairings: Vec::new() }
    }

    /// Reads the pairings and regions of a strategy. Pairings that every board has come first.
    pub(crate) fn declare(&mut self, text: &Text) -> Result<(), Fault> {
        for table in self.tables {
            let known = PAIRINGS.iter().filter_map(|(name, _)| Some((name.to_string(), mates(table, name)?)));
            self.pairings.extend(known);
        }
        for section in &text.sections {
            let taken = self.pairings.iter().any(|(name, _)| *name == section.name)
                || self.regions.iter().any(|(name, _)| *name == section.name);
            match &section.body {
                Body::Pairing(_) | Body::Region(_) if taken => {
                    return Err(Fault::new(
                        section.at,
                        format!("`{}` is taken; expected a new name", shorten(&section.name)),
                    ));
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

    /// The board of a rule, by index, and its steps.
    pub(crate) fn rule(&self, steps: &[Guarded]) -> Result<(usize, Vec<Doing>), Fault> {
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
        Ok((board, doing))
    }

    /// Looks up a feature.
    pub(crate) fn find(&self, term: &Term, board: usize) -> Result<Found, Fault> {
        let plain = |why: &str| Fault::new(term.at, format!("`{}` {why}", term.name));
        if let Some(which) = self.extras.iter().position(|extra| extra.name == term.name) {
            let extra = &self.extras[which];
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
        let op = match feature.needs {
            Needs::Rules => Op::Play(feature.word),
            Needs::Lines if !matches!(feature.word, Word::CompleteLines | Word::Extends) => {
                Op::Lines(feature.word, argument as u32)
            }
            Needs::Cells | Needs::Lines => Op::Board(feature.word, argument),
        };
        Ok(Found { op, sort: feature.sort, subject: feature.subject })
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
        let extras = self.extras.iter().map(|extra| extra.name);
        let names = FEATURES.iter().filter(|f| has(self.tables.first(), f.needs)).map(|f| f.name).chain(extras);
        let given = shorten(&term.name);
        let nearest = names.map(|name| (strsim::levenshtein(&given, name), name)).min();
        let hint = match nearest {
            Some((edits, name)) if edits <= 3 => format!("; did you mean `{name}`?"),
            _ => ", see the list of features".to_string(),
        };
        Fault::new(term.at, format!("no feature `{given}`{hint}"))
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

/// Reads the conditions of one step.
struct Reader<'a> {
    names: &'a Names<'a>,
    board: usize,
    over_all: Vec<OverAll>,
    /// True if an aggregate is being read.
    inside: bool,
    /// True if features of moves can be used.
    moves: bool,
}

impl Reader<'_> {
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

/// The place where a condition begins, as far as it names a feature.
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

impl Names<'_> {
    /// A board of which only some cells are given.
    pub(crate) fn picture(&self, entry: &Entry) -> Result<Picture, Fault> {
        let wrong = |why: String| Fault::new(entry.board.at, why);
        let board = self.tables.first().ok_or_else(|| wrong("this game has no cells".into()))?;
        let (cells, letters) = (board.picture(), self.letters);
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
                    return Err(wrong(format!("`{letter}` is not a mark; expected . ? {}", known.join(" "))));
                }
            }
        }
        picture.moves = entry.moves.iter().map(|mv| mv.word.clone()).collect();
        Ok(picture)
    }
}
