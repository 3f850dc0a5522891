//! Games of placing tiles on a board: Ellie (L-trominoes) and Cram (dominoes).

use super::{Named, Rules, play};
use crate::grid::{Cells, Grid, each_cell};
use agon_core::scene::{Scene, Shape, Token};
use agon_core::{Facts, GameError, Kind, Param, Params};
use std::collections::HashSet;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

/// The shape of the tile.
///
/// ```
/// use agon_core::{Facts, Kind};
/// use agon_games::impartial::{Rules, tiles::{Tile, Tiles}};
///
/// /// Straight trominoes.
/// #[derive(Clone, Debug)]
/// struct Straight;
///
/// impl Tile for Straight {
///     fn facts() -> Facts {
///         Facts::new("straight", "Straight trominoes", "A move puts a straight tromino on three free cells in a row.")
///             .positional("board", Kind::Size(1, 64), "4x4", "columns x rows")
///             .with(agon_games::impartial::play())
///     }
///     const SHAPES: &'static [&'static [(u8, u8)]] = &[&[(0, 0), (1, 0), (2, 0)], &[(0, 0), (0, 1), (0, 2)]];
/// }
///
/// let game = Tiles::<Straight>::new(3, 3);
/// assert_eq!(game.count(&game.start()), 6);
/// ```
pub trait Tile: Clone + Debug + Send + Sync + 'static {
    /// Name, rules and parameters.
    fn facts() -> Facts;
    /// The cells of the tile in each of its orientations, as (column, row).
    const SHAPES: &'static [&'static [(u8, u8)]];
}

/// L-trominoes.
#[derive(Clone, Debug)]
pub struct Ellie;

/// Dominoes.
#[derive(Clone, Debug)]
pub struct Cram;

fn board() -> Param {
    Param::positional("board", Kind::Size(1, 64), "4x4", "columns x rows, at most 64 cells")
}

impl Tile for Ellie {
    fn facts() -> Facts {
        Facts::new(
            "ellie",
            "Ellie",
            "A move puts an L-tromino on three free cells of the board, in any orientation. The player who makes the \
             last move wins (in misère play, loses).",
        )
        .with(board())
        .with(play())
    }
    const SHAPES: &'static [&'static [(u8, u8)]] =
        &[&[(0, 0), (1, 0), (0, 1)], &[(0, 0), (1, 0), (1, 1)], &[(0, 0), (0, 1), (1, 1)], &[(1, 0), (0, 1), (1, 1)]];
}

impl Tile for Cram {
    fn facts() -> Facts {
        Facts::new(
            "cram",
            "Cram",
            "A move puts a domino on two neighbouring free cells of the board. The player who makes the last move wins \
             (in misère play, loses).",
        )
        .with(board())
        .with(play())
    }
    const SHAPES: &'static [&'static [(u8, u8)]] = &[&[(0, 0), (1, 0)], &[(0, 0), (0, 1)]];
}

/// A set of cells of a small board of its own, in the least of its eight images.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Region {
    columns: u8,
    rows: u8,
    cells: Cells,
}

/// The rules on one board.
#[derive(Clone, Debug)]
pub struct Tiles<T> {
    grid: Grid,
    /// For the whole board, and for every board a part may have: at least as wide as high, and at most 64 cells.
    whole: Arc<Fitting>,
    fittings: Arc<Vec<Vec<Fitting>>>,
    tile: PhantomData<T>,
}

/// A small board as rows of bits, at least as wide as high, so there are at most eight rows.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Picture {
    columns: usize,
    rows: usize,
    bits: [u64; 8],
}

impl Picture {
    /// The bounding box of a set of cells on a board that wide, turned so that it lies.
    fn of(cells: Cells, columns: usize) -> Picture {
        let whole = if columns == 64 { u64::MAX } else { (1 << columns) - 1 };
        let (top, bottom) =
            (cells.trailing_zeros() as usize / columns, (63 - cells.leading_zeros() as usize) / columns);
        let row = |y: usize| cells >> (y * columns) & whole;
        let any = (top..=bottom).fold(0, |any, y| any | row(y));
        let (left, right) = (any.trailing_zeros() as usize, 63 - any.leading_zeros() as usize);
        let (w, h) = (right + 1 - left, bottom + 1 - top);
        let mut bits = [0; 8];
        if w >= h {
            (top..=bottom).zip(&mut bits).for_each(|(y, bits)| *bits = row(y) >> left);
            return Picture { columns: w, rows: h, bits };
        }
        for cell in each_cell(cells) {
            bits[cell % columns - left] |= 1 << (cell / columns - top);
        }
        Picture { columns: h, rows: w, bits }
    }

    /// The rows one after another, the first in the lowest bits.
    fn packed(&self) -> Cells {
        let mut cells = self.bits[0];
        for (y, row) in self.bits[..self.rows].iter().enumerate().skip(1) {
            cells |= row << (y * self.columns);
        }
        cells
    }

    /// The same with the rows in reverse order.
    fn packed_upside_down(&self) -> Cells {
        let mut cells = self.bits[self.rows - 1];
        for (y, row) in self.bits[..self.rows].iter().rev().enumerate().skip(1) {
            cells |= row << (y * self.columns);
        }
        cells
    }

    /// Mirrored in the main diagonal; only for squares.
    fn transposed(self) -> Picture {
        let mut bits = [0; 8];
        for (y, row) in self.bits[..self.rows].iter().enumerate() {
            each_cell(*row).for_each(|x| bits[x] |= 1 << y);
        }
        Picture { bits, ..self }
    }

    /// The least of the picture, its half-turn and its two mirror images. A half-turn reverses the order of all cells.
    fn least_of_four(&self) -> Cells {
        let spare = 64 - self.columns * self.rows;
        let (upright, flipped) = (self.packed(), self.packed_upside_down());
        let half_turn = |cells: Cells| cells.reverse_bits() >> spare;
        upright.min(half_turn(upright)).min(flipped).min(half_turn(flipped))
    }
}

impl Region {
    /// The least image of some cells of a board that wide, moved into the corner. There must be a cell.
    fn new(cells: Cells, columns: usize) -> Region {
        let picture = Picture::of(cells, columns);
        let mut least = picture.least_of_four();
        if picture.columns == picture.rows {
            least = least.min(picture.transposed().least_of_four());
        }
        Region { columns: picture.columns as u8, rows: picture.rows as u8, cells: least }
    }
}

/// The anchors at which the tile fits on a board, for all places at once: bit `i` of a set stands for the tile in one
/// orientation whose box has its top left corner on cell `i`.
#[derive(Clone, Debug)]
struct Fitting {
    /// For each orientation, the anchors whose box is on the board, and the distances of the tile's cells from them.
    shapes: Vec<(Cells, Vec<u32>)>,
    /// All tiles, those in the middle of the board first.
    outwards: Vec<Cells>,
}

impl Fitting {
    fn new<T: Tile>(columns: usize, rows: usize) -> Fitting {
        let shape = |cells: &&[(u8, u8)]| {
            let (w, h) = cells.iter().fold((0, 0), |(w, h), &(x, y)| (w.max(usize::from(x)), h.max(usize::from(y))));
            let inside = |cell: &usize| cell % columns + w < columns && cell / columns + h < rows;
            let anchors = (0..columns * rows).filter(inside).fold(0, |all, cell| all | 1 << cell);
            (anchors, cells.iter().map(|&(x, y)| (usize::from(y) * columns + usize::from(x)) as u32).collect())
        };
        let shapes: Vec<(Cells, Vec<u32>)> = T::SHAPES.iter().map(shape).collect();
        let mut fitting = Fitting { shapes, outwards: Vec::new() };
        let mut tiles = Vec::new();
        fitting.tiles(Grid::new(columns, rows).all(), &mut |tile| tiles.push(tile));
        tiles.sort_by_cached_key(|&tile| from_the_middle(tile, columns, rows));
        fitting.outwards = tiles;
        fitting
    }

    /// The number of cells of the tile.
    fn tile_cells(&self) -> u32 {
        self.shapes[0].1.len() as u32
    }

    /// For each orientation, the anchors of tiles on free cells. A tile that is larger than the board has none.
    fn fits(&self, free: Cells) -> impl Iterator<Item = Cells> {
        self.shapes.iter().map(move |(anchors, distances)| match anchors {
            0 => 0,
            _ => distances.iter().fold(*anchors, |fits, by| fits & free >> by),
        })
    }

    /// Calls `each` for every tile on free cells.
    fn tiles(&self, free: Cells, each: &mut impl FnMut(Cells)) {
        for (fits, (_, distances)) in self.fits(free).zip(&self.shapes) {
            for anchor in each_cell(fits) {
                each(distances.iter().fold(0, |tile, by| tile | 1 << (anchor as u32 + by)));
            }
        }
    }

    /// Calls `each` for the parts of the free cells that tiles can still be put on: cells that share a possible tile
    /// belong together, and cells under none belong to no part.
    fn parts(&self, free: Cells, each: &mut impl FnMut(Cells)) {
        let mut fits: Vec<Cells> = self.fits(free).collect();
        while let Some(k) = fits.iter().position(|&fits| fits != 0) {
            let first = fits[k] & fits[k].wrapping_neg();
            let mut part = self.shapes[k].1.iter().fold(0, |tile, by| tile | first << by);
            loop {
                let before = part;
                for (fits, (_, distances)) in fits.iter_mut().zip(&self.shapes) {
                    let touching =
                        *fits & distances.iter().fold(0, |near, &by| near | part.checked_shr(by).unwrap_or(0));
                    *fits &= !touching;
                    part |= distances.iter().fold(0, |cells, &by| cells | touching.checked_shl(by).unwrap_or(0));
                }
                if part == before {
                    break;
                }
            }
            each(part);
        }
    }
}

/// Twice the distance of a tile's box from the middle of the board, along columns and rows.
fn from_the_middle(tile: Cells, columns: usize, rows: usize) -> usize {
    let twice = |of: fn(usize, usize) -> usize, length: usize| {
        let (least, most) =
            each_cell(tile).map(|cell| of(cell, columns)).fold((64, 0), |(a, b), x| (a.min(x), b.max(x)));
        (least + most).abs_diff(length - 1)
    };
    twice(|cell, columns| cell % columns, columns) + twice(|cell, columns| cell / columns, rows)
}

impl<T: Tile> Tiles<T> {
    /// The rules on a board of at most 64 cells.
    #[must_use]
    pub fn new(columns: usize, rows: usize) -> Tiles<T> {
        let fitting = |rows: usize| (rows..=64 / rows).map(|columns| Fitting::new::<T>(columns, rows)).collect();
        Tiles {
            grid: Grid::new(columns, rows),
            whole: Arc::new(Fitting::new::<T>(columns, rows)),
            fittings: Arc::new((1..=8).map(fitting).collect()),
            tile: PhantomData,
        }
    }

    /// The small board that a part lies on.
    fn fitting(&self, part: &Region) -> &Fitting {
        &self.fittings[usize::from(part.rows) - 1][usize::from(part.columns - part.rows)]
    }

    fn free(&self, covered: Cells) -> Cells {
        self.grid.all() & !covered
    }

    /// The same rules as a value of one type for all tiles, so that solvers are compiled once for them.
    #[must_use]
    pub fn plain(self) -> Tiles<Ellie> {
        Tiles { grid: self.grid, whole: self.whole, fittings: self.fittings, tile: PhantomData }
    }
}

impl<T: Tile> Rules for Tiles<T> {
    type State = Cells;
    type Step = Cells;
    type Part = Region;

    fn start(&self) -> Cells {
        0
    }

    fn steps(&self, covered: &Cells, each: &mut impl FnMut(Cells)) {
        self.whole.tiles(self.free(*covered), each);
    }

    fn apply(&self, covered: &mut Cells, tile: Cells) {
        *covered |= tile;
    }

    fn order(&self) -> usize {
        self.grid.order()
    }

    fn image(&self, element: usize, covered: &Cells) -> Cells {
        self.grid.image(element, *covered)
    }

    fn image_of_step(&self, element: usize, tile: Cells) -> Cells {
        self.grid.image(element, tile)
    }

    fn inverse(&self, element: usize) -> usize {
        self.grid.inverse(element)
    }

    fn height(&self, covered: &Cells) -> u32 {
        self.free(*covered).count_ones() / self.whole.tile_cells()
    }

    fn parts(&self, covered: &Cells) -> Vec<Region> {
        let mut parts = Vec::new();
        let columns = self.grid.columns();
        self.whole.parts(self.free(*covered), &mut |part| parts.push(Region::new(part, columns)));
        parts
    }

    fn options(&self, part: &Region, each: &mut impl FnMut(&[Region])) {
        self.options_while(part, &mut |option| {
            each(option);
            true
        });
    }

    /// Tiles near the middle come first: they soon cut the part into smaller ones.
    fn options_while(&self, part: &Region, each: &mut impl FnMut(&[Region]) -> bool) {
        let (fitting, columns) = (self.fitting(part), usize::from(part.columns));
        let mut left = Vec::new();
        for tile in fitting.outwards.iter().filter(|&tile| tile & !part.cells == 0) {
            left.clear();
            fitting.parts(part.cells & !tile, &mut |part| left.push(Region::new(part, columns)));
            if !each(&left) {
                return;
            }
        }
    }

    /// The number of cells, squared: one large part is more work than two small ones.
    fn work(&self, part: &Region) -> u64 {
        u64::from(part.cells.count_ones()).pow(2)
    }

    /// One, if there is room for one tile only. Zero, if every tile can be answered with its half-turn: the part is its
    /// own half-turn, and no tile overlaps its own image.
    fn static_nimber(&self, part: &Region) -> Option<u32> {
        if part.cells.count_ones() < 2 * self.whole.tile_cells() {
            return Some(1);
        }
        let spare = 64 - u32::from(part.columns) * u32::from(part.rows);
        let half_turn = |cells: Cells| cells.reverse_bits() >> spare;
        if half_turn(part.cells) != part.cells {
            return None;
        }
        let mut answered = true;
        self.fitting(part).tiles(part.cells, &mut |tile| answered &= tile & half_turn(tile) == 0);
        answered.then_some(0)
    }

    /// Rows of the smallest box around the part, with `#` for what does not belong to it; perhaps turned or mirrored.
    fn show_part(&self, part: &Region) -> String {
        let columns = usize::from(part.columns);
        let mark = |cell: usize| if part.cells >> cell & 1 == 1 { '.' } else { '#' };
        let row = |y: usize| (0..columns).map(|x| mark(y * columns + x)).collect::<String>();
        (0..usize::from(part.rows)).map(row).collect::<Vec<_>>().join("/")
    }

    fn show(&self, covered: &Cells) -> String {
        let mark = |cell: usize| if covered >> cell & 1 == 1 { '#' } else { '.' };
        let row = |y: usize| (0..self.grid.columns()).map(|x| mark(y * self.grid.columns() + x)).collect::<String>();
        (0..self.grid.rows()).map(row).collect::<Vec<_>>().join("/")
    }

    fn read(&self, text: &str) -> Result<Cells, String> {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        let lines: Vec<&str> = text.split('/').collect();
        let shape = || format!("expected {rows} rows of {columns} from . and #, like {}", self.show(&0));
        if lines.len() != rows || lines.iter().any(|line| line.chars().count() != columns) {
            return Err(shape());
        }
        let mut covered = 0;
        for (cell, mark) in lines.iter().flat_map(|line| line.chars()).enumerate() {
            match mark {
                '#' => covered |= 1 << cell,
                '.' => {}
                _ => return Err(shape()),
            }
        }
        if !self.coverable(covered) {
            return Err("no tiles cover exactly these cells".to_string());
        }
        Ok(covered)
    }

    fn show_step(&self, _covered: &Cells, tile: Cells) -> String {
        each_cell(tile).map(|cell| self.grid.name(cell)).collect()
    }

    fn scene(&self, covered: &Cells) -> Scene {
        let mut scene = Scene::grid(self.grid.columns(), self.grid.rows());
        each_cell(*covered).for_each(|cell| scene.put(cell, Token::neutral(Shape::Tile, '#')));
        scene
    }

    fn places(&self, _covered: &Cells) -> usize {
        self.grid.columns() * self.grid.rows()
    }

    fn path(&self, _covered: &Cells, tile: Cells) -> Vec<usize> {
        each_cell(tile).collect()
    }
}

impl<T: Tile> Tiles<T> {
    /// Returns whether some tiles cover exactly these cells: the lowest one is tried with every tile over it, and what
    /// was found impossible is not tried again.
    fn coverable(&self, cells: Cells) -> bool {
        fn fits(fitting: &Fitting, cells: Cells, hopeless: &mut HashSet<Cells>) -> bool {
            if cells == 0 {
                return true;
            }
            if hopeless.contains(&cells) {
                return false;
            }
            let mut over = Vec::new();
            let lowest = cells & cells.wrapping_neg();
            fitting.tiles(cells, &mut |tile| {
                if tile & lowest != 0 {
                    over.push(tile);
                }
            });
            let found = over.into_iter().any(|tile| fits(fitting, cells & !tile, hopeless));
            if !found {
                hopeless.insert(cells);
            }
            found
        }
        fits(&self.whole, cells, &mut HashSet::new())
    }
}

impl<T: Tile> Named for Tiles<T> {
    fn facts() -> Facts {
        T::facts()
    }

    fn build(params: &Params) -> Result<Tiles<T>, GameError> {
        let (columns, rows) = params.size("board");
        if columns * rows > 64 {
            return Err(params.error(format!("the board may have at most 64 cells, not {}", columns * rows)));
        }
        Ok(Tiles::new(columns, rows))
    }
}
