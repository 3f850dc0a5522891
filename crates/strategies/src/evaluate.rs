//! Evaluates a strategy at a position. Nothing is searched: a feature looks at the board, at one move, or at one move
//! and the replies to it.

mod trace;

pub use trace::{Tried, Weighed};

use crate::board::Table;
use crate::compile::{Act, Deciding, Doing, Inputs, Number, Op, OverAll, Picture, Rules, Test, Vocabulary};
use crate::seen::Seen;
use crate::vocabulary::Word;
use agon_core::features::{Features, Placing};
use agon_core::lines::MAX_MARKS;
use agon_core::{Game, Notation, Outcome, Player, Strategy};
use std::collections::HashMap;

/// A legal move with what it does.
struct Candidate<M> {
    mv: M,
    does: Placing,
}

/// A position as features see it.
struct View<'a, G: Game> {
    game: &'a G,
    pos: &'a G::Position,
    features: &'a dyn Features<G>,
    seen: Seen<'a>,
    legal: Vec<Candidate<G::Move>>,
}

/// A decision: the rule or book that made it, by index, and the moves to choose among.
pub type Decision<M> = (usize, Vec<M>);

impl<G: Notation> Rules<G> {
    /// The first rule or book that leaves some moves, and these moves. `memory` is what the strategy remembers of the
    /// opponent's last move; 0 is nothing.
    pub fn decide(&self, game: &G, pos: &G::Position, memory: u16) -> Option<Decision<G::Move>> {
        self.decide_from(&View::new(&self.inputs, game, pos, memory), 0)
    }

    /// The same, and what the rules after that one would decide.
    pub fn decide_twice(&self, game: &G, pos: &G::Position, memory: u16) -> [Option<Decision<G::Move>>; 2] {
        let view = View::new(&self.inputs, game, pos, memory);
        let first = self.decide_from(&view, 0);
        let second = first.as_ref().and_then(|(part, _)| self.decide_from(&view, part + 1));
        [first, second]
    }

    fn decide_from(&self, view: &View<'_, G>, from: usize) -> Option<Decision<G::Move>> {
        let mut kept = Vec::with_capacity(view.legal.len());
        for (index, part) in self.parts.iter().enumerate().skip(from) {
            let moves = match &part.body {
                Deciding::Rule { board, steps } => view.rule(self.inputs.tables.get(*board), steps, &mut kept),
                Deciding::Book { boards, pictures } => view.book(boards, pictures),
            };
            if !moves.is_empty() {
                return Some((index, moves));
            }
        }
        None
    }
}

impl<G: Notation> Vocabulary<G> {
    /// The legal moves of a position, and for each move the value of every feature, in the order of
    /// [`Vocabulary::phrases`]; 0 and 1 for flags. Features of positions have the same value for every move.
    pub fn values(&self, game: &G, pos: &G::Position, memory: u16) -> Vec<(G::Move, Vec<i32>)> {
        let view = View::new(&self.inputs, game, pos, memory);
        let board = self.inputs.tables.first();
        let all = |c: &Candidate<G::Move>| (c.mv, self.ops.iter().map(|&op| view.value(board, op, c)).collect());
        view.legal.iter().map(all).collect()
    }
}

impl<G: Notation> Strategy<G> for Rules<G> {
    fn choices(&self, game: &G, pos: &G::Position) -> Vec<G::Move> {
        self.choices_knowing(game, pos, 0)
    }

    fn reason(&self, game: &G, pos: &G::Position, _mv: G::Move) -> Option<String> {
        self.reason_knowing(game, pos, 0)
    }

    fn looks_back(&self) -> bool {
        self.looks_back
    }

    fn remembers(&self, game: &G, before: &G::Position, mv: G::Move) -> u16 {
        self.inputs.features.last(game, before, mv)
    }

    fn choices_knowing(&self, game: &G, pos: &G::Position, memory: u16) -> Vec<G::Move> {
        self.decide(game, pos, memory).map(|(_, moves)| moves).unwrap_or_default()
    }

    fn reason_knowing(&self, game: &G, pos: &G::Position, memory: u16) -> Option<String> {
        let (part, _) = self.decide(game, pos, memory)?;
        Some(self.parts[part].name.clone())
    }
}

impl<'a, G: Notation> View<'a, G> {
    fn new(inputs: &'a Inputs<G>, game: &'a G, pos: &'a G::Position, memory: u16) -> View<'a, G> {
        let features = inputs.features.as_ref();
        let mut legal = Vec::with_capacity(32);
        game.moves(pos, &mut |mv| legal.push(Candidate { mv, does: features.placing(game, pos, mv) }));
        let marks = if inputs.tables.is_empty() { [0; MAX_MARKS] } else { features.marks(game, pos) };
        let seen = Seen {
            pairings: &inputs.pairings,
            filled: marks.iter().fold(0, |set, cells| set | cells),
            marks,
            owned: features.owned(),
            letters: features.letters().len(),
            turn: game.turn(pos),
            memory,
        };
        View { game, pos, features, seen, legal }
    }

    /// The moves that a rule leaves; none if it does not apply.
    fn rule(&self, board: Option<&Table>, steps: &[Doing], kept: &mut Vec<usize>) -> Vec<G::Move> {
        kept.clear();
        kept.extend(0..self.legal.len());
        for doing in steps {
            if !self.step(board, doing, kept) {
                return Vec::new();
            }
        }
        kept.iter().map(|&at| self.legal[at].mv).collect()
    }

    /// Applies one step to the moves that the steps before it left. Returns whether the rule still applies.
    fn step(&self, board: Option<&Table>, doing: &Doing, kept: &mut Vec<usize>) -> bool {
        let slots = self.slots(board, &doing.over_all);
        let test = |test: &Test, at: usize| self.test(board, test, &self.legal[at], &slots);
        match &doing.step {
            Act::When(condition) => {
                return self.legal.first().is_some_and(|any| self.test(board, condition, any, &slots));
            }
            Act::Only(condition) => kept.retain(|&at| test(condition, at)),
            Act::Prefer(condition) => {
                // The moves before the first one that passes have failed already.
                if let Some(first) = kept.iter().position(|&at| test(condition, at)) {
                    kept.drain(..first);
                    let mut passed = true;
                    kept.retain(|&at| std::mem::take(&mut passed) || test(condition, at));
                }
            }
            Act::Max(number) => self.keep_best(board, number, 1, &slots, kept),
            Act::Min(number) => self.keep_best(board, number, -1, &slots, kept),
        }
        !kept.is_empty()
    }

    /// The moves that a book names for this board.
    fn book(&self, boards: &HashMap<G::Position, Vec<G::Move>>, pictures: &[Picture]) -> Vec<G::Move> {
        boards.get(self.pos).cloned().unwrap_or_else(|| self.picture(pictures))
    }

    /// Keeps the moves with the largest value times `sign`.
    fn keep_best(&self, board: Option<&Table>, number: &Number, sign: i64, slots: &[i32], kept: &mut Vec<usize>) {
        let (mut best, mut length) = (i64::MIN, 0);
        for i in 0..kept.len() {
            let at = kept[i];
            let value = sign * i64::from(self.number(board, number, &self.legal[at], slots));
            if value > best {
                (best, length) = (value, 0);
            }
            if value == best {
                kept[length] = at;
                length += 1;
            }
        }
        kept.truncate(length);
    }

    fn slots(&self, board: Option<&Table>, over_all: &[OverAll]) -> Vec<i32> {
        let value = |wanted: &OverAll| {
            let mut legal = self.legal.iter();
            match wanted {
                OverAll::Any(test) => i32::from(legal.any(|c| self.test(board, test, c, &[]))),
                OverAll::Count(test) => legal.filter(|c| self.test(board, test, c, &[])).count() as i32,
                OverAll::Most(number) => legal.map(|c| self.number(board, number, c, &[])).max().unwrap_or(0),
                OverAll::Least(number) => legal.map(|c| self.number(board, number, c, &[])).min().unwrap_or(0),
            }
        };
        over_all.iter().map(value).collect()
    }

    fn test(&self, board: Option<&Table>, test: &Test, candidate: &Candidate<G::Move>, slots: &[i32]) -> bool {
        match test {
            Test::Flag(op) => self.value(board, *op, candidate) != 0,
            Test::Slot(slot) => slots[*slot] != 0,
            Test::Compare(a, comparison, b) => {
                comparison.holds(self.number(board, a, candidate, slots), self.number(board, b, candidate, slots))
            }
            Test::Not(part) => !self.test(board, part, candidate, slots),
            Test::All(parts) => parts.iter().all(|part| self.test(board, part, candidate, slots)),
            Test::Some(parts) => parts.iter().any(|part| self.test(board, part, candidate, slots)),
        }
    }

    fn number(&self, board: Option<&Table>, number: &Number, candidate: &Candidate<G::Move>, slots: &[i32]) -> i32 {
        match number {
            Number::Fixed(n) => *n,
            Number::Op(op) => self.value(board, *op, candidate),
            Number::Slot(slot) => slots[*slot],
            Number::Plus(a, b) => {
                self.number(board, a, candidate, slots).saturating_add(self.number(board, b, candidate, slots))
            }
            Number::Minus(a, b) => {
                self.number(board, a, candidate, slots).saturating_sub(self.number(board, b, candidate, slots))
            }
        }
    }

    /// The value of a feature; 0 and 1 for a flag.
    #[inline]
    fn value(&self, board: Option<&Table>, op: Op, candidate: &Candidate<G::Move>) -> i32 {
        match op {
            Op::Extra(which) => self.features.extra(self.game, self.pos, candidate.mv, self.seen.memory, which),
            Op::Play(word) => self.by_rules(word, candidate.mv),
            Op::Board(word, argument) => board.map_or(0, |b| self.seen.on_board(b, word, argument, &candidate.does)),
            Op::Lines(word, argument) => board.map_or(0, |b| self.seen.on_lines(b, word, argument, &candidate.does)),
        }
    }

    /// Features that need the rules alone.
    fn by_rules(&self, word: Word, mv: G::Move) -> i32 {
        let outcome_of = |after: &G::Position| self.game.outcome(after);
        match word {
            Word::Mobility => self.legal.len() as i32,
            Word::First => i32::from(self.seen.turn == Player::First),
            Word::Wins => i32::from(outcome_of(&self.game.after(self.pos, mv)) == Some(Outcome::Win(self.seen.turn))),
            Word::Loses => {
                i32::from(outcome_of(&self.game.after(self.pos, mv)) == Some(Outcome::Win(self.seen.turn.other())))
            }
            Word::Replies => self.game.count_moves(&self.game.after(self.pos, mv)) as i32,
            Word::LetsWin => i32::from(self.lets_win(mv)),
            _ => 0,
        }
    }

    fn lets_win(&self, mv: G::Move) -> bool {
        let (after, opponent) = (self.game.after(self.pos, mv), self.seen.turn.other());
        if self.game.turn(&after) != opponent {
            return false;
        }
        let mut found = false;
        self.game.moves(&after, &mut |reply| {
            found = found || self.game.outcome(&self.game.after(&after, reply)) == Some(Outcome::Win(opponent));
        });
        found
    }

    /// The moves of the first picture that the board looks like.
    fn picture(&self, pictures: &[Picture]) -> Vec<G::Move> {
        let Some(picture) = pictures.iter().find(|picture| self.seen.fits(picture)) else { return Vec::new() };
        let legal = picture.moves.iter().filter_map(|name| self.game.parse_move(self.pos, name).ok());
        legal.filter(|mv| self.legal.iter().any(|c| c.mv == *mv)).collect()
    }
}
