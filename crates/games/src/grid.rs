//! Rectangular boards of at most 64 cells, or parts of them, as bit sets: symmetries, straight windows, cell names.
//!
//! Cells are numbered row by row from the top left; `a1` is at the bottom left.

use agon_core::scene::column_label;
use agon_core::{GameError, Params, Player};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A set of cells, bit `i` for cell `i`.
pub type Cells = u64;

/// A board with its symmetries. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    columns: usize,
    rows: usize,
    /// The cells of the board.
    all: Cells,
    symmetries: Arc<Vec<Symmetry>>,
}

/// One symmetry of a board of at most 64 cells.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    /// The image of each cell.
    pub(crate) to: Vec<u8>,
    /// The image of each byte of a set, so that a set of 64 cells takes eight look-ups.
    bytes: Vec<[Cells; 256]>,
    /// The position of the inverse in the group.
    pub(crate) inverse: usize,
}

impl Symmetry {
    /// The image of a set of cells.
    #[inline]
    pub(crate) fn image(&self, cells: Cells) -> Cells {
        self.bytes.iter().enumerate().fold(0, |image, (i, table)| image | table[(cells >> (8 * i)) as usize & 0xff])
    }
}

/// Iterates over the cells of a set, lowest first.
pub fn each_cell(mut cells: Cells) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if cells == 0 {
            return None;
        }
        let cell = cells.trailing_zeros() as usize;
        cells &= cells - 1;
        Some(cell)
    })
}

impl Grid {
    /// A board of `columns` × `rows`, at most 64 cells.
    #[must_use]
    pub fn new(columns: usize, rows: usize) -> Grid {
        assert!(columns >= 1 && rows >= 1 && columns * rows <= 64);
        // Boards of one size share their symmetries, which take long to compute.
        type Known = BTreeMap<(usize, usize), Arc<Vec<Symmetry>>>;
        static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = known.entry((columns, rows)).or_insert_with(|| Arc::new(symmetries(columns, rows)));
        Grid { columns, rows, all: Cells::MAX >> (64 - columns * rows), symmetries: shared.clone() }
    }

    /// The same board without some of its cells, of which at least one remains. The others keep their numbers and
    /// names; the symmetries are those that map the missing cells to themselves.
    #[must_use]
    pub fn without(&self, missing: Cells) -> Grid {
        let all = self.all & !missing;
        assert!(all != 0);
        if all == self.all {
            return self.clone();
        }
        let kept = self.symmetries.iter().filter(|symmetry| symmetry.image(all) == all);
        let maps: Vec<Vec<u8>> = kept.map(|symmetry| symmetry.to.clone()).collect();
        Grid { all, symmetries: Arc::new(group(&maps)), ..*self }
    }

    /// The number of columns.
    #[must_use]
    #[inline]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of rows.
    #[must_use]
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of cells of the whole rectangle: cells have the numbers below it.
    #[must_use]
    #[inline]
    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The set of all cells.
    #[must_use]
    #[inline]
    pub fn all(&self) -> Cells {
        self.all
    }

    /// The name of a cell, like `b3`.
    #[must_use]
    pub fn name(&self, cell: usize) -> String {
        format!("{}{}", column_label(cell % self.columns), self.rows - cell / self.columns)
    }

    /// The cell of that name, in either case.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<usize> {
        let mut chars = name.chars();
        let column = chars.next()?.to_ascii_lowercase();
        let digits = chars.as_str();
        if digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let row: usize = digits.parse().ok()?;
        let x = (0..self.columns).find(|&x| column_label(x) == column)?;
        (1..=self.rows).contains(&row).then(|| (self.rows - row) * self.columns + x)
    }

    /// A board as text: rows from the top, joined by `/`.
    #[must_use]
    pub fn show(&self, mark: impl Fn(usize) -> char) -> String {
        let row = |y: usize| (0..self.columns).map(|x| mark(y * self.columns + x)).collect::<String>();
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }

    /// Reads a board: rows from the top, separated by `/`, `|` or white space. Calls `each` for every
    /// cell with its mark; false means that it is not a mark. Fails with what is expected and
    /// what is wrong.
    pub fn read(&self, text: &str, mut each: impl FnMut(usize, char) -> bool) -> Result<(), String> {
        let separator = |c: char| c == '/' || c == '|' || c.is_whitespace();
        let rows: Vec<&str> = text.split(separator).filter(|row| !row.is_empty()).collect();
        let shape = format!("{} rows of {}", self.rows, self.columns);
        if rows.len() != self.rows {
            return Err(format!("{shape}, not {}", rows.len()));
        }
        if let Some(at) = rows.iter().position(|row| row.chars().count() != self.columns) {
            return Err(format!("{shape}, and row {} has {}", at + 1, rows[at].chars().count()));
        }
        let mut marks = rows.iter().flat_map(|row| row.chars()).enumerate();
        match marks.find(|&(cell, mark)| !each(cell, mark)) {
            Some((_, mark)) => Err(format!("{shape}, and `{mark}` is not a mark")),
            None => Ok(()),
        }
    }

    /// The order of the symmetry group: 8 for squares, 4 for other rectangles, 2 for single lines.
    #[must_use]
    #[inline]
    pub fn order(&self) -> usize {
        self.symmetries.len()
    }

    /// The image of a cell under `element`.
    #[must_use]
    #[inline]
    pub fn image_of_cell(&self, element: usize, cell: usize) -> usize {
        usize::from(self.symmetries[element].to[cell])
    }

    /// Every symmetry as the new cell of each cell, the identity first.
    #[must_use]
    pub fn maps(&self) -> Vec<Vec<u8>> {
        self.symmetries.iter().map(|symmetry| symmetry.to.clone()).collect()
    }

    /// The image of a set of cells under `element`.
    #[inline]
    #[must_use]
    pub fn image(&self, element: usize, cells: Cells) -> Cells {
        self.symmetries[element].image(cells)
    }

    /// The element that undoes `element`.
    #[must_use]
    #[inline]
    pub fn inverse(&self, element: usize) -> usize {
        self.symmetries[element].inverse
    }

    /// The four directions in which `length` cells in a row fit: the distance between neighbours, and
    /// the cells at which such a row can begin.
    #[must_use]
    pub fn directions(&self, length: usize) -> Vec<(u32, Cells)> {
        let (columns, rows) = (self.columns as isize, self.rows as isize);
        let reach = length as isize - 1;
        let mut found = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let mut begins = 0;
            for cell in 0..self.cells() {
                let (x, y) = (cell as isize % columns + dx * reach, cell as isize / columns + dy * reach);
                let row = |i: isize| -> Cells { 1 << (cell as isize + i * (dy * columns + dx)) };
                let fits = (0..columns).contains(&x) && (0..rows).contains(&y);
                if fits && (0..length as isize).all(|i| self.all & row(i) != 0) {
                    begins |= 1 << cell;
                }
            }
            // A single cell is a row in every direction; one is enough.
            if begins != 0 && (length > 1 || found.is_empty()) {
                found.push(((dy * columns + dx) as u32, begins));
            }
        }
        found
    }

    /// Every straight row of `length` cells, as a set.
    #[must_use]
    pub fn windows(&self, length: usize) -> Vec<Cells> {
        let row = |begin: usize, step: u32| (0..length).fold(0, |set, i| set | 1 << (begin + i * step as usize));
        let directions = self.directions(length).into_iter();
        directions.flat_map(|(step, begins)| each_cell(begins).map(move |begin| row(begin, step))).collect()
    }
}

/// The estimated worth to the owner of `own` of rows of `k` that only one side can complete: each stone in a row makes
/// it four times as valuable.
#[must_use]
#[inline]
pub fn open_rows(rows: &[Cells], own: Cells, other: Cells, k: usize) -> i32 {
    let worth = |stones: Cells| match stones.count_ones() as usize {
        0 => 0,
        stones => 400 >> (2 * (k - stones)).min(12),
    };
    let row = |row: &Cells| match (own & row, other & row) {
        (own, 0) => worth(own),
        (0, other) => -worth(other),
        _ => 0,
    };
    rows.iter().map(row).sum::<i32>().clamp(-10_000, 10_000)
}

/// Two sides' stones on a board, placed in turn. Who is to move follows from their number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Stones {
    /// Cells of the first player.
    pub x: Cells,
    /// Cells of the second player.
    pub o: Cells,
}

impl Stones {
    /// The side to move.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Player {
        if (self.x | self.o).count_ones() & 1 == 0 { Player::First } else { Player::Second }
    }

    /// Mover's and opponent's cells.
    #[inline]
    #[must_use]
    pub fn sides(&self) -> (Cells, Cells) {
        match self.turn() {
            Player::First => (self.x, self.o),
            Player::Second => (self.o, self.x),
        }
    }

    /// Rows of `.`, `X` and `O`.
    #[must_use]
    pub fn show(&self, grid: &Grid) -> String {
        grid.show(|cell| match (self.x >> cell & 1, self.o >> cell & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '.',
        })
    }

    /// Reads what [`Stones::show`] writes, and lower case, `0` for O and `-` or `_` for empty. The
    /// numbers must fit: x begins.
    pub fn read(grid: &Grid, text: &str) -> Result<Stones, String> {
        let mut stones = Stones::default();
        let read = grid.read(text, |cell, mark| {
            match mark {
                'X' | 'x' => stones.x |= 1 << cell,
                'O' | 'o' | '0' => stones.o |= 1 << cell,
                _ => return matches!(mark, '.' | '-' | '_'),
            }
            true
        });
        let like = Stones::default().show(grid);
        read.map_err(|shape| format!("expected {shape}; marks are . X O, like {like}"))?;
        let (x, o) = (stones.x.count_ones(), stones.o.count_ones());
        if x != o && x != o + 1 {
            return Err(format!("{x} X and {o} O; x begins, so there must be as many X as O or one more"));
        }
        Ok(stones)
    }
}

/// Parameters `m`, `n`, `k` of a game on m columns and n rows with k in a row: at most 64 cells, and a row
/// that fits.
pub fn board_and_row(params: &Params) -> Result<(usize, usize, usize), GameError> {
    let (m, n, k) = (params.int("m"), params.int("n"), params.int("k"));
    if m * n > 64 {
        return Err(params.error(format!("m·n must be at most 64, not {}", m * n)));
    }
    if k > m.max(n) {
        return Err(params.error(format!("k must be at most the longer side, {}", m.max(n))));
    }
    Ok((m, n, k))
}

fn symmetries(columns: usize, rows: usize) -> Vec<Symmetry> {
    let cells = columns * rows;
    let mut maps: Vec<Vec<u8>> = Vec::new();
    let turns: &[bool] = if columns == rows { &[false, true] } else { &[false] };
    for &transpose in turns {
        for (flip_x, flip_y) in [(false, false), (true, false), (false, true), (true, true)] {
            let to = |cell: usize| {
                let (x, y) = (cell % columns, cell / columns);
                let (x, y) = if transpose { (y, x) } else { (x, y) };
                let x = if flip_x { columns - 1 - x } else { x };
                let y = if flip_y { rows - 1 - y } else { y };
                (y * columns + x) as u8
            };
            let map: Vec<u8> = (0..cells).map(to).collect();
            if !maps.contains(&map) {
                maps.push(map);
            }
        }
    }
    group(&maps)
}

/// A group, given as where each element takes each cell.
pub(crate) fn group(maps: &[Vec<u8>]) -> Vec<Symmetry> {
    let cells = maps[0].len();
    let inverse_of = |map: &[u8]| {
        let undoes = |other: &Vec<u8>| (0..cells).all(|c| usize::from(other[usize::from(map[c])]) == c);
        maps.iter().position(undoes).expect("the symmetries of a board are a group")
    };
    // A byte's cells are its lowest cell and those of the byte without it.
    let images_of = |map: &[u8], base: usize| {
        let mut images = [0; 256];
        for byte in 1..256_usize {
            let cell = base + byte.trailing_zeros() as usize;
            let lowest = map.get(cell).map_or(0, |&to| 1 << to);
            images[byte] = images[byte & (byte - 1)] | lowest;
        }
        images
    };
    let bytes_of = |map: &[u8]| (0..cells.div_ceil(8)).map(|i| images_of(map, 8 * i)).collect();
    let build = |map: &Vec<u8>| Symmetry { to: map.clone(), bytes: bytes_of(map), inverse: inverse_of(map) };
    maps.iter().map(build).collect()
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
    let bit = |x: i32, y: i32| if inside(x, y) { (1 << (y * columns + x)) & grid.all() } else { 0 };
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
                if cells.count_ones() as i32 == k as i32 {
                    found.push(Window { cells, ends, direction: direction as u8, line });
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_the_symmetries_of_their_shape() {
        for (columns, rows, order) in [(3, 3, 8), (8, 8, 8), (4, 3, 4), (5, 1, 2), (1, 1, 1)] {
            assert_eq!(Grid::new(columns, rows).order(), order, "{columns}x{rows}");
        }
    }

    #[test]
    fn sets_move_as_their_cells_do() {
        let grid = Grid::new(5, 4);
        for element in 0..grid.order() {
            for cell in 0..20 {
                assert_eq!(grid.image(element, 1 << cell), 1 << grid.image_of_cell(element, cell));
            }
            assert_eq!(grid.image(element, grid.all()), grid.all());
        }
    }

    #[test]
    fn cell_names_round_trip_and_nothing_else_is_a_name() {
        let grid = Grid::new(3, 4);
        assert_eq!((grid.name(0), grid.name(11)), ("a4".into(), "c1".into()));
        for cell in 0..12 {
            assert_eq!(grid.cell(&grid.name(cell)), Some(cell));
        }
        for wrong in ["", "a", "a0", "a5", "d1", "1a", "a01", "a+1", "é1", "a1 "] {
            assert_eq!(grid.cell(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_board_without_some_cells_has_fewer_rows_and_symmetries() {
        // A ring: each side is the only row of three, and no symmetry is lost. Without a corner two rows remain, and the
        // mirror through that corner.
        let (square, centre, corner) = (Grid::new(3, 3), 1 << 4, 1 << 0);
        for (missing, rows, order) in [(centre, 4, 8), (centre | corner, 2, 2), (corner, 5, 2)] {
            let grid = square.without(missing);
            assert_eq!((grid.windows(3).len(), windows(&grid, 3).len(), grid.order()), (rows, rows, order));
            assert_eq!(grid.all(), 0o777 & !missing);
        }
    }

    #[test]
    fn windows_are_counted() {
        // A 3×3 board has 8 rows of three; 6×6 has 32 windows of five.
        assert_eq!(Grid::new(3, 3).windows(3).len(), 8);
        assert_eq!(Grid::new(6, 6).windows(5).len(), 32);
        assert_eq!(Grid::new(4, 3).windows(1).len(), 12);
    }
}
