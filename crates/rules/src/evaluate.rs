//! Evaluates a strategy at a position. Nothing is searched: a feature looks at the board, at one move, or at one move
//! and the replies to it.

mod trace;

pub use trace::{Tried, Weighed};

use crate::board::{Table, each};
use crate::compile::{
    Act, Deciding, Doing, Number, Op, OverAll, Picture, Rules, Sight, TARGET_KINDS, Target, Test, Vocabulary,
};
use crate::vocabulary::Word;
use agon_core::features::{Features, MAX_DIRECTIONS, Placing};
use agon_core::lines::{CellSet, MAX_MARKS};
use agon_core::{Game, Notation, Outcome, Player, Strategy};
use std::collections::HashMap;

/// The distance to something that is not there.
const NOWHERE: i32 = 99;

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
    pairings: &'a [crate::board::Mates],
    marks: [CellSet; MAX_MARKS],
    filled: CellSet,
    owned: bool,
    turn: Player,
    /// What the strategy remembers of the opponent's last move.
    memory: u16,
    legal: Vec<Candidate<G::Move>>,
}

/// A decision: the rule or book that made it, by index, and the moves to choose among.
pub type Decision<M> = (usize, Vec<M>);

impl<G: Notation> Rules<G> {
    /// The first rule or book that leaves some moves, and these moves. `memory` is what the strategy remembers of the
    /// opponent's last move; 0 is nothing.
    pub fn decide(&self, game: &G, pos: &G::Position, memory: u16) -> Option<Decision<G::Move>> {
        self.decide_from(&View::new(&self.sight, game, pos, memory), 0)
    }

    /// The same, and what the rules after that one would decide.
    pub fn decide_twice(&self, game: &G, pos: &G::Position, memory: u16) -> [Option<Decision<G::Move>>; 2] {
        let view = View::new(&self.sight, game, pos, memory);
        let first = self.decide_from(&view, 0);
        let second = first.as_ref().and_then(|(part, _)| self.decide_from(&view, part + 1));
        [first, second]
    }

    fn decide_from(&self, view: &View<'_, G>, from: usize) -> Option<Decision<G::Move>> {
        let mut kept = Vec::with_capacity(view.legal.len());
        for (index, part) in self.parts.iter().enumerate().skip(from) {
            let moves = match &part.body {
                Deciding::Rule { board, steps } => view.rule(self.sight.tables.get(*board), steps, &mut kept),
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
        let view = View::new(&self.sight, game, pos, memory);
        let board = self.sight.tables.first();
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
        self.sight.features.last(game, before, mv)
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
    fn new(sight: &'a Sight<G>, game: &'a G, pos: &'a G::Position, memory: u16) -> View<'a, G> {
        let features = sight.features.as_ref();
        let mut legal = Vec::with_capacity(64);
        game.moves(pos, &mut |mv| legal.push(Candidate { mv, does: features.placing(game, pos, mv) }));
        let marks = if sight.tables.is_empty() { [0; MAX_MARKS] } else { features.marks(game, pos) };
        View {
            game,
            pos,
            features,
            pairings: &sight.pairings,
            filled: marks.iter().fold(0, |set, cells| set | cells),
            marks,
            owned: features.owned(),
            turn: game.turn(pos),
            memory,
            legal,
        }
    }

    /// The cell of the opponent's last move.
    fn last(&self) -> Option<usize> {
        let cells = self.pairings.first().map_or(0, Vec::len);
        usize::from(self.memory).checked_sub(1).filter(|&cell| cell < cells)
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
                if kept.iter().any(|&at| test(condition, at)) {
                    kept.retain(|&at| test(condition, at));
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
            Op::Extra(which) => self.features.extra(self.game, self.pos, candidate.mv, self.memory, which),
            Op::Play(word) => self.by_rules(word, candidate.mv),
            Op::Board(word, argument) => board.map_or(0, |b| self.on_board(b, word, argument, &candidate.does)),
            Op::Lines(word, argument) => match (board, candidate.does.cell.map(usize::from)) {
                (Some(board), Some(cell)) if board.inside() >> cell & 1 == 1 => {
                    self.on_lines(board, word, argument, cell, &candidate.does)
                }
                _ => 0,
            },
        }
    }

    /// Features that need the rules alone.
    fn by_rules(&self, word: Word, mv: G::Move) -> i32 {
        let outcome_of = |after: &G::Position| self.game.outcome(after);
        match word {
            Word::Mobility => self.legal.len() as i32,
            Word::First => i32::from(self.turn == Player::First),
            Word::Wins => i32::from(outcome_of(&self.game.after(self.pos, mv)) == Some(Outcome::Win(self.turn))),
            Word::Loses => {
                i32::from(outcome_of(&self.game.after(self.pos, mv)) == Some(Outcome::Win(self.turn.other())))
            }
            Word::Replies => self.game.count_moves(&self.game.after(self.pos, mv)) as i32,
            Word::LetsWin => i32::from(self.lets_win(mv)),
            _ => 0,
        }
    }

    fn lets_win(&self, mv: G::Move) -> bool {
        let (after, opponent) = (self.game.after(self.pos, mv), self.turn.other());
        if self.game.turn(&after) != opponent {
            return false;
        }
        let mut found = false;
        self.game.moves(&after, &mut |reply| {
            found = found || self.game.outcome(&self.game.after(&after, reply)) == Some(Outcome::Win(opponent));
        });
        found
    }

    fn on_board(&self, board: &Table, word: Word, argument: u64, does: &Placing) -> i32 {
        let inside = board.inside();
        match word {
            Word::Filled => return (self.filled & inside).count_ones() as i32,
            Word::Empty => return (inside & !self.filled).count_ones() as i32,
            Word::Marks => return (self.marks[self.turn as usize] & inside).count_ones() as i32,
            Word::OtherMarks => return (self.marks[self.turn.other() as usize] & inside).count_ones() as i32,
            Word::CompleteLines => return self.complete_lines(board),
            Word::Mark => return i32::from(does.mark) + 1,
            Word::Places => return i32::from(does.cell.is_some() && does.from.is_none()),
            Word::Takes => return i32::from(does.taken != 0),
            _ => {}
        }
        let Some(cell) = does.cell.map(usize::from) else { return 0 };
        match word {
            Word::Extends => return i32::from(self.extends(board, cell, usize::from(does.mark))),
            Word::Column => return board.column(cell),
            Word::Row => return board.row(cell),
            Word::Cell => return i32::from(cell as u64 == argument),
            _ => {}
        }
        if inside >> cell & 1 == 0 {
            return 0;
        }
        let within = |set: CellSet| i32::from(set >> cell & 1 == 1);
        match word {
            Word::Corner => within(board.corner),
            Word::Edge => within(board.border & !board.corner),
            Word::Border => within(board.border),
            Word::Interior => within(!board.border),
            Word::Centre => within(board.centre),
            Word::Inside => 1,
            Word::In => within(argument),
            Word::Degree => board.near(cell).count_ones() as i32,
            Word::Distance => {
                let targets = self.target(board, argument, does) & !(1 << cell);
                each(targets).map(|there| board.distance(cell, there)).min().unwrap_or(NOWHERE)
            }
            Word::Beside => (self.target(board, argument, does) & board.near(cell)).count_ones() as i32,
            Word::SameColumn => i32::from(self.last().is_some_and(|last| board.column(last) == board.column(cell))),
            Word::SameRow => i32::from(self.last().is_some_and(|last| board.row(last) == board.row(cell))),
            Word::Answers => i32::from(self.answers(argument as usize, cell, does)),
            Word::AnswersLast => {
                let mate = self.pairings[argument as usize][cell].map(|(mate, _)| usize::from(mate));
                i32::from(mate.is_some() && mate == self.last())
            }
            Word::Run => self.run(board, cell, does).0,
            Word::Extensions => self.run(board, cell, does).1,
            _ => 0,
        }
    }

    /// The cells that `last`, `centre`, `own`, `other` or `any` stands for.
    fn target(&self, board: &Table, argument: u64, does: &Placing) -> CellSet {
        let own = self.marks[usize::from(does.mark)];
        let moved = does.from.map_or(0, |from| 1 << from);
        match TARGET_KINDS[argument as usize] {
            Target::Last => self.last().map_or(0, |last| 1 << last),
            Target::Centre => board.centre,
            Target::Own => own & !moved & board.inside(),
            Target::Other => self.filled & !own & board.inside(),
            Target::Any => self.filled & !moved & board.inside(),
        }
    }

    /// Whether a move answers a mark in the paired cell: of the opponent, or where marks belong to nobody, with the
    /// other mark (the same, if the pairing says so).
    fn answers(&self, pairing: usize, cell: usize, does: &Placing) -> bool {
        let Some((mate, same)) = self.pairings[pairing][cell] else { return false };
        let held_by = |mark: usize| self.marks[mark] >> mate & 1 == 1;
        if self.owned {
            return held_by(self.turn.other() as usize);
        }
        // With one mark only there is no other one.
        let same = same || self.features.letters().len() == 1;
        self.filled >> mate & 1 == 1 && held_by(usize::from(does.mark)) == same
    }

    /// The length of the longest row of equal neighbouring marks through a cell after the move, and the number of empty
    /// cells at its ends.
    fn run(&self, board: &Table, cell: usize, does: &Placing) -> (i32, i32) {
        let moved = does.from.map_or(0, |from| 1 << from);
        let own = (self.marks[usize::from(does.mark)] & !moved) | 1 << cell;
        let empty = !self.filled | moved;
        let along = |direction: usize| {
            let (mut length, mut free) = (1, 0);
            for way in 0..2 {
                let mut at = board.steps[cell][direction][way];
                while let Some(next) = at.filter(|&next| own >> next & 1 == 1) {
                    length += 1;
                    at = board.steps[usize::from(next)][direction][way];
                }
                free += i32::from(at.is_some_and(|end| empty >> end & 1 == 1));
            }
            (length, free)
        };
        (0..4).map(along).max().unwrap_or((1, 0))
    }

    fn complete_lines(&self, board: &Table) -> i32 {
        let complete = |row: CellSet| self.marks.iter().any(|cells| cells & row == row);
        board.rows.iter().filter(|row| complete(row.cells)).count() as i32
    }

    fn extends(&self, board: &Table, cell: usize, mark: usize) -> bool {
        let own = self.marks[mark];
        board.ending[cell].iter().any(|row| own & row.cells == row.cells)
    }

    /// Features of the lines through a cell of the board.
    fn on_lines(&self, board: &Table, word: Word, argument: u32, cell: usize, does: &Placing) -> i32 {
        let moved = does.from.map_or(0, |from| 1 << from);
        let own = self.marks[usize::from(does.mark)] & !moved;
        let others = self.filled & !self.marks[usize::from(does.mark)];
        let through = &board.through[cell];
        let open = || through.iter().filter(|row| row.cells & others == 0).map(|row| (row.cells & own).count_ones());
        // Marks of one other kind in lines with nothing else.
        let closed = || {
            through.iter().filter(|row| row.cells & own == 0).filter_map(|row| {
                let there = row.cells & others;
                let one_kind = self.marks.iter().any(|cells| there & !cells == 0);
                one_kind.then(|| (there.count_ones(), row.cells.count_ones()))
            })
        };
        match word {
            Word::Lines => through.len() as i32,
            Word::Open => open().filter(|&n| n == argument).count() as i32,
            Word::Cuts => closed().filter(|&(n, _)| n == argument).count() as i32,
            Word::Line => open().max().unwrap_or(0) as i32,
            Word::Cut => closed().map(|(n, _)| n).max().unwrap_or(0) as i32,
            Word::Completes => {
                let complete = own | 1 << cell;
                i32::from(through.iter().any(|row| row.cells & complete == row.cells))
            }
            Word::Blocks => i32::from(closed().any(|(n, length)| n + 1 == length)),
            Word::Directions => {
                let mut most = [0; MAX_DIRECTIONS];
                for row in through.iter().filter(|row| row.cells & others == 0) {
                    let best = &mut most[usize::from(row.direction) % MAX_DIRECTIONS];
                    *best = (*best).max((row.cells & own).count_ones() + 1);
                }
                most.iter().filter(|&&n| n > argument).count() as i32
            }
            Word::Threats | Word::Fork | Word::Leaves | Word::ForksLeft => {
                let after = self.after(does, own | 1 << cell);
                match word {
                    Word::Threats => gaps(board, &after, 1 << does.mark).count_ones() as i32,
                    Word::Fork => i32::from(gaps(board, &after, 1 << does.mark).count_ones() >= 2),
                    Word::Leaves => gaps(board, &after, self.reply_marks()).count_ones() as i32,
                    _ => self.forks_left(board, after),
                }
            }
            _ => 0,
        }
    }

    /// The marks after a move that leaves `own` of its kind.
    fn after(&self, does: &Placing, own: CellSet) -> [CellSet; MAX_MARKS] {
        let mut marks = self.marks;
        marks.iter_mut().for_each(|cells| *cells &= !does.taken);
        marks[usize::from(does.mark)] = own;
        marks
    }

    /// The marks that the opponent can put, one bit for each.
    fn reply_marks(&self) -> u8 {
        if self.owned { 1 << self.turn.other() as u8 } else { 0b1111 >> (4 - self.features.letters().len().min(4)) }
    }

    /// The number of replies that complete no line, after which their mark can complete lines in two cells and the side
    /// that moves now cannot complete one first. Where marks belong to nobody, either side could be the first.
    fn forks_left(&self, board: &Table, after: [CellSet; MAX_MARKS]) -> i32 {
        let filled = after.iter().fold(0, |set, cells| set | cells);
        let mut count = 0;
        for cell in each(board.inside() & !filled) {
            for mark in each(CellSet::from(self.reply_marks())) {
                let mut then = after;
                then[mark] |= 1 << cell;
                if board.through[cell].iter().any(|row| row.cells & then[mark] == row.cells) {
                    continue;
                }
                let first = self.owned && gaps(board, &then, 1 << self.turn as u8) != 0;
                count += i32::from(!first && gaps(board, &then, 1 << mark).count_ones() >= 2);
            }
        }
        count
    }

    /// The moves of the first picture that the board looks like.
    fn picture(&self, pictures: &[Picture]) -> Vec<G::Move> {
        let fits = |picture: &&Picture| {
            let marked = picture.marks.iter().zip(&self.marks).all(|(wanted, there)| wanted & !there == 0);
            marked && picture.empty & self.filled == 0
        };
        let Some(picture) = pictures.iter().find(fits) else { return Vec::new() };
        let legal = picture.moves.iter().filter_map(|name| self.game.parse_move(self.pos, name).ok());
        legal.filter(|mv| self.legal.iter().any(|c| c.mv == *mv)).collect()
    }
}

/// The empty cells that would complete a line of one of the wanted marks.
fn gaps(board: &Table, marks: &[CellSet; MAX_MARKS], wanted: u8) -> CellSet {
    let filled = marks.iter().fold(0, |set, cells| set | cells);
    let mut found = 0;
    for row in &board.rows {
        let gap = row.cells & !filled;
        if gap & gap.wrapping_sub(1) != 0 || gap == 0 {
            continue;
        }
        let rest = row.cells & !gap;
        let of_one = |(mark, cells): (usize, &CellSet)| wanted >> mark & 1 == 1 && rest & !cells == 0;
        if marks.iter().enumerate().any(of_one) {
            found |= gap;
        }
    }
    found
}
