//! Features of cells, marks and lines. They depend on the board alone, so they are compiled once for all games.

use crate::board::{Mates, Table, each};
use crate::compile::{Picture, TARGET_KINDS, Target};
use crate::vocabulary::Word;
use agon_core::Player;
use agon_core::features::{MAX_DIRECTIONS, Placing};
use agon_core::lines::{CellSet, MAX_MARKS};

/// The distance to something that is not there.
const NOWHERE: i32 = 99;

/// A board as features see it.
pub(crate) struct Seen<'a> {
    pub(crate) pairings: &'a [Mates],
    pub(crate) marks: [CellSet; MAX_MARKS],
    pub(crate) filled: CellSet,
    /// True if the marks belong to the sides.
    pub(crate) owned: bool,
    /// The number of marks.
    pub(crate) letters: usize,
    pub(crate) turn: Player,
    /// The strategy's memory of the opponent's last move.
    pub(crate) memory: u16,
}

impl Seen<'_> {
    /// The cell of the opponent's last move.
    fn last(&self) -> Option<usize> {
        let cells = self.pairings.first().map_or(0, Vec::len);
        usize::from(self.memory).checked_sub(1).filter(|&cell| cell < cells)
    }

    /// Features of the board and of the cell of a move.
    pub(crate) fn on_board(&self, board: &Table, word: Word, argument: u64, does: &Placing) -> i32 {
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

    /// Returns whether a move answers a mark in the paired cell: of the opponent, or where marks belong to nobody, with
    /// the other mark (the same, if the pairing says so).
    fn answers(&self, pairing: usize, cell: usize, does: &Placing) -> bool {
        let Some((mate, same)) = self.pairings[pairing][cell] else { return false };
        let held_by = |mark: usize| self.marks[mark] >> mate & 1 == 1;
        if self.owned {
            return held_by(self.turn.other() as usize);
        }
        // With one mark only there is no other one.
        let same = same || self.letters == 1;
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

    /// Features of the lines through the cell of a move.
    pub(crate) fn on_lines(&self, board: &Table, word: Word, argument: u32, does: &Placing) -> i32 {
        let Some(cell) = does.cell.map(usize::from).filter(|cell| board.inside() >> cell & 1 == 1) else { return 0 };
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
        if self.owned { 1 << self.turn.other() as u8 } else { 0b1111 >> (4 - self.letters.min(4)) }
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

    /// Returns whether the board looks like a picture.
    pub(crate) fn fits(&self, picture: &Picture) -> bool {
        let marked = picture.marks.iter().zip(&self.marks).all(|(wanted, there)| wanted & !there == 0);
        marked && picture.empty & self.filled == 0
    }
}

/// The empty cells that would complete a line of one of the wanted marks.
fn gaps(board: &Table, marks: &[CellSet; MAX_MARKS], wanted: u8) -> CellSet {
    let mut found = 0;
    for mark in each(CellSet::from(wanted)) {
        let lacking = board.rows.iter().map(|row| row.cells & !marks[mark]);
        found |= lacking.filter(|cells| cells.is_power_of_two()).fold(0, |set, cell| set | cell);
    }
    found & !marks.iter().fold(0, |set, cells| set | cells)
}
