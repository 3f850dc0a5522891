//! Looks up the names of a strategy for one game.

use super::board::{Board, Mates, PAIRINGS};
use super::read::{Body, Line, Node, Part, Span};
use super::words::{Needs, TARGETS, Takes, Target, WORDS, Word};
use crate::format::Corrupt;
use agon_core::family::shorten;
use agon_core::features::{Extra, Features, Sort, Subject};
use agon_core::lines::{CellSet, MAX_MARKS};
use agon_core::{Notation, Symmetric};
use std::collections::HashMap;
use std::rc::Rc;

/// A strategy whose names are looked up.
pub(crate) struct Strategy<'a, G: Notation> {
    pub(super) game: &'a G,
    pub(super) features: &'a dyn Features<G>,
    pub(super) boards: Vec<Board<'a>>,
    pub(super) parts: Vec<Deciding<G>>,
    /// Everything that the text says about all legal moves.
    pub(super) over: Vec<Over>,
    /// True if the text uses the opponent's last move.
    pub(crate) looks_back: bool,
}

/// A rule or a book.
pub(super) enum Deciding<G: Notation> {
    Rule { board: usize, steps: Vec<Step> },
    Book { exact: bool, boards: HashMap<G::Position, Vec<G::Move>>, pictures: Vec<Picture> },
}

/// A line of a rule.
pub(super) enum Step {
    When(Test),
    Only(Test),
    Prefer(Test),
    Best { number: Number, largest: bool },
}

pub(super) enum Test {
    Flag(Feature),
    Any(usize),
    Compare(Number, &'static str, Number),
    Not(Box<Test>),
    And(Vec<Test>),
    Or(Vec<Test>),
}

pub(super) enum Number {
    Constant(i32),
    Value(Feature),
    Over(usize),
    Sum(Vec<(bool, Number)>),
}

/// `any`, `count`, `most` or `least` of all legal moves, on a board.
pub(super) struct Over {
    pub(super) board: usize,
    pub(super) of: Of,
}

pub(super) enum Of {
    Any(Test),
    Count(Test),
    Most(Number),
    Least(Number),
}

/// A position of which some cells may have any content, and the names of the moves to make there.
pub(super) struct Picture {
    pub(super) marks: [CellSet; MAX_MARKS],
    pub(super) empty: CellSet,
    pub(super) moves: Vec<String>,
}

/// A word of the language with what stands in its parentheses.
#[derive(Clone)]
pub(super) struct Feature {
    pub(super) word: Word,
    pub(super) argument: Argument,
}

#[derive(Clone)]
pub(super) enum Argument {
    None,
    Count(u32),
    Target(Target),
    Cell(usize),
    Cells(CellSet),
    Mates(Rc<Mates>),
}

/// The meanings of the names of a text.
struct Names<'a, 't> {
    extras: &'a [Extra],
    letters: &'a [char],
    boards: &'t [Board<'a>],
    regions: HashMap<&'t str, CellSet>,
    pairings: HashMap<&'t str, Rc<Mates>>,
    over: Vec<Over>,
    looks_back: bool,
}

/// The place of a feature.
#[derive(Clone, Copy)]
struct Scope {
    board: usize,
    /// True if a move is spoken of, or only the position.
    of_moves: bool,
    /// True if it stands within `any`, `count`, `most` or `least`.
    over: bool,
}

impl<'a, G: Notation + Symmetric> Strategy<'a, G> {
    /// Looks up the names of a text.
    pub(crate) fn new(game: &'a G, features: &'a dyn Features<G>, text: &str) -> Result<Strategy<'a, G>, Corrupt> {
        let parts = super::read::read(text)?;
        let boards: Vec<Board<'a>> = features.boards().iter().map(Board::new).collect();
        let mut names = Names::new(features, &boards);
        names.declare(&parts)?;
        let (mut deciding, mut taken) = (Vec::new(), Vec::new());
        for part in &parts {
            deciding.push(match &part.body {
                Body::Rule(lines) => {
                    let (board, steps) = names.rule(lines)?;
                    Deciding::Rule { board, steps }
                }
                Body::Book { exact, entries } => book(game, &names, *exact, entries)?,
                Body::Pairing(_) | Body::Region(_) => continue,
            });
            if taken.contains(&part.name.text) {
                return Err(part.name.fault(format!("`{}` occurs twice", shorten(part.name.text))));
            }
            taken.push(part.name.text);
        }
        if deciding.is_empty() {
            return Err(Corrupt("the strategy has no rule and no book".into()));
        }
        let (over, looks_back) = (names.over, names.looks_back);
        Ok(Strategy { game, features, boards, parts: deciding, over, looks_back })
    }
}

/// Looks up the positions and moves of a book.
fn book<G: Notation>(
    game: &G,
    names: &Names<'_, '_>,
    exact: bool,
    entries: &[(Span<'_>, Vec<Span<'_>>)],
) -> Result<Deciding<G>, Corrupt> {
    let (mut boards, mut pictures) = (HashMap::<G::Position, Vec<G::Move>>::new(), Vec::new());
    for (board, moves) in entries {
        if board.text.contains('?') {
            if !exact {
                return Err(board.fault("a picture with ? needs an exact book"));
            }
            pictures.push(names.picture(*board, moves)?);
            continue;
        }
        let pos = game.parse(board.text).map_err(|error| board.fault(error.to_string()))?;
        for mv in moves {
            let found = game.parse_move(&pos, mv.text).map_err(|error| mv.fault(error.to_string()))?;
            boards.entry(pos.clone()).or_default().push(found);
        }
    }
    Ok(Deciding::Book { exact, boards, pictures })
}

impl<'a, 't> Names<'a, 't> {
    fn new<G: Notation>(features: &'a dyn Features<G>, boards: &'t [Board<'a>]) -> Names<'a, 't> {
        let (extras, letters) = (features.extras(), features.letters());
        let (regions, pairings) = (HashMap::new(), HashMap::new());
        Names { extras, letters, boards, regions, pairings, over: Vec::new(), looks_back: false }
    }

    /// Looks up the pairings and regions of a text.
    fn declare(&mut self, parts: &'t [Part<'t>]) -> Result<(), Corrupt> {
        for part in parts {
            let name = part.name.text;
            let taken = self.regions.contains_key(name)
                || self.pairings.contains_key(name)
                || !self.boards.is_empty() && PAIRINGS.contains(&name);
            match &part.body {
                Body::Rule(_) | Body::Book { .. } => {}
                _ if taken => return Err(part.name.fault(format!("`{}` is taken", shorten(name)))),
                Body::Pairing(pairs) => {
                    let mates = self.pairing(pairs)?;
                    self.pairings.insert(name, Rc::new(mates));
                }
                Body::Region(cells) => {
                    let set = cells.iter().try_fold(0, |set, &cell| Ok::<_, Corrupt>(set | 1 << self.cell(cell)?))?;
                    self.regions.insert(name, set);
                }
            }
        }
        Ok(())
    }

    fn pairing(&self, pairs: &[(Span<'_>, Span<'_>, bool)]) -> Result<Mates, Corrupt> {
        let mut mates = Mates::new();
        for &(one, other, same) in pairs {
            let (a, b) = (self.cell(one)?, self.cell(other)?);
            let twice = mates.insert(a, (b, same)).is_some() | mates.insert(b, (a, same)).is_some();
            if twice {
                return Err(one.fault("expected each cell once"));
            }
        }
        Ok(mates)
    }

    /// A cell of the whole board by its name.
    fn cell(&self, name: Span<'_>) -> Result<usize, Corrupt> {
        let found = self.boards.first().and_then(|board| board.cell(name.text));
        found.ok_or_else(|| name.fault(format!("no cell `{}`", shorten(name.text))))
    }

    /// The board of a rule, by index, and its steps.
    fn rule(&mut self, lines: &[Line<'_>]) -> Result<(usize, Vec<Step>), Corrupt> {
        let mut board = 0;
        for line in lines {
            if let Line::On(name) = line {
                let found = self.boards.iter().position(|board| board.layout.name == name.text);
                board = found.ok_or_else(|| name.fault(format!("no board `{}`", shorten(name.text))))?;
            }
        }
        let scope = Scope { board, of_moves: true, over: false };
        let mut steps = Vec::new();
        for line in lines {
            steps.push(match line {
                Line::On(_) => continue,
                Line::When(node) => Step::When(self.test(node, Scope { of_moves: false, ..scope })?),
                Line::Only(node) => Step::Only(self.test(node, scope)?),
                Line::Prefer(node) => Step::Prefer(self.test(node, scope)?),
                Line::Best(node, largest) => Step::Best { number: self.number(node, scope)?, largest: *largest },
            });
        }
        Ok((board, steps))
    }

    fn test(&mut self, node: &Node<'_>, scope: Scope) -> Result<Test, Corrupt> {
        let tests = |me: &mut Self, parts: &[Node<'_>]| {
            parts.iter().map(|part| me.test(part, scope)).collect::<Result<Vec<Test>, Corrupt>>()
        };
        Ok(match node {
            Node::Feature(name, argument) => Test::Flag(self.feature(*name, *argument, Sort::Flag, scope)?),
            Node::Over(word, inner) => Test::Any(self.over(*word, inner, scope)?),
            Node::Compare(a, sign, b) => Test::Compare(self.number(a, scope)?, sign, self.number(b, scope)?),
            Node::Not(part) => Test::Not(Box::new(self.test(part, scope)?)),
            Node::And(parts) => Test::And(tests(self, parts)?),
            Node::Or(parts) => Test::Or(tests(self, parts)?),
            // The reader lets no number through here.
            Node::Number(_) | Node::Sum(_) => return Err(Corrupt("the strategy has a number for a condition".into())),
        })
    }

    fn number(&mut self, node: &Node<'_>, scope: Scope) -> Result<Number, Corrupt> {
        Ok(match node {
            Node::Number(n) => Number::Constant(*n),
            Node::Feature(name, argument) => Number::Value(self.feature(*name, *argument, Sort::Number, scope)?),
            Node::Over(word, inner) => Number::Over(self.over(*word, inner, scope)?),
            Node::Sum(terms) => {
                let term = |(minus, term): &(bool, Node<'_>)| Ok((*minus, self.number(term, scope)?));
                Number::Sum(terms.iter().map(term).collect::<Result<_, Corrupt>>()?)
            }
            // The reader lets no condition through here.
            Node::Compare(..) | Node::Not(_) | Node::And(_) | Node::Or(_) => {
                return Err(Corrupt("the strategy has a condition for a number".into()));
            }
        })
    }

    /// The number of a clause about all legal moves.
    fn over(&mut self, word: Span<'_>, inner: &Node<'_>, scope: Scope) -> Result<usize, Corrupt> {
        if scope.over {
            return Err(word.fault("any, count, most and least cannot be used inside one another"));
        }
        let within = Scope { of_moves: true, over: true, ..scope };
        let of = match word.text {
            "any" => Of::Any(self.test(inner, within)?),
            "count" => Of::Count(self.test(inner, within)?),
            "most" => Of::Most(self.number(inner, within)?),
            _ => Of::Least(self.number(inner, within)?),
        };
        self.over.push(Over { board: scope.board, of });
        Ok(self.over.len() - 1)
    }

    fn feature(
        &mut self,
        name: Span<'_>,
        argument: Option<Span<'_>>,
        wanted: Sort,
        scope: Scope,
    ) -> Result<Feature, Corrupt> {
        let extras = self.extras;
        let extra = extras.iter().position(|extra| extra.name == name.text).map(|which| {
            let extra = &extras[which];
            self.looks_back |= extra.looks_back;
            (extra.name, Word::Extra(which), extra.sort, extra.subject, Needs::Nothing, Takes::Nothing)
        });
        let known = extra.or_else(|| WORDS.into_iter().find(|entry| entry.0 == name.text));
        let unknown = || name.fault(format!("no feature `{}`", shorten(name.text)));
        let (_, word, sort, subject, needs, takes) = known.ok_or_else(unknown)?;
        let board = self.boards.get(scope.board);
        let present = match needs {
            Needs::Nothing => true,
            Needs::Cells => board.is_some(),
            Needs::Lines => board.is_some_and(|board| !board.layout.rows.is_empty()),
        };
        if !present {
            return Err(name.fault(format!("`{}` means nothing on this board", name.text)));
        }
        if sort != wanted {
            let is = if sort == Sort::Flag { "a yes or no" } else { "a number" };
            return Err(name.fault(format!("`{}` is {is}", name.text)));
        }
        if subject == Subject::Move && !scope.of_moves {
            return Err(name.fault(format!("`{}` speaks of a move, and `when` of a position", name.text)));
        }
        let argument = match (takes, argument) {
            (Takes::Nothing, None) => Argument::None,
            (Takes::Nothing, Some(_)) => return Err(name.fault("it takes nothing in parentheses")),
            (_, None) => return Err(name.fault("something in parentheses is missing")),
            (takes, Some(given)) => self.argument(takes, given, scope.board)?,
        };
        self.looks_back |= matches!(word, Word::SameColumn | Word::SameRow | Word::AnswersLast)
            || matches!(argument, Argument::Target(Target::Last));
        Ok(Feature { word, argument })
    }

    fn argument(&self, takes: Takes, given: Span<'_>, board: usize) -> Result<Argument, Corrupt> {
        let found = match takes {
            Takes::Nothing => None,
            Takes::Count => given.text.parse().ok().filter(|&n| n <= 8).map(Argument::Count),
            Takes::Target => TARGETS.iter().find(|(name, _)| *name == given.text).map(|(_, t)| Argument::Target(*t)),
            Takes::Cell => return self.cell(given).map(Argument::Cell),
            Takes::Region => self.regions.get(given.text).map(|&set| Argument::Cells(set)),
            Takes::Pairing => {
                let common = self.boards.get(board).and_then(|board| board.mates(given.text));
                common.or_else(|| self.pairings.get(given.text).cloned()).map(Argument::Mates)
            }
        };
        found.ok_or_else(|| given.fault(format!("`{}` does not fit here", shorten(given.text))))
    }

    fn picture(&self, drawn: Span<'_>, moves: &[Span<'_>]) -> Result<Picture, Corrupt> {
        let board = self.boards.first().ok_or_else(|| drawn.fault("this game has no cells"))?;
        let cells = board.rows_from_the_top();
        let rows: Vec<Vec<char>> = drawn.text.split('/').map(|row| row.chars().collect()).collect();
        if !rows.iter().map(Vec::len).eq(cells.iter().map(Vec::len)) {
            return Err(drawn.fault("the rows of the picture are not those of the board"));
        }
        let moves = moves.iter().map(|mv| mv.text.to_string()).collect();
        let mut picture = Picture { marks: [0; MAX_MARKS], empty: 0, moves };
        for (letter, &cell) in rows.iter().flatten().zip(cells.iter().flatten()) {
            let letters = self.letters.iter().take(MAX_MARKS);
            match letters.enumerate().find(|(_, known)| *known == letter) {
                Some((mark, _)) => picture.marks[mark] |= 1 << cell,
                None if *letter == '.' => picture.empty |= 1 << cell,
                None if *letter == '?' => {}
                None => return Err(drawn.fault(format!("`{letter}` is not a mark"))),
            }
        }
        Ok(picture)
    }
}
