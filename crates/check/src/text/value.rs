//! The moves that a strategy allows at a position, and the values of features there, each computed by its definition in
//! `docs/strategies.md`.

use super::board::{Board, cells, has};
use super::names::{Argument, Deciding, Feature, Number, Of, Picture, Step, Strategy, Test};
use super::words::{Target, Word};
use agon_core::features::Placing;
use agon_core::lines::{CellSet, MAX_MARKS};
use agon_core::{Ctx, Notation, Outcome, Player, Stop, Symmetric, collect_moves};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};

/// The distance to something that is not there.
const NOWHERE: i32 = 99;

/// Nodes between two looks at whether the check has to stop: a text may be long, and a move may have any number of
/// replies, so that one position can take its time.
const NODES_PER_LOOK: u64 = 1024;

type Marks = [CellSet; MAX_MARKS];

fn filled(marks: &Marks) -> CellSet {
    marks.iter().fold(0, |set, cells| set | cells)
}

fn count(set: CellSet) -> i32 {
    set.count_ones() as i32
}

/// A legal move and what it does.
struct Candidate<M> {
    mv: M,
    does: Placing,
}

/// A position of a strategy's side.
struct Seen<'s, 'a, G: Notation> {
    strategy: &'s Strategy<'a, G>,
    pos: &'s G::Position,
    /// What is remembered of the opponent's last move.
    memory: u16,
    turn: Player,
    marks: Marks,
    legal: Vec<Candidate<G::Move>>,
    /// What is known about all legal moves.
    over: RefCell<Vec<Option<i32>>>,
    ctx: &'s Ctx,
    /// Values, and replies that they look at, which `ctx` has not counted yet; and why no more are computed.
    spent: Cell<u64>,
    stop: Cell<Option<Stop>>,
}

impl<G: Notation + Symmetric> Strategy<'_, G> {
    /// The moves that the strategy allows: those of the first rule or book that leaves any. `memory` is what is remembered
    /// of the opponent's last move.
    pub(crate) fn moves(&self, pos: &G::Position, memory: u16, ctx: &Ctx) -> Result<Vec<G::Move>, Stop> {
        let candidate = |mv| Candidate { mv, does: self.features.placing(self.game, pos, mv) };
        let marks = if self.boards.is_empty() { [0; MAX_MARKS] } else { self.features.marks(self.game, pos) };
        let seen = Seen {
            strategy: self,
            pos,
            memory,
            turn: self.game.turn(pos),
            marks,
            legal: collect_moves(self.game, pos).into_iter().map(candidate).collect(),
            over: RefCell::new(vec![None; self.over.len()]),
            ctx,
            spent: Cell::new(0),
            stop: Cell::new(None),
        };
        let allowed = self.parts.iter().map(|part| match part {
            Deciding::Rule { board, steps } => seen.rule(self.boards.get(*board), steps),
            Deciding::Book { exact, boards, pictures } => match self.listed(pos, boards, *exact) {
                moves if moves.is_empty() => seen.pictured(pictures),
                moves => moves,
            },
        });
        let moves = allowed.into_iter().find(|moves| !moves.is_empty()).unwrap_or_default();
        seen.look();
        seen.stop.get().map_or(Ok(moves), Err)
    }

    /// What is remembered of the opponent's move, made at `before`.
    pub(crate) fn last(&self, before: &G::Position, mv: G::Move) -> u16 {
        self.features.last(self.game, before, mv)
    }

    /// The moves of a book at a position that it lists, or of which it lists an image.
    fn listed(&self, pos: &G::Position, boards: &HashMap<G::Position, Vec<G::Move>>, exact: bool) -> Vec<G::Move> {
        let elements = if exact { 1 } else { self.game.order() };
        let mut found = BTreeSet::new();
        for element in 0..elements {
            let back = self.game.inverse(element);
            let moves = boards.get(&self.game.image(element, pos)).into_iter().flatten();
            found.extend(moves.map(|&mv| self.game.image_of_move(back, mv)));
        }
        found.into_iter().collect()
    }
}

impl<G: Notation + Symmetric> Seen<'_, '_, G> {
    /// The moves that a rule leaves.
    fn rule(&self, board: Option<&Board<'_>>, steps: &[Step]) -> Vec<G::Move> {
        let mut left: Vec<usize> = (0..self.legal.len()).collect();
        for step in steps {
            let with = |test: &Test, left: &[usize]| {
                left.iter().copied().filter(|&at| self.test(board, test, at)).collect::<Vec<usize>>()
            };
            match step {
                // A feature of the position is the same for every move.
                Step::When(test) => {
                    if self.legal.is_empty() || !self.test(board, test, 0) {
                        return Vec::new();
                    }
                }
                Step::Only(test) => left = with(test, &left),
                Step::Prefer(test) => {
                    let better = with(test, &left);
                    if !better.is_empty() {
                        left = better;
                    }
                }
                Step::Best { number, largest } => {
                    let value = |at: &usize| self.number(board, number, *at);
                    let values = left.iter().map(value);
                    let best = if *largest { values.max() } else { values.min() };
                    left.retain(|at| Some(value(at)) == best);
                }
            }
        }
        left.into_iter().map(|at| self.legal[at].mv).collect()
    }

    /// The legal moves of the first picture that fits the position.
    fn pictured(&self, pictures: &[Picture]) -> Vec<G::Move> {
        let game = self.strategy.game;
        let fits = |picture: &&Picture| {
            let marked = (0..MAX_MARKS).all(|mark| picture.marks[mark] & self.marks[mark] == picture.marks[mark]);
            marked && picture.empty & filled(&self.marks) == 0
        };
        let names = pictures.iter().find(fits).map_or(&[][..], |picture| &picture.moves);
        let moves: BTreeSet<G::Move> = names.iter().filter_map(|name| game.parse_move(self.pos, name).ok()).collect();
        let legal = self.legal.iter().map(|candidate| candidate.mv);
        legal.filter(|mv| moves.contains(mv)).collect()
    }

    fn test(&self, board: Option<&Board<'_>>, test: &Test, at: usize) -> bool {
        match test {
            Test::Flag(feature) => self.value(board, feature, at) != 0,
            Test::Any(clause) => self.over(*clause) != 0,
            Test::Not(part) => !self.test(board, part, at),
            Test::And(parts) => parts.iter().all(|part| self.test(board, part, at)),
            Test::Or(parts) => parts.iter().any(|part| self.test(board, part, at)),
            Test::Compare(a, sign, b) => {
                let (a, b) = (self.number(board, a, at), self.number(board, b, at));
                match *sign {
                    "=" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                }
            }
        }
    }

    fn number(&self, board: Option<&Board<'_>>, number: &Number, at: usize) -> i32 {
        match number {
            Number::Constant(n) => *n,
            Number::Value(feature) => self.value(board, feature, at),
            Number::Over(clause) => self.over(*clause),
            Number::Sum(terms) => terms.iter().fold(0, |sum: i32, (minus, term)| {
                let term = self.number(board, term, at);
                if *minus { sum.saturating_sub(term) } else { sum.saturating_add(term) }
            }),
        }
    }

    /// The value of a clause about all legal moves.
    fn over(&self, clause: usize) -> i32 {
        if let Some(known) = self.over.borrow()[clause] {
            return known;
        }
        let over = &self.strategy.over[clause];
        let board = self.strategy.boards.get(over.board);
        let all = 0..self.legal.len();
        let value = match &over.of {
            Of::Any(test) => i32::from(all.into_iter().any(|at| self.test(board, test, at))),
            Of::Count(test) => all.filter(|&at| self.test(board, test, at)).count() as i32,
            Of::Most(number) => all.map(|at| self.number(board, number, at)).max().unwrap_or(0),
            Of::Least(number) => all.map(|at| self.number(board, number, at)).min().unwrap_or(0),
        };
        self.over.borrow_mut()[clause] = Some(value);
        value
    }

    /// The value of a feature for a legal move; 0 and 1 for no and yes.
    fn value(&self, board: Option<&Board<'_>>, feature: &Feature, at: usize) -> i32 {
        self.spend(1);
        if self.stop.get().is_some() {
            return 0;
        }
        let (game, Candidate { mv, does }) = (self.strategy.game, &self.legal[at]);
        let ends = |winner: Player| game.outcome(&game.after(self.pos, *mv)) == Some(Outcome::Win(winner));
        match feature.word {
            Word::Extra(which) => self.strategy.features.extra(game, self.pos, *mv, self.memory, which),
            Word::Mobility => self.legal.len() as i32,
            Word::First => i32::from(self.turn == Player::First),
            Word::Wins => i32::from(ends(self.turn)),
            Word::Loses => i32::from(ends(self.turn.other())),
            Word::LetsWin => i32::from(self.lets_win(*mv)),
            Word::Replies => self.replies(&game.after(self.pos, *mv)).len() as i32,
            _ => board.map_or(0, |board| self.on_board(board, feature, does)),
        }
    }

    fn lets_win(&self, mv: G::Move) -> bool {
        let game = self.strategy.game;
        let (after, opponent) = (game.after(self.pos, mv), self.turn.other());
        let won = |reply: G::Move| game.outcome(&game.after(&after, reply)) == Some(Outcome::Win(opponent));
        game.turn(&after) == opponent && self.replies(&after).into_iter().any(won)
    }

    fn replies(&self, after: &G::Position) -> Vec<G::Move> {
        let replies = collect_moves(self.strategy.game, after);
        self.spend(replies.len() as u64);
        replies
    }

    fn spend(&self, nodes: u64) {
        self.spent.set(self.spent.get() + nodes);
        if self.spent.get() >= NODES_PER_LOOK {
            self.look();
        }
    }

    /// Whether the check has to stop.
    fn look(&self) {
        let stopped = self.ctx.meter().count(self.spent.take()).err();
        self.stop.set(self.stop.get().or(stopped));
    }

    /// Features of cells and marks.
    fn on_board(&self, board: &Board<'_>, feature: &Feature, does: &Placing) -> i32 {
        let (inside, there) = (board.layout.inside, filled(&self.marks));
        match feature.word {
            Word::Filled => return count(inside & there),
            Word::Empty => return count(inside & !there),
            Word::Marks => return count(inside & self.marks[self.turn as usize]),
            Word::OtherMarks => return count(inside & self.marks[self.turn.other() as usize]),
            Word::CompleteLines => {
                let alike = |row: CellSet| self.marks.iter().any(|cells| row & !cells == 0);
                return board.layout.rows.iter().filter(|row| alike(row.cells)).count() as i32;
            }
            Word::Mark => return i32::from(does.mark) + 1,
            Word::Places => return i32::from(does.cell.is_some() && does.from.is_none()),
            Word::Takes => return i32::from(does.taken != 0),
            _ => {}
        }
        let Some(cell) = does.cell.map(usize::from) else { return 0 };
        match (feature.word, &feature.argument) {
            (Word::Column, _) => board.place(cell).0,
            (Word::Row, _) => board.place(cell).1,
            (Word::Cell, Argument::Cell(named)) => i32::from(cell == *named),
            (Word::Extends, _) => {
                let own = self.marks[usize::from(does.mark)];
                i32::from(board.layout.rows.iter().any(|row| has(row.ends, cell) && row.cells & !own == 0))
            }
            _ if has(inside, cell) => Put::new(self, board, cell, does).value(feature),
            _ => 0,
        }
    }

    /// The cell of the opponent's last move.
    fn last(&self) -> Option<usize> {
        let cells = self.strategy.boards.first()?.layout.spots.len();
        usize::from(self.memory).checked_sub(1).filter(|&cell| cell < cells)
    }
}

/// A move into a cell of the board in question.
struct Put<'v, 's, 'a, G: Notation> {
    seen: &'v Seen<'s, 'a, G>,
    board: &'v Board<'a>,
    cell: usize,
    mark: usize,
    /// The marks before the move, without the one that the move takes away from its cell.
    lifted: Marks,
    /// The marks after the move.
    after: Marks,
}

impl<'v, 's, 'a, G: Notation + Symmetric> Put<'v, 's, 'a, G> {
    fn new(seen: &'v Seen<'s, 'a, G>, board: &'v Board<'a>, cell: usize, does: &Placing) -> Put<'v, 's, 'a, G> {
        let mark = usize::from(does.mark);
        let mut lifted = seen.marks;
        lifted[mark] &= !does.from.map_or(0, |from| 1 << from);
        let mut after = lifted.map(|cells| cells & !does.taken);
        after[mark] |= 1 << cell;
        Put { seen, board, cell, mark, lifted, after }
    }

    fn value(&self, feature: &Feature) -> i32 {
        let (board, cell) = (self.board, self.cell);
        let lies_in = |set: CellSet| i32::from(has(set, cell));
        match (feature.word, &feature.argument) {
            (Word::Corner, _) => lies_in(board.corners),
            (Word::Edge, _) => lies_in(board.border & !board.corners),
            (Word::Border, _) => lies_in(board.border),
            (Word::Interior, _) => lies_in(!board.border),
            (Word::Centre, _) => lies_in(board.centre),
            (Word::Inside, _) => 1,
            (Word::In, Argument::Cells(region)) => lies_in(*region),
            (Word::Degree, _) => count(board.layout.near[cell]),
            (Word::Distance, Argument::Target(target)) => {
                let others = cells(self.target(*target)).filter(|&there| there != cell);
                others.map(|there| board.distance(cell, there)).min().unwrap_or(NOWHERE)
            }
            (Word::Beside, Argument::Target(target)) => count(self.target(*target) & board.layout.near[cell]),
            (Word::SameColumn, _) => {
                i32::from(self.seen.last().is_some_and(|last| board.place(last).0 == board.place(cell).0))
            }
            (Word::SameRow, _) => {
                i32::from(self.seen.last().is_some_and(|last| board.place(last).1 == board.place(cell).1))
            }
            (Word::Answers, Argument::Mates(mates)) => {
                i32::from(mates.get(&cell).is_some_and(|&(mate, same)| self.answers(mate, same)))
            }
            (Word::AnswersLast, Argument::Mates(mates)) => {
                i32::from(mates.get(&cell).is_some_and(|&(mate, _)| self.seen.last() == Some(mate)))
            }
            (Word::Run, _) => self.run().0,
            (Word::Extensions, _) => self.run().1,
            (Word::Threats, _) => count(self.gaps(&self.after, &[self.mark])),
            (Word::Fork, _) => i32::from(count(self.gaps(&self.after, &[self.mark])) >= 2),
            (Word::Leaves, _) => count(self.gaps(&self.after, &self.reply_marks())),
            (Word::ForksLeft, _) => self.forks_left(),
            (_, argument) => self.on_lines(feature.word, if let Argument::Count(n) = argument { *n as i32 } else { 0 }),
        }
    }

    /// The cells that `last`, `centre`, `own`, `other` or `any` means.
    fn target(&self, target: Target) -> CellSet {
        let inside = self.board.layout.inside;
        match target {
            Target::Last => self.seen.last().map_or(0, |last| 1 << last),
            Target::Centre => self.board.centre,
            Target::Own => self.lifted[self.mark] & inside,
            Target::Other => self.others() & inside,
            Target::Any => filled(&self.lifted) & inside,
        }
    }

    /// The cells with another mark.
    fn others(&self) -> CellSet {
        filled(&self.seen.marks) & !self.seen.marks[self.mark]
    }

    /// Features of the lines through the cell.
    fn on_lines(&self, word: Word, n: i32) -> i32 {
        let (own, others) = (self.lifted[self.mark], self.others());
        let through = self.board.through(self.cell);
        // Lines without another mark, and how many marks like the one placed they have.
        let open = through.iter().filter(|row| row.cells & others == 0).map(|row| (row, count(row.cells & own)));
        // Lines without such a mark whose marks are alike, and how many there are.
        let alike = |row: CellSet| self.lifted.iter().any(|cells| row & others & !cells == 0);
        let closed = through.iter().filter(|row| row.cells & own == 0 && alike(row.cells));
        let mut closed = closed.map(|row| (row, count(row.cells & others)));
        match word {
            Word::Lines => through.len() as i32,
            Word::Open => open.filter(|&(_, marks)| marks == n).count() as i32,
            Word::Line => open.map(|(_, marks)| marks).max().unwrap_or(0),
            Word::Directions => {
                open.filter(|&(_, marks)| marks >= n).map(|(row, _)| row.direction).collect::<BTreeSet<u8>>().len()
                    as i32
            }
            Word::Cuts => closed.filter(|&(_, marks)| marks == n).count() as i32,
            Word::Cut => closed.map(|(_, marks)| marks).max().unwrap_or(0),
            Word::Blocks => i32::from(closed.any(|(row, marks)| marks + 1 == count(row.cells))),
            Word::Completes => i32::from(through.iter().any(|row| row.cells & !(own | 1 << self.cell) == 0)),
            // The words of the other functions, with arguments that they do not take.
            _ => 0,
        }
    }

    /// The empty cells in which one of these marks would complete a line.
    fn gaps(&self, marks: &Marks, wanted: &[usize]) -> CellSet {
        let there = filled(marks);
        let mut gaps = 0;
        for row in &self.board.layout.rows {
            let missing = row.cells & !there;
            let fills = |&mark: &usize| row.cells & !marks[mark] == missing;
            if count(missing) == 1 && wanted.iter().any(fills) {
                gaps |= missing;
            }
        }
        gaps
    }

    /// The marks that the opponent can put.
    fn reply_marks(&self) -> Vec<usize> {
        let features = self.seen.strategy.features;
        match features.owned() {
            true => vec![self.seen.turn.other() as usize],
            false => (0..features.letters().len().min(MAX_MARKS)).collect(),
        }
    }

    /// The replies that complete no line and make a fork, unless the side that moves now can complete a line first.
    fn forks_left(&self) -> i32 {
        let owned = self.seen.strategy.features.owned();
        let mut forks = 0;
        for cell in cells(self.board.layout.inside & !filled(&self.after)) {
            for mark in self.reply_marks() {
                let mut then = self.after;
                then[mark] |= 1 << cell;
                let complete = self.board.through(cell).iter().any(|row| row.cells & !then[mark] == 0);
                let first = owned && self.gaps(&then, &[self.seen.turn as usize]) != 0;
                forks += i32::from(!complete && !first && count(self.gaps(&then, &[mark])) >= 2);
            }
        }
        forks
    }

    /// Whether the mark in the paired cell is one that this move answers.
    fn answers(&self, mate: usize, same: bool) -> bool {
        let (features, marks) = (self.seen.strategy.features, &self.seen.marks);
        if features.owned() {
            return has(marks[self.seen.turn.other() as usize], mate);
        }
        let like = has(marks[self.mark], mate);
        has(filled(marks), mate) && like == (same || features.letters().len() == 1)
    }

    /// The longest row of neighbouring marks like the one placed, through its cell after the move, and the empty cells at
    /// its ends; of equally long rows the one with more of these.
    fn run(&self) -> (i32, i32) {
        let own = self.lifted[self.mark] | 1 << self.cell;
        let empty = !filled(&self.lifted) & !(1 << self.cell);
        let along = |(right, up): (i32, i32)| {
            let (mut length, mut free) = (1, 0);
            for way in [1, -1] {
                let mut end = self.board.away(self.cell, (way * right, way * up));
                while let Some(next) = end.filter(|&next| has(own, next)) {
                    length += 1;
                    end = self.board.away(next, (way * right, way * up));
                }
                free += i32::from(end.is_some_and(|end| has(empty, end)));
            }
            (length, free)
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].map(along).into_iter().max().unwrap_or((1, 0))
    }
}
