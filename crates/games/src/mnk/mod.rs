//! m,n,k games: m columns, n rows, k in a row wins. Tic-tac-toe is `mnk:3,3,3`.

mod evaluate;
mod measures;
#[cfg(test)]
mod oracle;
pub mod singh;
mod vocabulary;

pub use crate::grid::Stones;
use crate::grid::{Cells, Grid, Window, each_cell, windows};
use crate::strategies::{SINGH_OBJECTIVES, SINGH_PROCESS, Shipped};
use agon_core::lines::{CellSet, Line, Lines, MAX_MARKS};
use agon_core::scene::{Scene, Shape, Token, Why};
use agon_core::{
    Acyclic, Alternating, Bounds, Facts, Family, Features, Game, GameError, Guide, Kind, LineGame, Measures, Notation,
    NotationError, Outcome, Params, Player, Ranked, Rng, Strategy, StrategyFacts, Symmetric, Wdl,
};
use std::sync::Arc;

/// The rules for one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mnk {
    grid: Grid,
    k: usize,
    /// Distance between neighbours and the cells where a row can begin, per direction.
    directions: Vec<(u32, Cells)>,
    tables: Arc<Tables>,
}

#[derive(Debug, PartialEq, Eq)]
struct Tables {
    /// Every row of k.
    windows: Vec<Cells>,
    /// For each cell, the rows of k through it.
    rows_through: Vec<Vec<Cells>>,
    /// 3^cell on boards that have ranks.
    digits: Vec<u32>,
    /// The sum of 3^cell over the cells of each byte of a set.
    ternary: Vec<[u32; 256]>,
    /// One bit for each set of cells: whether it holds a row. Empty on larger boards.
    with_row: Vec<u64>,
}

/// Up to this many cells, arrays over all 3^cells boards and all 2^cells sets are small enough.
const RANKED_CELLS: usize = 16;

/// The sets of cells that hold one of the windows: those that do without their lowest cell, and those with
/// a window that begins there.
fn sets_with_row(cells: usize, windows: &[Cells]) -> Vec<u64> {
    let mut bits = vec![0u64; (1usize << cells).div_ceil(64)];
    let begin = |cell: u32| windows.iter().copied().filter(move |w| w.trailing_zeros() == cell).collect();
    let beginning: Vec<Vec<Cells>> = (0..cells as u32).map(begin).collect();
    for set in 1usize..1 << cells {
        let (rest, low) = (set & (set - 1), set.trailing_zeros() as usize);
        let holds = bits[rest / 64] >> (rest % 64) & 1 == 1 || beginning[low].iter().any(|w| set as Cells & w == *w);
        bits[set / 64] |= u64::from(holds) << (set % 64);
    }
    bits
}

impl Mnk {
    /// Board of `m` columns and `n` rows with at most 64 cells, and `k` at most the longer side.
    #[must_use]
    pub fn new(m: usize, n: usize, k: usize) -> Mnk {
        let grid = Grid::new(m, n);
        let windows = grid.windows(k);
        let through = |cell: usize| windows.iter().copied().filter(|row| row >> cell & 1 == 1).collect();
        let ranked = if grid.cells() <= RANKED_CELLS { grid.cells() } else { 0 };
        let digits: Vec<u32> = (0..ranked as u32).map(|cell| 3u32.pow(cell)).collect();
        let digit = |cell: usize| digits.get(cell).copied().unwrap_or(0);
        let sum = |byte: usize, base: usize| each_cell(byte as Cells).map(|bit| digit(base + bit)).sum();
        let tables = Tables {
            rows_through: (0..grid.cells()).map(through).collect(),
            ternary: (0..ranked.div_ceil(8)).map(|i| std::array::from_fn(|byte| sum(byte, 8 * i))).collect(),
            digits: digits.clone(),
            with_row: if ranked > 0 { sets_with_row(ranked, &windows) } else { Vec::new() },
            windows,
        };
        Mnk { directions: grid.directions(k), grid, k, tables: Arc::new(tables) }
    }

    /// The published strategies for this board.
    fn shipped(&self) -> &'static [Shipped] {
        if *self == Mnk::new(3, 3, 3) { &[SINGH_PROCESS, SINGH_OBJECTIVES] } else { &[] }
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The length of a winning row.
    #[must_use]
    pub fn k(&self) -> usize {
        self.k
    }

    #[inline]
    fn empty(&self, pos: &Stones) -> Cells {
        self.grid.all() & !(pos.x | pos.o)
    }

    #[inline]
    fn has_row(&self, cells: Cells) -> bool {
        if let Some(bits) = self.tables.with_row.get((cells / 64) as usize) {
            return bits >> (cells % 64) & 1 == 1;
        }
        self.has_row_by_shifting(cells)
    }

    fn has_row_by_shifting(&self, cells: Cells) -> bool {
        self.directions.iter().any(|&(step, begins)| {
            let mut row = begins & cells;
            let mut shifted = cells;
            for _ in 1..self.k {
                shifted >>= step;
                row &= shifted;
            }
            row != 0
        })
    }

    /// Empty cells that would complete a row of `cells`.
    #[inline]
    fn completing(&self, cells: Cells, empty: Cells) -> Cells {
        let mut found = 0;
        for &(step, begins) in &self.directions {
            for hole in 0..self.k as u32 {
                let others = (0..self.k as u32).filter(|&i| i != hole);
                let row = others.fold(begins, |row, i| row & (cells >> (i * step)));
                found |= row << (hole * step);
            }
        }
        found & empty
    }

    /// Returns whether some row is still free of `cells`.
    #[inline]
    fn row_without(&self, cells: Cells) -> bool {
        let free = !cells;
        let open =
            |&(step, begins): &(u32, Cells)| (0..self.k as u32).fold(begins, |row, i| row & (free >> (i * step)));
        self.directions.iter().any(|direction| open(direction) != 0)
    }

    /// Every cell that belongs to a finished row of `cells`.
    fn rows_of(&self, cells: Cells) -> Cells {
        self.grid.windows(self.k).into_iter().filter(|row| cells & row == *row).fold(0, |all, row| all | row)
    }

    /// The ordering score of a move: the open rows through it, weighted by their stones.
    #[inline]
    fn weight(&self, own: Cells, other: Cells, cell: usize) -> i32 {
        let worth = |row: &Cells| match (own & row, other & row) {
            (mine, 0) => 2 << (2 * mine.count_ones()),
            (0, theirs) => 1 << (2 * theirs.count_ones()),
            _ => 0,
        };
        self.tables.rows_through[cell].iter().map(worth).sum()
    }

    #[inline]
    fn ternary(&self, cells: Cells) -> usize {
        let tables = self.tables.ternary.iter().enumerate();
        tables.map(|(i, table)| table[(cells >> (8 * i)) as usize & 0xff]).sum::<u32>() as usize
    }

    /// Returns whether the stones can have been placed in turn, with no play after a win.
    fn why_impossible(&self, pos: &Stones) -> Option<String> {
        let (mover, last) = pos.sides();
        if self.has_row(mover) {
            let name = self.player_name(self.turn(pos));
            return Some(format!("{name} has {} in a row, yet it would be {name}'s turn", self.k));
        }
        let possible = !self.has_row(last) || each_cell(last).any(|cell| !self.has_row(last & !(1 << cell)));
        (!possible).then(|| "two rows that no single move can have completed".to_string())
    }
}

impl Alternating for Mnk {}

impl Game for Mnk {
    const ALTERNATES: bool = true;

    type Position = Stones;
    type Move = u8;
    type Undo = Stones;

    fn start(&self) -> Stones {
        Stones::default()
    }

    #[inline]
    fn turn(&self, pos: &Stones) -> Player {
        pos.turn()
    }

    #[inline]
    fn outcome(&self, pos: &Stones) -> Option<Outcome> {
        let (turn, last) = match self.turn(pos) {
            Player::First => (Player::First, pos.o),
            Player::Second => (Player::Second, pos.x),
        };
        if self.has_row(last) {
            Some(Outcome::Win(turn.other()))
        } else if self.empty(pos) == 0 {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self, pos: &Stones, each: &mut impl FnMut(u8)) {
        if self.outcome(pos).is_none() {
            each_cell(self.empty(pos)).for_each(|cell| each(cell as u8));
        }
    }

    #[inline]
    fn play(&self, pos: &mut Stones, mv: u8) -> Stones {
        let old = *pos;
        match self.turn(pos) {
            Player::First => pos.x |= 1 << mv,
            Player::Second => pos.o |= 1 << mv,
        }
        old
    }

    #[inline]
    fn undo(&self, pos: &mut Stones, _mv: u8, undo: Stones) {
        *pos = undo;
    }

    #[inline]
    fn count_moves(&self, pos: &Stones) -> usize {
        if self.outcome(pos).is_some() { 0 } else { self.empty(pos).count_ones() as usize }
    }

    #[inline]
    fn random_move(&self, pos: &Stones, rng: &mut Rng) -> Option<u8> {
        if self.outcome(pos).is_some() {
            return None;
        }
        let mut empty = self.empty(pos);
        for _ in 0..rng.below(empty.count_ones() as usize) {
            empty &= empty - 1;
        }
        Some(empty.trailing_zeros() as u8)
    }

    /// Uniformly random moves fill the cells in a uniformly random order, so the order is drawn directly.
    fn playout(&self, pos: Stones, rng: &mut Rng) -> Outcome {
        if let Some(outcome) = self.outcome(&pos) {
            return outcome;
        }
        let (mut cells, mut left) = ([0u8; 64], 0);
        for cell in each_cell(self.empty(&pos)) {
            cells[left] = cell as u8;
            left += 1;
        }
        let mut turn = self.turn(&pos);
        let (mut own, mut other) = pos.sides();
        while left > 0 {
            let drawn = rng.below(left);
            own |= 1 << cells[drawn];
            if self.has_row(own) {
                return Outcome::Win(turn);
            }
            left -= 1;
            cells[drawn] = cells[left];
            (own, other, turn) = (other, own, turn.other());
        }
        Outcome::Draw
    }
}

impl Symmetric for Mnk {
    #[inline]
    fn order(&self) -> usize {
        self.grid.order()
    }

    #[inline]
    fn image(&self, element: usize, pos: &Stones) -> Stones {
        Stones { x: self.grid.image(element, pos.x), o: self.grid.image(element, pos.o) }
    }

    #[inline]
    fn image_of_move(&self, element: usize, mv: u8) -> u8 {
        self.grid.image_of_cell(element, usize::from(mv)) as u8
    }

    #[inline]
    fn inverse(&self, element: usize) -> usize {
        self.grid.inverse(element)
    }
}

impl Acyclic for Mnk {
    #[inline]
    fn height(&self, pos: &Stones) -> u32 {
        self.empty(pos).count_ones()
    }

    /// A draw needs a full board.
    #[inline]
    fn draw_plies(&self, pos: &Stones) -> Option<u32> {
        Some(self.height(pos))
    }
}

impl Ranked for Mnk {
    fn ranks(&self) -> Option<usize> {
        (self.grid.cells() <= RANKED_CELLS).then(|| 3usize.pow(self.grid.cells() as u32))
    }

    #[inline]
    fn rank(&self, pos: &Stones) -> usize {
        self.ternary(pos.x) + 2 * self.ternary(pos.o)
    }

    #[inline]
    fn rank_after(&self, rank: usize, pos: &Stones, mv: u8, _after: &Stones) -> usize {
        rank + ((1 + self.turn(pos) as usize) * self.tables.digits[usize::from(mv)] as usize)
    }

    fn unrank(&self, mut rank: usize) -> Option<Stones> {
        let mut pos = Stones::default();
        for cell in 0..self.grid.cells() {
            match rank % 3 {
                1 => pos.x |= 1 << cell,
                2 => pos.o |= 1 << cell,
                _ => {}
            }
            rank /= 3;
        }
        Some(pos)
    }
}

impl Guide for Mnk {
    /// A side without an open row cannot win.
    #[inline]
    fn bounds(&self, pos: &Stones) -> Bounds {
        let (own, other) = pos.sides();
        Bounds {
            lo: if self.row_without(own) { Wdl::Loss } else { Wdl::Draw },
            hi: if self.row_without(other) { Wdl::Win } else { Wdl::Draw },
        }
    }

    /// Complete a row if possible; else stop the opponent from doing so, since everything else loses at
    /// once; else everything, fullest rows first.
    #[inline]
    fn candidates(&self, pos: &Stones, each: &mut impl FnMut(u8, i32)) {
        let ((own, other), empty) = (pos.sides(), self.empty(pos));
        let wins = self.completing(own, empty);
        if wins != 0 {
            return each(wins.trailing_zeros() as u8, 0);
        }
        let threats = self.completing(other, empty);
        for cell in each_cell(if threats != 0 { threats } else { empty }) {
            each(cell as u8, self.weight(own, other, cell));
        }
    }
}

impl LineGame for Mnk {
    /// The rows of one side, to be completed before they are spoiled. The opponent's own rows are left
    /// out, so that only spoiling proves anything: then that side cannot win.
    fn lines(&self, maker: Player) -> Option<Lines> {
        let row = |w: &Window| Line { mark: 0, want: w.cells, avoid: 0, track: w.line };
        Some(Lines {
            cells: self.grid.cells(),
            marks: 2,
            lines: windows(&self.grid, self.k).iter().map(row).collect(),
            settled: false,
            symmetries: self.grid.maps(),
            alike: false,
            spoiled: Wdl::Draw,
            decides: false,
            maker,
        })
    }

    fn line_marks(&self, pos: &Stones, maker: Player) -> [CellSet; MAX_MARKS] {
        match maker {
            Player::First => [pos.x, pos.o, 0, 0],
            Player::Second => [pos.o, pos.x, 0, 0],
        }
    }

    fn line_move(&self, pos: &Stones, maker: Player, cell: usize, mark: usize) -> Option<u8> {
        ((self.turn(pos) == maker) == (mark == 0)).then_some(cell as u8)
    }

    fn cell_name(&self, cell: usize) -> String {
        self.grid.name(cell)
    }
}

impl Notation for Mnk {
    fn show(&self, pos: &Stones) -> String {
        pos.show(&self.grid)
    }

    fn parse(&self, text: &str) -> Result<Stones, NotationError> {
        let fail = |why: String| NotationError::position(text, why);
        let pos = Stones::read(&self.grid, text).map_err(fail)?;
        match self.why_impossible(&pos) {
            Some(why) => Err(fail(why)),
            None => Ok(pos),
        }
    }

    fn show_move(&self, _pos: &Stones, mv: u8) -> String {
        self.grid.name(usize::from(mv))
    }

    /// Also reads box numbers, 1 at the top left, counted row by row.
    fn parse_move(&self, pos: &Stones, text: &str) -> Result<u8, NotationError> {
        let name = text.trim();
        let numbered = name.bytes().all(|b| b.is_ascii_digit()).then(|| name.parse().ok()).flatten();
        let numbered = numbered.filter(|n| (1..=self.grid.cells()).contains(n)).map(|n| n - 1);
        let cell = self.grid.cell(name).or(numbered);
        if self.outcome(pos).is_some() {
            return Err(NotationError::mv(text, "the play is over"));
        }
        match cell {
            Some(cell) if self.empty(pos) >> cell & 1 == 1 => Ok(cell as u8),
            Some(_) => Err(NotationError::mv(text, format!("that cell is taken; {}", self.legal_moves_text(pos)))),
            None => Err(NotationError::mv(text, self.legal_moves_text(pos))),
        }
    }

    fn end_reason(&self, pos: &Stones) -> &'static str {
        if self.outcome(pos) == Some(Outcome::Draw) { "board full" } else { "line" }
    }

    fn scene(&self, pos: &Stones) -> Scene {
        let mut scene = Scene::grid(self.grid.columns(), self.grid.rows());
        each_cell(pos.x).for_each(|cell| scene.put(cell, Token::new(Shape::Cross, Player::First, 'X')));
        each_cell(pos.o).for_each(|cell| scene.put(cell, Token::new(Shape::Ring, Player::Second, 'O')));
        let decisive = self.rows_of(pos.x) | self.rows_of(pos.o);
        each_cell(decisive).for_each(|cell| scene.mark(cell, Why::Decisive, ""));
        scene
    }

    fn path(&self, _pos: &Stones, mv: u8) -> Vec<usize> {
        vec![usize::from(mv)]
    }

    fn player_name(&self, player: Player) -> String {
        match player {
            Player::First => "x".to_string(),
            Player::Second => "o".to_string(),
        }
    }
}

const SIDE: Kind = Kind::Int(1, 16);

impl Family for Mnk {
    fn facts() -> Facts {
        Facts::new(
            "mnk",
            "m,n,k game",
            "The players take turns to mark an empty cell, x first. The first player with k marks in an unbroken \
             row, column or diagonal wins; a full board without one is a draw.",
        )
        .positional("m", SIDE, "3", "columns (m·n at most 64)")
        .positional("n", SIDE, "3", "rows")
        .positional("k", SIDE, "3", "marks in a row to win")
        .alias("tic-tac-toe", "mnk:3,3,3")
        .alias("noughts-and-crosses", "mnk:3,3,3")
    }

    fn build(params: &Params) -> Result<Mnk, GameError> {
        let (m, n, k) = crate::grid::board_and_row(params)?;
        Ok(Mnk::new(m, n, k))
    }

    fn strategies(&self) -> Vec<StrategyFacts> {
        let general = measures::Objectives::fit(self).then(measures::Objectives::facts);
        self.shipped().iter().map(Shipped::facts).chain(general).collect()
    }

    fn strategy(&self, name: &str, reading: &str) -> Option<Box<dyn Strategy<Mnk>>> {
        if let Some(general) = measures::Objectives::named(self, name, reading) {
            return Some(Box::new(general));
        }
        self.shipped().iter().find(|shipped| shipped.name == name)?.strategy(self, reading)
    }

    fn strategy_text(&self, name: &str) -> Option<&'static str> {
        self.shipped().iter().find(|shipped| shipped.name == name).map(|shipped| shipped.text)
    }

    fn measures(&self, pos: &Stones) -> Option<Measures> {
        self.table_of_solutions(pos)
    }

    fn vocabulary(&self) -> Box<dyn Features<Mnk>> {
        Box::new(vocabulary::MnkFeatures::new(self))
    }

    fn played_out(&self) -> Option<Vec<u64>> {
        Some((1..=self.grid.cells() as u64).rev().collect())
    }
}

#[cfg(test)]
mod tests;
