//! Rows of k: where they lie, what stands at their ends, and when they count.

use crate::grid::{Cells, Grid};

/// The definition of a row of k.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Row {
    /// k or more equal marks, as soon as they stand.
    AtLeast,
    /// A run of exactly k, as soon as it is complete, whichever side completed it.
    Exact,
    /// A run of exactly k on the full board; what stood before does not matter.
    ExactFinal,
}

impl Row {
    /// All three, in the order of the thesis.
    pub const ALL: [Row; 3] = [Row::AtLeast, Row::Exact, Row::ExactFinal];

    /// The word in a game's spelling.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Row::AtLeast => "atleast",
            Row::Exact => "exact",
            Row::ExactFinal => "exact-final",
        }
    }

    /// Reads what [`Row::name`] writes.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Row> {
        Row::ALL.into_iter().find(|row| row.name() == name)
    }
}

/// k cells in a straight row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    /// The k cells.
    pub cells: Cells,
    /// The cells before and behind them, where the board goes on.
    pub ends: Cells,
    /// Its direction: → ↓ ↘ ↙ are 0 to 3.
    pub direction: u8,
    /// The straight line of the board it lies on; windows that share two cells share it.
    pub line: u16,
}

impl Window {
    /// Returns whether `cells` hold the whole window and neither end.
    #[inline]
    #[must_use]
    pub fn is_exact(&self, cells: Cells) -> bool {
        cells & self.cells == self.cells && cells & self.ends == 0
    }
}

/// Every window of `k` cells, by direction and line.
#[must_use]
pub fn windows(grid: &Grid, k: usize) -> Vec<Window> {
    let (columns, rows) = (grid.columns() as i32, grid.rows() as i32);
    let inside = |x: i32, y: i32| (0..columns).contains(&x) && (0..rows).contains(&y);
    let bit = |x: i32, y: i32| if inside(x, y) { 1 << (y * columns + x) } else { 0 };
    let (mut found, mut line) = (Vec::new(), 0);
    for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().enumerate() {
        for begin in 0..columns * rows {
            let (mut x, mut y) = (begin % columns, begin / columns);
            if inside(x - dx, y - dy) {
                continue;
            }
            line += 1;
            let reach = k as i32 - 1;
            while inside(x + dx * reach, y + dy * reach) {
                let cells = (0..k as i32).fold(0, |set, i| set | bit(x + dx * i, y + dy * i));
                let ends = bit(x - dx, y - dy) | bit(x + dx * (reach + 1), y + dy * (reach + 1));
                found.push(Window { cells, ends, direction: direction as u8, line });
                (x, y) = (x + dx, y + dy);
            }
        }
        // A single cell is a row in every direction; one is enough, and it has no ends of its own.
        if k == 1 {
            found.iter_mut().for_each(|w| w.ends = 0);
            break;
        }
    }
    found
}
