//! Lengths, extensions and open lines: definitions 2.2 to 2.5 of Castelein's thesis.
//!
//! Coordinates are the thesis's: `(i, j)` is row i from the top and column j from the left, from 1.
//! Definition 2.2 prints "when y ≠ m" where the row's far end must be meant, and definition 2.4 lets the
//! square A reach over the board's edge; both are read so that the thesis's own examples come out.

use super::{Board, OrderChaos};

/// A place as the thesis writes it: row from the top, column from the left, both from 1.
pub type Place = (usize, usize);

/// The four directions of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// → along a row.
    Horizontal,
    /// ↑ along a column.
    Vertical,
    /// ↗ from bottom left to top right.
    Ascending,
    /// ↘ from top left to bottom right.
    Descending,
}

impl Direction {
    /// All four, in the order of definition 2.2.
    pub const ALL: [Direction; 4] =
        [Direction::Horizontal, Direction::Vertical, Direction::Ascending, Direction::Descending];

    /// The windows that run this way, as [`Window::direction`](crate::grid::Window) numbers them.
    pub(super) fn number(self) -> usize {
        match self {
            Direction::Horizontal => 0,
            Direction::Vertical => 1,
            Direction::Descending => 2,
            Direction::Ascending => 3,
        }
    }

    /// One step: rows down, columns to the right.
    fn step(self) -> (isize, isize) {
        match self {
            Direction::Horizontal => (0, 1),
            Direction::Vertical => (1, 0),
            Direction::Ascending => (-1, 1),
            Direction::Descending => (1, 1),
        }
    }
}

/// A run of equal marks: its length, and the places that would extend it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The number of marks.
    pub length: usize,
    /// The places before and behind it that are on the board.
    pub extensions: Vec<Place>,
}

impl OrderChaos {
    /// The cell of a place; `None` off the board.
    #[must_use]
    pub fn cell_at(&self, (i, j): Place) -> Option<usize> {
        let inside = (1..=self.grid().rows()).contains(&i) && (1..=self.grid().columns()).contains(&j);
        let cell = inside.then(|| (i - 1) * self.grid().columns() + j - 1)?;
        (self.grid().all() >> cell & 1 == 1).then_some(cell)
    }

    /// The place of a cell.
    #[must_use]
    pub fn place_of(&self, cell: usize) -> Place {
        (cell / self.grid().columns() + 1, cell % self.grid().columns() + 1)
    }

    fn beyond(&self, (i, j): Place, direction: Direction, steps: isize) -> Option<Place> {
        let (di, dj) = direction.step();
        let place = (i.checked_add_signed(di * steps)?, j.checked_add_signed(dj * steps)?);
        self.cell_at(place).map(|_| place)
    }

    /// Definition 2.2: the run through a marked place in one direction; `None` where there is no mark.
    #[must_use]
    pub fn run(&self, pos: &Board, place: Place, direction: Direction) -> Option<Run> {
        let symbol = pos.at(self.cell_at(place)?)?;
        let same = |place: &Place| self.cell_at(*place).and_then(|cell| pos.at(cell)) == Some(symbol);
        let reach = |sign: isize| {
            let steps = (1..).map(|n| self.beyond(place, direction, sign * n));
            steps.take_while(|next| next.as_ref().is_some_and(same)).count() as isize
        };
        let (back, ahead) = (reach(-1), reach(1));
        let ends = [self.beyond(place, direction, -back - 1), self.beyond(place, direction, ahead + 1)];
        Some(Run { length: (back + ahead + 1) as usize, extensions: ends.into_iter().flatten().collect() })
    }

    /// Definition 2.3: the longest consecutive row through a marked place.
    #[must_use]
    pub fn longest_run(&self, pos: &Board, place: Place) -> Option<usize> {
        Direction::ALL.iter().filter_map(|&d| self.run(pos, place, d)).map(|run| run.length).max()
    }

    /// Definition 2.4: the most marks `symbol` in a window of k through the place that holds no other
    /// mark; 0 where there is none.
    #[must_use]
    pub fn open_line(&self, pos: &Board, place: Place, symbol: usize, direction: Direction) -> usize {
        let Some(cell) = self.cell_at(place) else { return 0 };
        let (own, other) = (pos.marks[symbol], pos.filled() & !pos.marks[symbol]);
        let open = self.windows_through(cell, direction).iter().filter(|&&cells| cells & other == 0);
        open.map(|cells| (cells & own).count_ones() as usize).max().unwrap_or(0)
    }

    /// Definition 2.5: the maximum feasible line.
    #[must_use]
    pub fn feasible(&self, pos: &Board, place: Place, symbol: usize) -> usize {
        Direction::ALL.iter().map(|&d| self.open_line(pos, place, symbol, d)).max().unwrap_or(0)
    }
}
