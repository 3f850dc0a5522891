//! Features of games on rectangular boards for strategies written as text.

use crate::grid::{Grid, each_cell};
use crate::grid::{Window, windows};
use agon_core::features::{Layout, Row, Spot};

/// A board with every straight row of `k` cells.
pub(crate) fn layout(grid: &Grid, k: usize) -> Layout {
    let (columns, rows) = (grid.columns(), grid.rows());
    let spot = |cell: usize| Spot {
        name: grid.name(cell),
        column: (cell % columns) as i32 + 1,
        row: (rows - cell / columns) as i32,
    };
    let near = |cell: usize| {
        let beside = |other: &usize| {
            let (dx, dy) = ((other % columns).abs_diff(cell % columns), (other / columns).abs_diff(cell / columns));
            dx.max(dy) == 1
        };
        each_cell(grid.all()).filter(beside).fold(0, |set, other| set | 1 << other)
    };
    let row = |w: &Window| Row { cells: w.cells, ends: w.ends, direction: w.direction };
    Layout {
        name: "board",
        spots: (0..grid.cells()).map(spot).collect(),
        inside: grid.all(),
        near: (0..grid.cells()).map(near).collect(),
        rows: windows(grid, k).iter().map(row).collect(),
    }
}

/// A board inside another one, with the rows of its own and the cells of the board around it: `to` maps its cells
/// there, and every row goes on in its direction.
pub(crate) fn within(name: &'static str, outer: &Grid, inner: &Grid, k: usize, to: impl Fn(usize) -> usize) -> Layout {
    let (around, within) = (layout(outer, 1), layout(inner, k));
    let lift = |set: u64| each_cell(set).fold(0, |all, cell| all | 1 << to(cell));
    let shift = |of: fn(&Spot) -> i32| of(&around.spots[to(0)]) - of(&within.spots[0]);
    let (dx, dy) = (shift(|s| s.column), shift(|s| s.row));
    let moved = |s: &Spot| Spot { name: s.name.clone(), column: s.column - dx, row: s.row - dy };
    let inside = lift(within.inside);
    let longer: Vec<u64> = windows(outer, k).iter().map(|w| w.cells).collect();
    let ends = |cells: u64| {
        let at = longer.iter().position(|&other| other == cells);
        at.map_or(0, |at| windows(outer, k)[at].ends)
    };
    let row = |r: &Row| {
        let cells = lift(r.cells);
        Row { cells, ends: ends(cells), direction: r.direction }
    };
    Layout {
        name,
        spots: around.spots.iter().map(moved).collect(),
        inside,
        near: around.near.iter().map(|set| set & inside).collect(),
        rows: within.rows.iter().map(row).collect(),
    }
}
