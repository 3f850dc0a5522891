//! Drop games: m columns, n rows, k in a row wins, and a mark falls to the lowest empty cell of its
//! column. Connect Four is `drop:7,6,4`.

use crate::grid::{Cells, Grid, Stones, each_cell, open_rows};
use crate::layout;
use crate::rack::Rack;
use agon_core::features::{Features, Layout, Placing};
use agon_core::lines::{CellSet, MAX_MARKS};
use agon_core::scene::{Board, Scene, Shape, Token, Why, column_label};
use agon_core::{
    Acyclic, Alternating, Evaluate, Facts, Family, Game, GameError, Guide, Kind, Notation, NotationError, Outcome,
    Params, Player, Rng, Symmetric,
};
use std::sync::Arc;

/// The rules for one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drop {
    grid: Grid,
    k: usize,
    directions: Vec<(u32, Cells)>,
    /// Every row of k.
    rows: Arc<[Cells]>,
    /// The mirror, as an element of the board's symmetries; `None` for a single column.
    mirror: Option<usize>,
}

impl Drop {
    /// Board of `m` columns and `n` rows with at most 64 cells.
    #[must_use]
    pub fn new(m: usize, n: usize, k: usize) -> Drop {
        let grid = Grid::new(m, n);
        let swaps_sides = |&e: &usize| (0..m * n).all(|c| grid.image_of_cell(e, c) == c / m * m + (m - 1 - c % m));
        let mirror = (1..grid.order()).find(swaps_sides);
        Drop { directions: grid.directions(k), rows: grid.windows(k).into(), grid, k, mirror }
    }

    /// The same game in the form of a quick search; `None` if the board is too large for it.
    #[must_use]
    pub fn rack(&self) -> Option<Rack> {
        Rack::new(self.grid.columns(), self.grid.rows(), self.k)
    }

    /// The cell into which a mark in `column` falls.
    fn landing(&self, pos: &Stones, column: usize) -> Option<usize> {
        let taken = pos.x | pos.o;
        let cells = (0..self.grid.rows()).rev().map(|y| y * self.grid.columns() + column);
        cells.into_iter().find(|cell| taken >> cell & 1 == 0)
    }

    #[inline]
    fn has_row(&self, cells: Cells) -> bool {
        let run =
            |&(step, begins): &(u32, Cells)| (0..self.k as u32).fold(begins, |row, i| row & (cells >> (i * step)));
        self.directions.iter().any(|direction| run(direction) != 0)
    }

    fn each_landing(&self, pos: &Stones) -> impl Iterator<Item = (u8, usize)> {
        (0..self.grid.columns()).filter_map(|column| Some((column as u8, self.landing(pos, column)?)))
    }

    /// Returns whether the men can have been dropped in turn, with no play after a win.
    fn why_impossible(&self, pos: &Stones) -> Option<String> {
        let taken = pos.x | pos.o;
        let below = self.grid.all() >> self.grid.columns();
        if let Some(cell) = each_cell(taken & below).find(|cell| taken >> (cell + self.grid.columns()) & 1 == 0) {
            return Some(format!("the piece on {} has an empty cell below it", self.grid.name(cell)));
        }
        (!self.can_have_been_played(pos)).then(|| "no order of play leads there".to_string())
    }

    /// Takes back, from the top of some column, a man of the side that moved last, never over a finished
    /// row, until the board is empty. When that takes too long to find out, the position is believed.
    fn can_have_been_played(&self, pos: &Stones) -> bool {
        const LONGEST: usize = 1 << 12;
        let mut seen = std::collections::HashSet::new();
        let mut todo = vec![*pos];
        while let Some(now) = todo.pop() {
            if now == Stones::default() || seen.len() > LONGEST {
                return true;
            }
            let (mover, last) = now.sides();
            if self.has_row(mover) {
                continue;
            }
            for column in 0..self.grid.columns() {
                let top = self.landing(&now, column).map_or(column, |cell| cell + self.grid.columns());
                if top >= self.grid.cells() || last >> top & 1 == 0 {
                    continue;
                }
                let before = Stones { x: now.x & !(1 << top), o: now.o & !(1 << top) };
                if !self.has_row(last & !(1 << top)) && seen.insert(before) {
                    todo.push(before);
                }
            }
        }
        false
    }
}

impl Alternating for Drop {}

impl Game for Drop {
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
        let (_, last) = pos.sides();
        if self.has_row(last) {
            Some(Outcome::Win(self.turn(pos).other()))
        } else {
            (pos.x | pos.o == self.grid.all()).then_some(Outcome::Draw)
        }
    }

    #[inline]
    fn moves(&self, pos: &Stones, each: &mut impl FnMut(u8)) {
        if self.outcome(pos).is_none() {
            self.each_landing(pos).for_each(|(column, _)| each(column));
        }
    }

    #[inline]
    fn play(&self, pos: &mut Stones, mv: u8) -> Stones {
        let old = *pos;
        let cell = self.landing(pos, usize::from(mv)).expect("a legal move has room");
        match self.turn(pos) {
            Player::First => pos.x |= 1 << cell,
            Player::Second => pos.o |= 1 << cell,
        }
        old
    }

    #[inline]
    fn undo(&self, pos: &mut Stones, _mv: u8, undo: Stones) {
        *pos = undo;
    }

    /// Keeps the next free cell of each column that is not full.
    fn playout(&self, pos: Stones, rng: &mut Rng) -> Outcome {
        if let Some(outcome) = self.outcome(&pos) {
            return outcome;
        }
        let (mut next, mut open) = ([0u8; 16], 0);
        for (_, cell) in self.each_landing(&pos) {
            next[open] = cell as u8;
            open += 1;
        }
        let (mut turn, columns) = (self.turn(&pos), self.grid.columns() as u8);
        let (mut own, mut other) = pos.sides();
        while open > 0 {
            let drawn = rng.below(open);
            let cell = next[drawn];
            own |= 1 << cell;
            if self.has_row(own) {
                return Outcome::Win(turn);
            }
            if cell >= columns {
                next[drawn] = cell - columns;
            } else {
                open -= 1;
                next[drawn] = next[open];
            }
            (own, other, turn) = (other, own, turn.other());
        }
        Outcome::Draw
    }
}

impl Symmetric for Drop {
    fn order(&self) -> usize {
        1 + usize::from(self.mirror.is_some())
    }

    #[inline]
    fn image(&self, element: usize, pos: &Stones) -> Stones {
        match self.mirror.filter(|_| element == 1) {
            Some(mirror) => Stones { x: self.grid.image(mirror, pos.x), o: self.grid.image(mirror, pos.o) },
            None => *pos,
        }
    }

    fn image_of_move(&self, element: usize, mv: u8) -> u8 {
        if element == 1 { self.grid.columns() as u8 - 1 - mv } else { mv }
    }

    fn inverse(&self, element: usize) -> usize {
        element
    }
}

impl Acyclic for Drop {
    #[inline]
    fn height(&self, pos: &Stones) -> u32 {
        (self.grid.all() & !(pos.x | pos.o)).count_ones()
    }

    fn draw_plies(&self, pos: &Stones) -> Option<u32> {
        Some(self.height(pos))
    }
}

impl Guide for Drop {
    /// Win if possible, else stop the opponent from winning, else the middle first.
    #[inline]
    fn candidates(&self, pos: &Stones, each: &mut impl FnMut(u8, i32)) {
        let (own, other) = pos.sides();
        let completes = |cells: Cells| self.each_landing(pos).find(|(_, cell)| self.has_row(cells | 1 << cell));
        if let Some((column, _)) = completes(own).or_else(|| completes(other)) {
            return each(column, 0);
        }
        let middle = self.grid.columns() as i32 - 1;
        self.each_landing(pos).for_each(|(column, _)| each(column, -(2 * i32::from(column) - middle).abs()));
    }
}

impl Evaluate for Drop {
    fn evaluate(&self, pos: &Stones) -> i32 {
        let (own, other) = pos.sides();
        open_rows(&self.rows, own, other, self.k)
    }

    fn immediate_win(&self, pos: &mut Stones) -> Option<u8> {
        let own = pos.sides().0;
        self.each_landing(pos).find(|(_, cell)| self.has_row(own | 1 << cell)).map(|(column, _)| column)
    }

    fn in_danger(&self, pos: &mut Stones) -> bool {
        let other = pos.sides().1;
        self.each_landing(pos).any(|(_, cell)| self.has_row(other | 1 << cell))
    }
}

impl Notation for Drop {
    fn show(&self, pos: &Stones) -> String {
        pos.show(&self.grid)
    }

    fn parse(&self, text: &str) -> Result<Stones, NotationError> {
        let pos = Stones::read(&self.grid, text).map_err(|why| NotationError::position(text, why))?;
        match self.why_impossible(&pos) {
            Some(why) => Err(NotationError::position(text, why)),
            None => Ok(pos),
        }
    }

    fn show_move(&self, _pos: &Stones, mv: u8) -> String {
        column_label(usize::from(mv)).to_string()
    }

    /// Also reads the number of a column, 1 at the left.
    fn parse_move(&self, pos: &Stones, text: &str) -> Result<u8, NotationError> {
        let (name, moves) = (text.trim(), agon_core::collect_moves(self, pos));
        let called = |mv: u8| name.eq_ignore_ascii_case(&self.show_move(pos, mv)) || name == (mv + 1).to_string();
        if let Some(mv) = moves.iter().copied().find(|&mv| called(mv)) {
            return Ok(mv);
        }
        let column = (0..self.grid.columns() as u8).find(|&mv| called(mv)).filter(|_| !moves.is_empty());
        let legal = self.legal_moves_text(pos);
        let why = column.map_or(legal.clone(), |mv| format!("column {} is full; {legal}", self.show_move(pos, mv)));
        Err(NotationError::mv(text, why))
    }

    /// On boards of up to nine columns, a word of digits is one move for each digit: `4455`.
    fn split_moves(&self, text: &str) -> Vec<String> {
        let digits = |word: &str| self.grid.columns() <= 9 && word.bytes().all(|byte| byte.is_ascii_digit());
        let each = |word: &str| match digits(word) {
            true => word.chars().map(String::from).collect(),
            false => vec![word.to_string()],
        };
        text.split_whitespace().flat_map(each).collect()
    }

    fn end_reason(&self, pos: &Stones) -> &'static str {
        if self.outcome(pos) == Some(Outcome::Draw) { "board full" } else { "line" }
    }

    fn scene(&self, pos: &Stones) -> Scene {
        let mut scene = Scene::grid(self.grid.columns(), self.grid.rows());
        scene.board = Board::Rack;
        for (cells, owner, letter) in [(pos.x, Player::First, 'X'), (pos.o, Player::Second, 'O')] {
            each_cell(cells).for_each(|cell| scene.put(cell, Token::new(Shape::Disc, owner, letter)));
            for row in self.grid.windows(self.k).into_iter().filter(|row| cells & row == *row) {
                each_cell(row).for_each(|cell| scene.mark(cell, Why::Decisive, ""));
            }
        }
        scene
    }

    fn path(&self, pos: &Stones, mv: u8) -> Vec<usize> {
        self.landing(pos, usize::from(mv)).into_iter().collect()
    }

    fn player_name(&self, player: Player) -> String {
        ["x", "o"][player as usize].to_string()
    }
}

const SIDE: Kind = Kind::Int(1, 16);

impl Family for Drop {
    fn facts() -> Facts {
        Facts::new(
            "drop",
            "Drop game",
            "The players take turns to drop a piece into a column, where it falls to the lowest empty cell, x \
             first. The first player with k pieces in an unbroken row, column or diagonal wins; a full board \
             without one is a draw.",
        )
        .positional("m", SIDE, "7", "columns (m·n at most 64)")
        .positional("n", SIDE, "6", "rows")
        .positional("k", SIDE, "4", "pieces in a row to win")
        .alias("connect-four", "drop:7,6,4")
        .alias("connect-4", "drop:7,6,4")
    }

    fn build(params: &Params) -> Result<Drop, GameError> {
        let (m, n, k) = crate::grid::board_and_row(params)?;
        Ok(Drop::new(m, n, k))
    }

    fn vocabulary(&self) -> Box<dyn Features<Drop>> {
        Box::new(DropFeatures { boards: vec![layout::layout(&self.grid, self.k)] })
    }
}

/// The features for strategies written as text.
struct DropFeatures {
    boards: Vec<Layout>,
}

impl Features<Drop> for DropFeatures {
    fn boards(&self) -> &[Layout] {
        &self.boards
    }

    fn marks(&self, _: &Drop, pos: &Stones) -> [CellSet; MAX_MARKS] {
        [pos.x, pos.o, 0, 0]
    }

    fn placing(&self, game: &Drop, pos: &Stones, mv: u8) -> Placing {
        let cell = game.landing(pos, usize::from(mv)).map(|cell| cell as u8);
        Placing { cell, mark: pos.turn() as u8, ..Placing::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::laws;

    #[test]
    fn laws_hold_on_boards_of_every_shape() {
        for (m, n, k) in [(7, 6, 4), (4, 4, 3), (1, 5, 3), (8, 1, 3), (5, 5, 4)] {
            let game = Drop::new(m, n, k);
            laws::check(&game, 15, 1);
            laws::alternating(&game, 15, 1);
            laws::evaluation(&game, 15, 1);
            laws::order(&game, 15, 1);
        }
    }

    #[test]
    fn columns_are_read_as_letters_or_digits_and_written_as_letters() {
        let game = Drop::new(7, 6, 4);
        assert_eq!(game.split_moves(" 4455 d 1"), ["4", "4", "5", "5", "d", "1"]);
        assert_eq!(Drop::new(10, 6, 4).split_moves("10 4"), ["10", "4"]);
        let mv = game.parse_move(&game.start(), "4").unwrap();
        assert_eq!(game.show_move(&game.start(), mv), "d");
        assert!(game.parse_move(&game.start(), "8").is_err() && game.parse_move(&game.start(), "0").is_err());
    }

    #[test]
    fn impossible_positions_say_why() {
        let game = Drop::new(3, 3, 3);
        for (text, why) in [
            ("X../.../...", "the piece on a3 has an empty cell below it"),
            ("XX./OOX/XOX", "5 X and 3 O; x begins, so there must be as many X as O or one more"),
            ("O../O../X..", "1 X and 2 O; x begins, so there must be as many X as O or one more"),
            ("X../O../O.X", "no order of play leads there"),
            ("XXX", "expected 3 rows of 3, not 1; marks are . X O, like .../.../..."),
        ] {
            assert_eq!(game.parse(text).map_err(|e| e.why().to_string()), Err(why.to_string()), "{text}");
        }
        assert!(game.parse("O../X../XOX").is_ok());
    }
}
