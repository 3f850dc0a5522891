//! Order and Chaos: both place either mark; Order wants k in a row, Chaos a full board without one.
//!
//! | module | holds |
//! |---|---|
//! | [`lines`] | the rows of k with their ends, and the three ways to read "a row of k" |
//! | [`definitions`] | lengths, extensions and open lines as Castelein's thesis defines them |
//! | [`castelein`] | the strategies of the thesis |
//! | [`lift`] | Lemma 3.1: a strategy for n×n(n) played on (n+2)×(n+2)(n+1) |

pub mod castelein;
pub mod definitions;
mod evaluate;
pub mod lift;
pub mod lines;
mod measures;
mod notation;
#[cfg(test)]
mod oracle;
mod vocabulary;

use crate::grid::{Cells, Grid, Window, each_cell, windows};
use crate::strategies::Shipped;
use agon_core::lines::{CellSet, Frame, Line, Lines, MAX_MARKS};
use agon_core::{
    Acyclic, Alternating, Bounds, Facts, Family, Features, Game, GameError, Guide, Kind, LineGame, Measures, Outcome,
    Params, Player, Ranked, Reduction, Rng, Strategy, StrategyFacts, Symmetric, Wdl,
};
use lines::Row;
use std::sync::Arc;

/// At most this many marks to choose from.
pub const MAX_SYMBOLS: usize = 4;

/// The marks in the order of their numbers.
pub const LETTERS: [char; MAX_SYMBOLS] = ['X', 'O', 'A', 'B'];

/// The cells of each mark. Who is to move follows from their number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Board {
    /// Cells of X, O, A, B.
    pub marks: [Cells; MAX_SYMBOLS],
}

impl Board {
    /// Every cell that holds a mark.
    #[inline]
    #[must_use]
    pub fn filled(&self) -> Cells {
        self.marks[0] | self.marks[1] | self.marks[2] | self.marks[3]
    }

    /// The mark in a cell.
    #[must_use]
    pub fn at(&self, cell: usize) -> Option<usize> {
        self.marks.iter().position(|cells| cells >> cell & 1 == 1)
    }
}

/// A mark put into an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placing {
    /// The cell, row by row from the top left.
    pub cell: u8,
    /// The mark: 0 is X, 1 is O, and so on.
    pub symbol: u8,
}

/// The rules for one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderChaos {
    grid: Grid,
    k: usize,
    symbols: usize,
    order_first: bool,
    row: Row,
    tables: Arc<Tables>,
}

#[derive(Debug, PartialEq, Eq)]
struct Tables {
    windows: Vec<Window>,
    /// For each cell and direction, the windows through it.
    through: Vec<[Vec<Cells>; 4]>,
    directions: Vec<(u32, Cells)>,
    /// Every way to rename the marks: entry `i` is what mark `i` becomes.
    renamings: Vec<[usize; MAX_SYMBOLS]>,
    /// The powers of symbols + 1, while they fit.
    powers: Vec<usize>,
    /// The cells of the board in order, and the place of each cell in that order.
    cells: Vec<u8>,
    order_of: Vec<u8>,
}

/// Arrays over boards have at most this many entries: 3^16.
const MAX_RANKS: usize = 43_046_721;

impl OrderChaos {
    /// Board of `columns` × `rows` with at most 64 cells, k at most the longer side, 1 to 4 marks.
    #[must_use]
    pub fn new(columns: usize, rows: usize, k: usize, symbols: usize, order_first: bool, row: Row) -> OrderChaos {
        OrderChaos::on(Grid::new(columns, rows), k, symbols, order_first, row)
    }

    /// The same on a board of any shape.
    #[must_use]
    pub fn on(grid: Grid, k: usize, symbols: usize, order_first: bool, row: Row) -> OrderChaos {
        assert!((1..=MAX_SYMBOLS).contains(&symbols) && k >= 1);
        let cells: Vec<u8> = each_cell(grid.all()).map(|cell| cell as u8).collect();
        let order_of = |cell: usize| (grid.all() & ((1 << cell) - 1)).count_ones() as u8;
        let order_of = (0..grid.cells()).map(order_of).collect();
        let powers = (0..=cells.len() as u32).map_while(|i| (symbols + 1).checked_pow(i)).collect();
        let windows = windows(&grid, k);
        let through = |cell: usize, direction: usize| {
            let here = windows.iter().filter(|w| usize::from(w.direction) == direction && w.cells >> cell & 1 == 1);
            here.map(|w| w.cells).collect()
        };
        let through = (0..grid.cells()).map(|cell| std::array::from_fn(|d| through(cell, d))).collect();
        let (directions, renamings) = (grid.directions(k), renamings(symbols));
        let tables = Tables { windows, through, directions, renamings, powers, cells, order_of };
        OrderChaos { grid, k, symbols, order_first, row, tables: Arc::new(tables) }
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The length of the row that Order wants.
    #[must_use]
    pub fn k(&self) -> usize {
        self.k
    }

    /// The number of marks to choose from.
    #[must_use]
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// The definition of a row of k.
    #[must_use]
    pub fn row(&self) -> Row {
        self.row
    }

    /// Every straight row of k cells, with its ends.
    #[must_use]
    pub fn windows(&self) -> &[Window] {
        &self.tables.windows
    }

    fn windows_through(&self, cell: usize, direction: definitions::Direction) -> &[Cells] {
        &self.tables.through[cell][direction.number()]
    }

    /// The side that Order plays.
    #[must_use]
    pub fn order(&self) -> Player {
        if self.order_first { Player::First } else { Player::Second }
    }

    /// Returns whether Order moves first.
    #[must_use]
    pub fn order_first(&self) -> bool {
        self.order_first
    }

    /// Returns whether every cell of the rectangle belongs to the board.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.tables.cells.len() == self.grid.cells()
    }

    /// A set of cells in the numbers that lines use.
    fn numbered(&self, cells: Cells) -> CellSet {
        if self.is_whole() {
            return cells;
        }
        each_cell(cells).fold(0, |set, cell| set | 1 << self.tables.order_of[cell])
    }

    /// The cells without a mark.
    #[must_use]
    pub fn empty(&self, pos: &Board) -> Cells {
        self.grid.all() & !pos.filled()
    }

    /// Returns whether the board holds a row as the rule wants it, full or not.
    #[inline]
    #[must_use]
    pub fn in_order(&self, pos: &Board) -> bool {
        let marks = &pos.marks[..self.symbols];
        match self.row {
            Row::AtLeast => marks.iter().any(|&cells| self.has_run(cells)),
            Row::Exact | Row::ExactFinal => {
                marks.iter().any(|&cells| self.has_run(cells) && self.tables.windows.iter().any(|w| w.is_exact(cells)))
            }
        }
    }

    fn has_run(&self, cells: Cells) -> bool {
        self.tables.directions.iter().any(|&(step, begins)| {
            let (mut row, mut shifted) = (begins & cells, cells);
            for _ in 1..self.k {
                shifted >>= step;
                row &= shifted;
            }
            row != 0
        })
    }

    /// The cells of every row that decided the play.
    fn decisive(&self, pos: &Board) -> Cells {
        let counts = |w: &&Window, cells| match self.row {
            Row::AtLeast => cells & w.cells == w.cells,
            _ => w.is_exact(cells),
        };
        let of = |&cells: &Cells| self.windows().iter().filter(|w| counts(w, cells)).fold(0, |all, w| all | w.cells);
        pos.marks.iter().map(of).fold(0, |all, row| all | row)
    }

    /// Returns whether some row can still come about.
    fn open_row(&self, pos: &Board) -> bool {
        let filled = pos.filled();
        let open =
            |w: &Window, own: Cells| w.cells & filled & !own == 0 && (self.row == Row::AtLeast || w.ends & own == 0);
        pos.marks[..self.symbols].iter().any(|&own| self.windows().iter().any(|w| open(w, own)))
    }

    /// The reason why no play leads to these marks, if none does.
    fn why_impossible(&self, pos: &Board) -> Option<String> {
        if self.row == Row::ExactFinal || !self.in_order(pos) {
            return None;
        }
        let without = |cell: usize| {
            let mut before = *pos;
            before.marks.iter_mut().for_each(|cells| *cells &= !(1 << cell));
            before
        };
        let possible = each_cell(pos.filled()).any(|cell| !self.in_order(&without(cell)));
        (!possible).then(|| format!("there was a row of {} before the last move, whichever it was", self.k))
    }
}

/// The board without the cells that the parameters name.
fn missing(whole: &Grid, params: &Params) -> Result<Grid, GameError> {
    let mut missing = 0;
    for name in params.text("without").split('+').filter(|name| !name.is_empty()) {
        let cell = whole.cell(name.trim());
        let wrong = || params.error(format!("`{}` is not a cell of the board", agon_core::family::shorten(name)));
        missing |= 1 << cell.ok_or_else(wrong)?;
    }
    if missing == whole.all() {
        return Err(params.error("the board must have a cell"));
    }
    Ok(whole.without(missing))
}

/// Every permutation of the first `symbols` marks, the identity first.
fn renamings(symbols: usize) -> Vec<[usize; MAX_SYMBOLS]> {
    let mut all = vec![std::array::from_fn(|i| i)];
    for at in 0..symbols {
        for i in 0..all.len() {
            for other in at + 1..symbols {
                let mut swapped: [usize; MAX_SYMBOLS] = all[i];
                swapped.swap(at, other);
                all.push(swapped);
            }
        }
    }
    all
}

impl Alternating for OrderChaos {}

impl Game for OrderChaos {
    const ALTERNATES: bool = true;

    type Position = Board;
    type Move = Placing;
    type Undo = Board;

    fn start(&self) -> Board {
        Board::default()
    }

    #[inline]
    fn turn(&self, pos: &Board) -> Player {
        if pos.filled().count_ones() & 1 == 0 { Player::First } else { Player::Second }
    }

    #[inline]
    fn outcome(&self, pos: &Board) -> Option<Outcome> {
        let full = self.empty(pos) == 0;
        if (full || self.row != Row::ExactFinal) && self.in_order(pos) {
            Some(Outcome::Win(self.order()))
        } else {
            full.then(|| Outcome::Win(self.order().other()))
        }
    }

    fn moves(&self, pos: &Board, each: &mut impl FnMut(Placing)) {
        if self.outcome(pos).is_none() {
            for cell in each_cell(self.empty(pos)) {
                (0..self.symbols).for_each(|symbol| each(Placing { cell: cell as u8, symbol: symbol as u8 }));
            }
        }
    }

    #[inline]
    fn play(&self, pos: &mut Board, mv: Placing) -> Board {
        let old = *pos;
        pos.marks[usize::from(mv.symbol)] |= 1 << mv.cell;
        old
    }

    fn undo(&self, pos: &mut Board, _mv: Placing, undo: Board) {
        *pos = undo;
    }

    fn count_moves(&self, pos: &Board) -> usize {
        if self.outcome(pos).is_some() { 0 } else { self.empty(pos).count_ones() as usize * self.symbols }
    }

    fn random_move(&self, pos: &Board, rng: &mut Rng) -> Option<Placing> {
        if self.outcome(pos).is_some() {
            return None;
        }
        let mut empty = self.empty(pos);
        let chosen = rng.below(empty.count_ones() as usize * self.symbols);
        for _ in 0..chosen / self.symbols {
            empty &= empty - 1;
        }
        Some(Placing { cell: empty.trailing_zeros() as u8, symbol: (chosen % self.symbols) as u8 })
    }
}

/// An element is a symmetry of the board and a renaming of the marks.
impl Symmetric for OrderChaos {
    fn order(&self) -> usize {
        self.grid.order() * self.tables.renamings.len()
    }

    fn image(&self, element: usize, pos: &Board) -> Board {
        let renaming = &self.tables.renamings[element / self.grid.order()];
        let mut image = Board::default();
        for (symbol, &cells) in pos.marks.iter().enumerate() {
            image.marks[renaming[symbol]] = self.grid.image(element % self.grid.order(), cells);
        }
        image
    }

    fn image_of_move(&self, element: usize, mv: Placing) -> Placing {
        let renaming = &self.tables.renamings[element / self.grid.order()];
        let cell = self.grid.image_of_cell(element % self.grid.order(), usize::from(mv.cell));
        Placing { cell: cell as u8, symbol: renaming[usize::from(mv.symbol)] as u8 }
    }

    fn inverse(&self, element: usize) -> usize {
        let renamings = &self.tables.renamings;
        let there = &renamings[element / self.grid.order()];
        let back = renamings.iter().position(|back| (0..MAX_SYMBOLS).all(|i| back[there[i]] == i));
        let back = back.expect("the renamings are a group");
        back * self.grid.order() + self.grid.inverse(element % self.grid.order())
    }
}

impl Acyclic for OrderChaos {
    fn height(&self, pos: &Board) -> u32 {
        self.empty(pos).count_ones()
    }
}

impl Ranked for OrderChaos {
    fn ranks(&self) -> Option<usize> {
        self.tables.powers.get(self.tables.cells.len()).copied().filter(|&ranks| ranks <= MAX_RANKS)
    }

    /// Base symbols + 1, one digit per cell: every move makes it larger.
    fn rank(&self, pos: &Board) -> usize {
        let marks = pos.marks.iter().enumerate();
        let power = |cell: usize| self.tables.powers[usize::from(self.tables.order_of[cell])];
        marks.map(|(i, &cells)| (i + 1) * each_cell(cells).map(power).sum::<usize>()).sum()
    }

    fn unrank(&self, mut rank: usize) -> Option<Board> {
        let mut pos = Board::default();
        for &cell in &self.tables.cells {
            if let Some(symbol) = (rank % (self.symbols + 1)).checked_sub(1) {
                pos.marks[symbol] |= 1 << cell;
            }
            rank /= self.symbols + 1;
        }
        Some(pos)
    }
}

impl Guide for OrderChaos {
    /// Without an open row Chaos has won, however the rest is filled.
    fn bounds(&self, pos: &Board) -> Bounds {
        if self.open_row(pos) {
            return Bounds::UNKNOWN;
        }
        Bounds::exactly(if self.turn(pos) == self.order() { Wdl::Loss } else { Wdl::Win })
    }
}

/// Lines number the cells of the board alone, so a board with missing cells has fewer.
impl LineGame for OrderChaos {
    fn lines(&self, maker: Player) -> Option<Lines> {
        let exact = self.row != Row::AtLeast;
        let line = |w: &Window, mark: usize| Line {
            mark: mark as u8,
            want: self.numbered(w.cells),
            avoid: if exact { self.numbered(w.ends) } else { 0 },
            track: w.line,
        };
        let lines = self.windows().iter().flat_map(|w| (0..self.symbols).map(move |mark| line(w, mark)));
        let (cells, order_of) = (&self.tables.cells, &self.tables.order_of);
        let symmetry =
            |map: &Vec<u8>| cells.iter().map(|&cell| order_of[usize::from(map[usize::from(cell)])]).collect();
        (maker == self.order()).then(|| Lines {
            cells: cells.len(),
            marks: self.symbols,
            lines: lines.collect(),
            settled: self.row == Row::ExactFinal,
            symmetries: self.grid.maps().iter().map(symmetry).collect(),
            alike: true,
            spoiled: Wdl::Loss,
            decides: true,
            maker,
        })
    }

    fn line_marks(&self, pos: &Board, _maker: Player) -> [CellSet; MAX_MARKS] {
        pos.marks.map(|cells| self.numbered(cells))
    }

    fn line_move(&self, _pos: &Board, _maker: Player, cell: usize, mark: usize) -> Option<Placing> {
        Some(Placing { cell: self.tables.cells[cell], symbol: mark as u8 })
    }

    fn cell_name(&self, cell: usize) -> String {
        self.grid.name(usize::from(self.tables.cells[cell]))
    }

    /// Lemma 3.1 of the thesis.
    fn frame(&self) -> Option<Frame<OrderChaos>> {
        lift::frame(self)
    }
}

impl Family for OrderChaos {
    fn facts() -> Facts {
        Facts::new(
            "order-chaos",
            "Order and Chaos",
            "Both players put any mark into an empty cell. Order wins when k equal marks stand in an unbroken \
             row, column or diagonal, no matter who placed them; Chaos wins when the board is full without such a \
             row.",
        )
        .positional("board", Kind::Size(1, 8), "6x6", "columns x rows")
        .keyed("k", Kind::Int(1, 8), "5", "marks in a row")
        .keyed("symbols", Kind::Int(1, 4), "2", "marks to choose from")
        .keyed("first", Kind::words(&["order", "chaos"]), "order", "which side moves first")
        .keyed(
            "row",
            Kind::words(&["atleast", "exact", "exact-final"]),
            "atleast",
            "k or more; exactly k, at once; exactly k, on the full board",
        )
        .keyed("without", Kind::text("cells joined by +"), "", "cells that the board lacks, like a1+f6")
        .alias("ordo", "order-chaos:6x6")
        .alias("order-and-chaos", "order-chaos:6x6")
    }

    fn build(params: &Params) -> Result<OrderChaos, GameError> {
        let ((columns, rows), k) = (params.size("board"), params.int("k"));
        if k > columns.max(rows) {
            return Err(params.error(format!("k must be at most the longer side, {}", columns.max(rows))));
        }
        let row = Row::from_name(params.text("row")).ok_or_else(|| params.error("row must be a known rule"))?;
        let grid = missing(&Grid::new(columns, rows), params)?;
        Ok(OrderChaos::on(grid, k, params.int("symbols"), params.text("first") == "order", row))
    }

    /// The missing cells are named once each, in order.
    fn from_spelling(given: &str) -> Result<(OrderChaos, String), GameError> {
        let facts = OrderChaos::facts();
        let params = Params::parse(&facts, given, agon_core::family::split_spelling(given).1)?;
        let game = OrderChaos::build(&params)?;
        let grid = game.grid();
        let whole = Grid::new(grid.columns(), grid.rows()).all();
        let names: Vec<String> = each_cell(whole & !grid.all()).map(|cell| grid.name(cell)).collect();
        let spelling = params.with("without", &names.join("+")).spelling(&facts);
        Ok((game, spelling))
    }

    fn strategies(&self) -> Vec<StrategyFacts> {
        castelein::offered(self).iter().map(Shipped::facts).collect()
    }

    fn strategy_text(&self, name: &str) -> Option<&'static str> {
        castelein::offered(self).iter().find(|shipped| shipped.name == name).map(|shipped| shipped.text)
    }

    fn measures(&self, pos: &Board) -> Option<Measures> {
        Some(self.lengths_and_lines(pos))
    }

    fn vocabulary(&self) -> Box<dyn Features<OrderChaos>> {
        Box::new(vocabulary::OrderChaosFeatures::new(self))
    }

    fn strategy(&self, name: &str, reading: &str) -> Option<Box<dyn Strategy<OrderChaos>>> {
        castelein::strategy(self, name, reading)
    }

    fn reduction(&self, name: &str, reading: &str) -> Option<Reduction<OrderChaos>> {
        castelein::reduction(self, name, reading)
    }

    fn played_out(&self) -> Option<Vec<u64>> {
        Some((1..=self.tables.cells.len() as u64).rev().map(|empty| empty * self.symbols as u64).collect())
    }
}

#[cfg(test)]
mod tests;
