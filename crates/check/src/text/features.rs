//! Features of cells, marks and lines, each computed by its definition in `docs/strategies.md`. They depend on the
//! board alone.

use super::board::{Board, cells, has};
use super::names::{Argument, Feature, Picture};
use super::words::{Target, Word};
use agon_core::Player;
use agon_core::features::Placing;
use agon_core::lines::{CellSet, MAX_MARKS};
use std::collections::BTreeSet;

/// The distance to something that is not there.
const NOWHERE: i32 = 99;

pub(super) type Marks = [CellSet; MAX_MARKS];

pub(super) fn filled(marks: &Marks) -> CellSet {
    marks.iter().fold(0, |set, cells| set | cells)
}

fn count(set: CellSet) -> i32 {
    set.count_ones() as i32
}

/// A board as a strategy sees it.
pub(super) struct BoardFeatures {
    /// The memory of the opponent's last move.
    pub(super) memory: u16,
    pub(super) turn: Player,
    pub(super) marks: Marks,
    /// True if the marks belong to the sides.
    pub(super) owned: bool,
    /// The number of marks.
    pub(super) letters: usize,
    /// The number of cells of the game.
    pub(super) cells: usize,
}

impl BoardFeatures {
    /// Features of cells and marks.
    pub(super) fn on_board(&self, board: &Board<'_>, feature: &Feature, does: &Placing) -> i32 {
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
        usize::from(self.memory).checked_sub(1).filter(|&cell| cell < self.cells)
    }

    /// Returns whether a picture fits.
    pub(super) fn fits(&self, picture: &Picture) -> bool {
        let marked = (0..MAX_MARKS).all(|mark| picture.marks[mark] & self.marks[mark] == picture.marks[mark]);
        marked && picture.empty & filled(&self.marks) == 0
    }
}

/// A move into a cell of the board in question.
struct Put<'v> {
    shown: &'v BoardFeatures,
    board: &'v Board<'v>,
    cell: usize,
    mark: usize,
    /// The marks before the move, without the one that the move takes away from its cell.
    lifted: Marks,
    /// The marks after the move.
    after: Marks,
}

impl<'v> Put<'v> {
    fn new(shown: &'v BoardFeatures, board: &'v Board<'v>, cell: usize, does: &Placing) -> Put<'v> {
        let mark = usize::from(does.mark);
        let mut lifted = shown.marks;
        lifted[mark] &= !does.from.map_or(0, |from| 1 << from);
        let mut after = lifted.map(|cells| cells & !does.taken);
        after[mark] |= 1 << cell;
        Put { shown, board, cell, mark, lifted, after }
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
                i32::from(self.shown.last().is_some_and(|last| board.place(last).0 == board.place(cell).0))
            }
            (Word::SameRow, _) => {
                i32::from(self.shown.last().is_some_and(|last| board.place(last).1 == board.place(cell).1))
            }
            (Word::Answers, Argument::Mates(mates)) => {
                i32::from(mates.get(&cell).is_some_and(|&(mate, same)| self.answers(mate, same)))
            }
            (Word::AnswersLast, Argument::Mates(mates)) => {
                i32::from(mates.get(&cell).is_some_and(|&(mate, _)| self.shown.last() == Some(mate)))
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
            Target::Last => self.shown.last().map_or(0, |last| 1 << last),
            Target::Centre => self.board.centre,
            Target::Own => self.lifted[self.mark] & inside,
            Target::Other => self.others() & inside,
            Target::Any => filled(&self.lifted) & inside,
        }
    }

    /// The cells with another mark.
    fn others(&self) -> CellSet {
        filled(&self.shown.marks) & !self.shown.marks[self.mark]
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
        match self.shown.owned {
            true => vec![self.shown.turn.other() as usize],
            false => (0..self.shown.letters.min(MAX_MARKS)).collect(),
        }
    }

    /// The replies that complete no line and make a fork, unless the side that moves now can complete a line first.
    fn forks_left(&self) -> i32 {
        let mut forks = 0;
        for cell in cells(self.board.layout.inside & !filled(&self.after)) {
            for mark in self.reply_marks() {
                let mut then = self.after;
                then[mark] |= 1 << cell;
                let complete = self.board.through(cell).iter().any(|row| row.cells & !then[mark] == 0);
                let first = self.shown.owned && self.gaps(&then, &[self.shown.turn as usize]) != 0;
                forks += i32::from(!complete && !first && count(self.gaps(&then, &[mark])) >= 2);
            }
        }
        forks
    }

    /// Returns whether the mark in the paired cell is one that this move answers.
    fn answers(&self, mate: usize, same: bool) -> bool {
        let marks = &self.shown.marks;
        if self.shown.owned {
            return has(marks[self.shown.turn.other() as usize], mate);
        }
        let like = has(marks[self.mark], mate);
        has(filled(marks), mate) && like == (same || self.shown.letters == 1)
    }

    /// The longest row of neighbouring marks like the one placed, through its cell after the move, and the empty cells
    /// at its ends; of equally long rows the one with more of these.
    fn run(&self) -> (i32, i32) {
        let (own, empty) = (self.lifted[self.mark], !filled(&self.lifted));
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
