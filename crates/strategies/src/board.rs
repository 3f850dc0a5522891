//! A board with what follows from it: kinds of cells, lines through each cell, pairings.

use agon_core::features::{Layout, Row};
use agon_core::lines::CellSet;

/// A board, ready for use.
#[derive(Debug)]
pub(crate) struct Table {
    layout: Layout,
    pub(crate) corner: CellSet,
    pub(crate) border: CellSet,
    pub(crate) centre: CellSet,
    pub(crate) rows: Vec<Row>,
    /// The lines through each cell.
    pub(crate) through: Vec<Vec<Row>>,
    /// The lines that each cell is an end of.
    pub(crate) ending: Vec<Vec<Row>>,
    /// For each cell the next cells in four directions, forwards and backwards.
    pub(crate) steps: Vec<[[Option<u8>; 2]; 4]>,
}

/// The other cell of each cell's pair, and whether it gets the same mark.
pub(crate) type Mates = Vec<Option<(u8, bool)>>;

pub(crate) fn each(mut cells: CellSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = cells.trailing_zeros() as usize;
        (cells != 0).then(|| cells &= cells - 1)?;
        Some(cell)
    })
}

impl Table {
    pub(crate) fn new(layout: &Layout) -> Table {
        let spots = &layout.spots;
        let inside: Vec<usize> = each(layout.inside).collect();
        let range = |of: fn(&agon_core::features::Spot) -> i32| {
            let values = inside.iter().map(|&cell| of(&spots[cell]));
            (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
        };
        let ((left, right), (bottom, top)) = (range(|s| s.column), range(|s| s.row));
        let set = |holds: &dyn Fn(usize) -> bool| {
            inside.iter().filter(|&&cell| holds(cell)).fold(0, |set: CellSet, &cell| set | 1 << cell)
        };
        let sides = |cell: usize| {
            let spot = &spots[cell];
            (spot.column == left || spot.column == right, spot.row == bottom || spot.row == top)
        };
        let off_centre = |cell: usize| {
            let spot = &spots[cell];
            (2 * spot.column - left - right).abs().max((2 * spot.row - bottom - top).abs())
        };
        let nearest = inside.iter().map(|&cell| off_centre(cell)).min().unwrap_or(0);
        let at = |column: i32, row: i32| {
            let there = |&&cell: &&usize| (spots[cell].column, spots[cell].row) == (column, row);
            inside.iter().find(there).map(|&cell| cell as u8)
        };
        let step = |cell: usize, (dx, dy): (i32, i32)| {
            let (x, y) = (spots[cell].column, spots[cell].row);
            [at(x + dx, y + dy), at(x - dx, y - dy)]
        };
        let rows_where = |holds: &dyn Fn(&Row) -> bool| layout.rows.iter().copied().filter(|row| holds(row)).collect();
        Table {
            corner: set(&|cell| sides(cell) == (true, true)),
            border: set(&|cell| sides(cell) != (false, false)),
            centre: set(&|cell| off_centre(cell) == nearest),
            rows: layout.rows.clone(),
            through: (0..spots.len()).map(|cell| rows_where(&|row| row.cells >> cell & 1 == 1)).collect(),
            ending: (0..spots.len()).map(|cell| rows_where(&|row| row.ends >> cell & 1 == 1)).collect(),
            steps: (0..spots.len()).map(|cell| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|d| step(cell, d))).collect(),
            layout: layout.clone(),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.layout.name
    }

    pub(crate) fn inside(&self) -> CellSet {
        self.layout.inside
    }

    pub(crate) fn near(&self, cell: usize) -> CellSet {
        self.layout.near[cell]
    }

    pub(crate) fn column(&self, cell: usize) -> i32 {
        self.layout.spots[cell].column
    }

    pub(crate) fn row(&self, cell: usize) -> i32 {
        self.layout.spots[cell].row
    }

    /// The number of king's moves between two cells.
    pub(crate) fn distance(&self, a: usize, b: usize) -> i32 {
        (self.column(a) - self.column(b)).abs().max((self.row(a) - self.row(b)).abs())
    }

    pub(crate) fn cell(&self, name: &str) -> Option<usize> {
        each(self.inside()).find(|&cell| self.layout.spots[cell].name.eq_ignore_ascii_case(name))
    }

    pub(crate) fn cells(&self) -> usize {
        self.layout.spots.len()
    }

    /// The names of its cells.
    pub(crate) fn names(&self) -> Vec<String> {
        each(self.inside()).map(|cell| self.layout.spots[cell].name.clone()).collect()
    }

    /// The number of cells of the longest line.
    pub(crate) fn longest(&self) -> u32 {
        self.rows.iter().map(|row| row.cells.count_ones()).max().unwrap_or(0)
    }

    /// The cells row by row from the top, for pictures.
    pub(crate) fn picture(&self) -> Vec<Vec<usize>> {
        let mut rows: Vec<i32> = each(self.inside()).map(|cell| self.row(cell)).collect();
        rows.sort_unstable_by(|a, b| b.cmp(a));
        rows.dedup();
        let line = |row: i32| {
            let mut cells: Vec<usize> = each(self.inside()).filter(|&cell| self.row(cell) == row).collect();
            cells.sort_unstable_by_key(|&cell| self.column(cell));
            cells
        };
        rows.into_iter().map(line).collect()
    }
}

/// The pairing of that name that every board has.
pub(crate) fn mates(board: &Table, name: &str) -> Option<Mates> {
    let ends = |of: &dyn Fn(usize) -> i32| {
        let values = || each(board.inside()).map(of);
        (values().min().unwrap_or(0), values().max().unwrap_or(0))
    };
    let (columns, rows) = (ends(&|cell| board.column(cell)), ends(&|cell| board.row(cell)));
    let flip = |value: i32, (low, high): (i32, i32)| low + high - value;
    let flip_end =
        |value: i32, ends: (i32, i32)| if value == ends.0 || value == ends.1 { flip(value, ends) } else { value };
    let image = |column: i32, row: i32| {
        Some(match name {
            "half-turn" => (flip(column, columns), flip(row, rows)),
            "left-right" => (flip(column, columns), row),
            "top-bottom" => (column, flip(row, rows)),
            "border" => (flip_end(column, columns), flip_end(row, rows)),
            "claimeven" => (column, if row % 2 == 1 { row + 1 } else { row - 1 }),
            _ => return None,
        })
    };
    let mut found = vec![None; board.cells()];
    for cell in each(board.inside()) {
        let there = image(board.column(cell), board.row(cell))?;
        let mate = each(board.inside()).find(|&mate| (board.column(mate), board.row(mate)) == there);
        found[cell] = mate.filter(|&mate| mate != cell).map(|mate| (mate as u8, false));
    }
    Some(found)
}
