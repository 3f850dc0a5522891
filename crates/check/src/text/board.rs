//! A board as strategies see it, and what follows from where its cells lie.

use agon_core::features::{Layout, Row};
use agon_core::lines::CellSet;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// For cells that have a partner: the partner, and whether both get the same mark.
pub(super) type Mates = HashMap<usize, (usize, bool)>;

/// The pairings that every board has.
pub(super) const PAIRINGS: [&str; 5] = ["half-turn", "left-right", "top-bottom", "border", "claimeven"];

/// The numbers of the cells in a set.
pub(super) fn cells(set: CellSet) -> impl Iterator<Item = usize> {
    (0..CellSet::BITS as usize).filter(move |&cell| has(set, cell))
}

pub(super) fn has(set: CellSet, cell: usize) -> bool {
    set >> cell & 1 == 1
}

/// A column and a row.
type Place = (i32, i32);

pub(super) struct Board<'a> {
    pub(super) layout: &'a Layout,
    pub(super) corners: CellSet,
    pub(super) border: CellSet,
    pub(super) centre: CellSet,
    /// The lines through each cell.
    through: Vec<Vec<Row>>,
    /// The cells of this board by their places.
    at: HashMap<Place, usize>,
    /// The least and the largest column, and the same for rows.
    columns: (i32, i32),
    rows: (i32, i32),
}

impl<'a> Board<'a> {
    pub(super) fn new(layout: &'a Layout) -> Board<'a> {
        let place = |cell: usize| (layout.spots[cell].column, layout.spots[cell].row);
        let places: Vec<Place> = cells(layout.inside).map(place).collect();
        let extent = |of: fn(&Place) -> i32| {
            let least = places.iter().map(of).min().unwrap_or(0);
            (least, places.iter().map(of).max().unwrap_or(0))
        };
        let (columns, rows) = (extent(|p| p.0), extent(|p| p.1));
        let (mut corners, mut border) = (0, 0);
        for cell in cells(layout.inside) {
            let (column, row) = place(cell);
            let at_a_side = column == columns.0 || column == columns.1;
            let at_an_end = row == rows.0 || row == rows.1;
            corners |= CellSet::from(at_a_side && at_an_end) << cell;
            border |= CellSet::from(at_a_side || at_an_end) << cell;
        }
        // Twice the distance from the middle, which may lie between cells.
        let off =
            |&(column, row): &Place| (2 * column - columns.0 - columns.1).abs().max((2 * row - rows.0 - rows.1).abs());
        let least = places.iter().map(off).min();
        let central = cells(layout.inside).filter(|&cell| Some(off(&place(cell))) == least);
        let mut at = HashMap::new();
        for cell in cells(layout.inside) {
            at.entry(place(cell)).or_insert(cell);
        }
        let lines = |cell: usize| layout.rows.iter().copied().filter(|row| has(row.cells, cell)).collect();
        Board {
            layout,
            corners,
            border,
            centre: central.fold(0, |set, cell| set | 1 << cell),
            through: (0..layout.spots.len()).map(lines).collect(),
            at,
            columns,
            rows,
        }
    }

    /// The column and the row of a cell.
    pub(super) fn place(&self, cell: usize) -> Place {
        (self.layout.spots[cell].column, self.layout.spots[cell].row)
    }

    /// The cell of this board that lies so many columns and rows away.
    pub(super) fn away(&self, cell: usize, (right, up): Place) -> Option<usize> {
        let (column, row) = self.place(cell);
        self.at.get(&(column + right, row + up)).copied()
    }

    pub(super) fn through(&self, cell: usize) -> &[Row] {
        &self.through[cell]
    }

    /// The number of king's moves between two cells.
    pub(super) fn distance(&self, one: usize, other: usize) -> i32 {
        let (a, b) = (self.place(one), self.place(other));
        (a.0 - b.0).abs().max((a.1 - b.1).abs())
    }

    /// The cell of that name, whatever the case of its letters.
    pub(super) fn cell(&self, name: &str) -> Option<usize> {
        cells(self.layout.inside).find(|&cell| self.layout.spots[cell].name.eq_ignore_ascii_case(name))
    }

    /// Its cells in rows from the top, each row from the left.
    pub(super) fn rows_from_the_top(&self) -> Vec<Vec<usize>> {
        let rows: BTreeSet<i32> = self.at.keys().map(|place| place.1).collect();
        let line = |row: i32| {
            let mut line: Vec<usize> = cells(self.layout.inside).filter(|&cell| self.place(cell).1 == row).collect();
            line.sort_by_key(|&cell| self.place(cell).0);
            line
        };
        rows.into_iter().rev().map(line).collect()
    }

    /// A pairing that every board has, by name.
    pub(super) fn mates(&self, name: &str) -> Option<Rc<Mates>> {
        let mirrored = |value: i32, (least, largest): (i32, i32)| least + largest - value;
        let end = |value: i32, ends: (i32, i32)| {
            if value == ends.0 || value == ends.1 { mirrored(value, ends) } else { value }
        };
        let opposite = |(column, row): Place| match name {
            "half-turn" => Some((mirrored(column, self.columns), mirrored(row, self.rows))),
            "left-right" => Some((mirrored(column, self.columns), row)),
            "top-bottom" => Some((column, mirrored(row, self.rows))),
            "border" => Some((end(column, self.columns), end(row, self.rows))),
            "claimeven" => Some((column, if row % 2 == 1 { row + 1 } else { row - 1 })),
            _ => None,
        };
        let mut mates = Mates::new();
        for cell in cells(self.layout.inside) {
            let there = opposite(self.place(cell))?;
            if let Some(&mate) = self.at.get(&there).filter(|&&mate| mate != cell) {
                mates.insert(cell, (mate, false));
            }
        }
        Some(Rc::new(mates))
    }
}
