//! Tak: build a road across the board with flat stones, walls and capstones.
//!
//! | module | what it holds |
//! |---|---|
//! | [`position`] | stacks, bitboards, reserves, the incremental hash |
//! | [`moves`] | moves in a word; listing, counting and choosing them |
//! | `past` | what a draw rule remembers |
//! | [`tps`] | positions and moves as text (TPS and PTN), and the picture |
//! | [`ptn`] | whole games as text |
//! | [`forcing`] | immediate wins and keys, for searches |
//! | [`evaluate`] | evaluation and move ordering |
//! | [`features`], [`weights`] | the features of the evaluation, and their weights |
//! | [`roads`] | roads to be completed at once, and how far off the others are |
//! | [`weighted`] | random moves that favour placing |
//! | [`branching`] | positions with the most and the fewest moves |
//! | [`counts`] | upper bounds and first-move counts as exact integers |
//!
//! A finished play is one with a road, an empty reserve or a full board, tested in this order; a road of
//! both sides belongs to the side that moved.

pub mod branching;
pub mod counts;
pub mod evaluate;
pub mod features;
pub mod forcing;
pub mod moves;
mod past;
pub mod position;
pub mod ptn;
pub mod roads;
pub mod setup;
#[cfg(test)]
mod tests;
pub mod tps;
pub mod weighted;
pub mod weights;

use crate::grid::{Cells, Grid};
use agon_core::{
    Alternating, Facts, Family, Game, GameError, Kind, Outcome, Params, Player, Rng, Symmetric, family::split_spelling,
};
pub use moves::Move;
use moves::Rays;
use past::Past;
use position::{BLACK_TO_MOVE, EMPTY, height};
pub use position::{Piece, Position};
use std::fmt::Write as _;
use std::sync::Arc;

/// When play without an end is a draw. The printed rules have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawRule {
    /// Never.
    None,
    /// At the third occurrence of a position.
    Threefold,
    /// After fifty plies without a placement or a crush.
    Fifty,
}

impl DrawRule {
    /// As it stands at the end of a spelling.
    #[must_use]
    pub fn parameter(self) -> &'static str {
        match self {
            DrawRule::None => "",
            DrawRule::Threefold => ",draw=threefold",
            DrawRule::Fifty => ",draw=fifty",
        }
    }
}

/// Plies without a placement or a crush after which [`DrawRule::Fifty`] ends the play.
const FIFTY: u32 = 50;

/// The rules for one board.
#[derive(Clone, Debug)]
pub struct Tak {
    grid: Grid,
    pub(crate) rays: Arc<Rays>,
    /// Stones that may be picked up at once.
    pub(crate) carry: usize,
    flats: u8,
    capstones: u8,
    half_komi: i32,
    swap: bool,
    draw: DrawRule,
    /// For each symmetry, where each direction goes.
    turned: Vec<[u8; 4]>,
    /// Parts of the board that players tell apart.
    pub(crate) shape: Arc<features::Shape>,
    /// The weights of the evaluation's features.
    pub(crate) weights: Arc<evaluate::FeatureWeights>,
}

/// The data that `undo` needs besides the move.
#[derive(Debug)]
pub struct Undo {
    tops: [Cells; 2],
    walls: Cells,
    caps: Cells,
    tall: Cells,
    hash: u64,
    past: Past,
}

/// The reserves of Table 2.1 by the side of the board: stones and capstones.
const RESERVES: [(u8, u8); 9] = [(10, 0), (10, 0), (10, 0), (10, 0), (15, 0), (21, 1), (30, 1), (40, 2), (50, 2)];

impl Tak {
    /// A board of `columns` × `rows` (1 to 8 each) with the usual reserves, the usual opening, no komi
    /// and no draw rule. A board that is not square has the reserves of the smallest square with as many
    /// squares.
    #[must_use]
    pub fn new(columns: usize, rows: usize) -> Tak {
        assert!((1..=8).contains(&columns) && (1..=8).contains(&rows));
        let side = (1..=8).find(|s| s * s >= columns * rows).unwrap_or(8);
        let grid = Grid::new(columns, rows);
        let turned = (0..grid.order()).map(|element| turned(&grid, element)).collect();
        Tak {
            rays: Rays::shared(columns, rows),
            carry: columns.min(rows),
            grid,
            flats: RESERVES[side].0,
            capstones: RESERVES[side].1,
            half_komi: 0,
            swap: true,
            draw: DrawRule::None,
            turned,
            shape: Arc::new(features::Shape::new(columns, rows)),
            weights: Arc::new(evaluate::FeatureWeights::of_board(columns.min(rows))),
        }
    }

    /// The same board with other reserves; at most 63 pieces a side.
    #[must_use]
    pub fn with_reserves(mut self, flats: u8, capstones: u8) -> Tak {
        assert!((1..=63).contains(&(flats + capstones)));
        (self.flats, self.capstones) = (flats, capstones);
        self
    }

    /// Black's compensation in the flat count, in halves.
    #[must_use]
    pub fn with_half_komi(mut self, half_komi: i32) -> Tak {
        self.half_komi = half_komi;
        self
    }

    /// Returns whether the first two plies place a flat of the opponent.
    #[must_use]
    pub fn with_swap(mut self, swap: bool) -> Tak {
        self.swap = swap;
        self
    }

    /// Another draw rule.
    #[must_use]
    pub fn with_draw(mut self, draw: DrawRule) -> Tak {
        self.draw = draw;
        self
    }

    /// When play without an end is a draw.
    #[must_use]
    pub fn draw_rule(&self) -> DrawRule {
        self.draw
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Stones and capstones of a side at the start.
    #[must_use]
    pub fn reserves(&self) -> (u8, u8) {
        (self.flats, self.capstones)
    }

    /// Returns whether the mover places a flat of the opponent: nothing on the board and White to move, or one
    /// piece and Black to move.
    #[inline]
    #[must_use]
    pub fn is_opening(&self, pos: &Position) -> bool {
        let left = u32::from(pos.flats[0]) + u32::from(pos.flats[1]);
        self.swap
            && 2 * u32::from(self.flats) - left == u32::from(pos.turn)
            && pos.occupied().count_ones() == u32::from(pos.turn)
    }

    /// Returns whether that side has a road.
    #[inline]
    #[must_use]
    pub fn has_road(&self, pos: &Position, side: usize) -> bool {
        let cells = pos.road_squares(side);
        cells.count_ones() as usize >= self.carry && self.rays.is_road(cells)
    }

    /// Returns whether that side has a road from left to right, and one from top to bottom.
    #[must_use]
    pub fn road_ways(&self, pos: &Position, side: Player) -> (bool, bool) {
        self.rays.ways(pos.road_squares(side as usize))
    }

    /// The side with more flats on top, komi included.
    #[must_use]
    pub fn flat_result(&self, pos: &Position) -> Outcome {
        let lead = 2 * pos.flat_count(0) as i32 - 2 * pos.flat_count(1) as i32 - self.half_komi;
        match lead.signum() {
            1 => Outcome::Win(Player::First),
            -1 => Outcome::Win(Player::Second),
            _ => Outcome::Draw,
        }
    }

    /// The outcome after `mv`, the last move; it checks only what that move can have caused.
    #[inline]
    pub(crate) fn ended_by(&self, pos: &Position, mv: Move) -> Option<Outcome> {
        match mv.piece() {
            // A wall is no road; in the first round the flat is the opponent's.
            Some(Piece::Wall) if pos.number > 2 => {}
            Some(_) if pos.number > 2 => {
                let last = usize::from(pos.turn ^ 1);
                if self.has_road(pos, last) {
                    return Some(Outcome::Win(Player::BOTH[last]));
                }
            }
            _ => return self.outcome(pos),
        }
        self.ended_without_road(pos)
    }

    #[inline]
    fn ended_without_road(&self, pos: &Position) -> Option<Outcome> {
        let empty_handed = |side: usize| pos.flats[side] == 0 && pos.capstones[side] == 0;
        if empty_handed(0) || empty_handed(1) || pos.occupied() == self.grid.all() {
            return Some(self.flat_result(pos));
        }
        self.drawn_by_rule(pos).then_some(Outcome::Draw)
    }

    fn drawn_by_rule(&self, pos: &Position) -> bool {
        match self.draw {
            DrawRule::None => false,
            DrawRule::Threefold => past::times(pos) >= 2,
            DrawRule::Fifty => pos.past.plies() >= FIFTY,
        }
    }

    /// Returns whether a slide ends on a wall, which its capstone crushes.
    fn crushes(&self, pos: &Position, mv: Move) -> bool {
        let reach = self.rays.step[mv.direction()] * mv.cuts().count_ones() as isize;
        pos.walls >> (mv.cell() as isize + reach) & 1 == 1
    }

    fn place(&self, pos: &mut Position, cell: usize, piece: Piece) {
        let own = usize::from(pos.turn) ^ usize::from(self.is_opening(pos));
        let bit = 1 << cell;
        pos.stacks[cell] = 2 | own as u128;
        pos.tops[own] |= bit;
        match piece {
            Piece::Flat => pos.flats[own] -= 1,
            Piece::Wall => {
                pos.flats[own] -= 1;
                pos.walls |= bit;
            }
            Piece::Cap => {
                pos.capstones[own] -= 1;
                pos.caps |= bit;
            }
        }
        pos.hash ^= pos.cell_hash(cell);
    }

    fn slide(&self, pos: &mut Position, mv: Move) {
        let (from, step) = (mv.cell(), self.rays.step[mv.direction()]);
        let (carried, top) = (mv.carried(), pos.top(from));
        let hand = pos.stacks[from];
        pos.hash ^= pos.cell_hash(from);
        pos.set(from, hand >> carried, Piece::Flat);
        if pos.stacks[from] != EMPTY {
            pos.hash ^= pos.cell_hash(from);
        }
        let (mut left, mut cell) = (carried, from);
        for drop in mv.drops() {
            left -= drop;
            cell = (cell as isize + step) as usize;
            let under = pos.stacks[cell];
            if under != EMPTY {
                pos.hash ^= pos.cell_hash(cell);
            }
            let dropped = hand >> left & ((1 << drop) - 1);
            pos.set(cell, under << drop | dropped, if left == 0 { top } else { Piece::Flat });
            pos.hash ^= pos.cell_hash(cell);
        }
    }

    fn unslide(&self, pos: &mut Position, mv: Move) {
        let (from, step) = (mv.cell(), self.rays.step[mv.direction()]);
        let (mut hand, mut cell) = (pos.stacks[from], from);
        for drop in mv.drops() {
            cell = (cell as isize + step) as usize;
            hand = hand << drop | pos.stacks[cell] & ((1 << drop) - 1);
            pos.stacks[cell] >>= drop;
        }
        pos.stacks[from] = hand;
    }

    /// The komi in half flats, if nothing else differs from the usual game on a square board of this size, 3 to 8.
    #[must_use]
    pub fn usual_half_komi(&self) -> Option<i32> {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        let usual = Tak::new(columns, rows).with_half_komi(self.half_komi);
        (columns == rows && columns >= 3 && self.spelling() == usual.spelling()).then_some(self.half_komi)
    }

    /// The size as it is read: one number for the usual boards.
    fn size_text(&self) -> String {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        if columns == rows && columns >= 3 { columns.to_string() } else { format!("{columns}x{rows}") }
    }

    /// The canonical spelling of this game.
    fn spelling(&self) -> String {
        let mut out = format!("tak:{}", self.size_text());
        let usual = Tak::new(self.grid.columns(), self.grid.rows());
        if self.half_komi != 0 {
            let _ = write!(out, ",komi={}", f64::from(self.half_komi) / 2.0);
        }
        if !self.swap {
            out.push_str(",opening=noswap");
        }
        if self.flats != usual.flats {
            let _ = write!(out, ",flats={}", self.flats);
        }
        if self.capstones != usual.capstones {
            let _ = write!(out, ",caps={}", self.capstones);
        }
        out + self.draw.parameter()
    }
}

/// The image of each direction under a symmetry of the board.
fn turned(grid: &Grid, element: usize) -> [u8; 4] {
    let place = |cell: usize| {
        let image = grid.image_of_cell(element, cell);
        ((image % grid.columns()) as isize, (image / grid.columns()) as isize)
    };
    // Directions are seen from two corners: with one row or column only one of each pair exists.
    let step = |from: usize, to: usize| {
        let (a, b) = (place(from), place(to));
        match (b.0 - a.0, b.1 - a.1) {
            (0, -1) => 0,
            (0, 1) => 1,
            (1, 0) => 2,
            _ => 3,
        }
    };
    let mut to = [0, 1, 2, 3];
    if grid.rows() > 1 {
        to[1] = step(0, grid.columns());
        to[0] = step(grid.columns(), 0);
    }
    if grid.columns() > 1 {
        to[2] = step(0, 1);
        to[3] = step(1, 0);
    }
    to
}

impl Alternating for Tak {}

impl Game for Tak {
    const ALTERNATES: bool = true;

    type Position = Position;
    type Move = Move;
    type Undo = Undo;

    fn start(&self) -> Position {
        Position::empty(self.flats, self.capstones)
    }

    fn turn(&self, pos: &Position) -> Player {
        Player::BOTH[usize::from(pos.turn)]
    }

    #[inline]
    fn outcome(&self, pos: &Position) -> Option<Outcome> {
        let (mover, last) = (usize::from(pos.turn), usize::from(pos.turn ^ 1));
        if self.has_road(pos, last) {
            return Some(Outcome::Win(Player::BOTH[last]));
        }
        if self.has_road(pos, mover) {
            return Some(Outcome::Win(Player::BOTH[mover]));
        }
        self.ended_without_road(pos)
    }

    fn moves(&self, pos: &Position, each: &mut impl FnMut(Move)) {
        if self.outcome(pos).is_none() {
            self.list(pos, each);
        }
    }

    #[inline]
    fn play(&self, pos: &mut Position, mv: Move) -> Undo {
        let mut undo = Undo {
            tops: pos.tops,
            walls: pos.walls,
            caps: pos.caps,
            tall: pos.tall,
            hash: pos.hash,
            past: Past::default(),
        };
        if self.draw != DrawRule::None {
            let past = match self.draw {
                _ if mv.piece().is_some() || self.crushes(pos, mv) => Past::default(),
                DrawRule::Threefold => past::after(pos),
                _ => pos.past.after_a_ply(),
            };
            undo.past = std::mem::replace(&mut pos.past, past);
        }
        match mv.piece() {
            Some(piece) => self.place(pos, mv.cell(), piece),
            None => self.slide(pos, mv),
        }
        pos.number += u32::from(pos.turn);
        pos.turn ^= 1;
        pos.hash ^= BLACK_TO_MOVE;
        undo
    }

    #[inline]
    fn undo(&self, pos: &mut Position, mv: Move, undo: Undo) {
        pos.turn ^= 1;
        pos.number -= u32::from(pos.turn);
        match mv.piece() {
            Some(piece) => {
                // In the first round the stone came from the opponent.
                let owner = (pos.stacks[mv.cell()] & 1) as usize;
                match piece {
                    Piece::Cap => pos.capstones[owner] += 1,
                    Piece::Flat | Piece::Wall => pos.flats[owner] += 1,
                }
                pos.stacks[mv.cell()] = EMPTY;
            }
            None => self.unslide(pos, mv),
        }
        (pos.tops, pos.walls, pos.caps, pos.tall) = (undo.tops, undo.walls, undo.caps, undo.tall);
        pos.hash = undo.hash;
        if self.draw != DrawRule::None {
            pos.past = undo.past;
        }
    }

    #[inline]
    fn count_moves(&self, pos: &Position) -> usize {
        if self.outcome(pos).is_some() { 0 } else { self.count(pos) }
    }

    fn random_move(&self, pos: &Position, rng: &mut Rng) -> Option<Move> {
        if self.outcome(pos).is_some() { None } else { self.any(pos, rng) }
    }

    fn playout(&self, mut pos: Position, rng: &mut Rng) -> Outcome {
        if let Some(outcome) = self.outcome(&pos) {
            return outcome;
        }
        loop {
            let mv = self.any(&pos, rng).expect("an unfinished position has a move");
            self.play(&mut pos, mv);
            if let Some(outcome) = self.ended_by(&pos, mv) {
                return outcome;
            }
        }
    }
}

impl Symmetric for Tak {
    /// Threefold repetition would need the images of all positions it remembers, so there it is the group of one.
    fn order(&self) -> usize {
        if self.draw == DrawRule::Threefold { 1 } else { self.grid.order() }
    }

    fn image(&self, element: usize, pos: &Position) -> Position {
        let mut image = pos.clone();
        for (from, stack) in pos.stacks[..self.grid.cells()].iter().enumerate() {
            image.stacks[self.grid.image_of_cell(element, from)] = *stack;
        }
        let move_cells = |cells: Cells| self.grid.image(element, cells);
        image.tops = pos.tops.map(move_cells);
        (image.walls, image.caps, image.tall) = (move_cells(pos.walls), move_cells(pos.caps), move_cells(pos.tall));
        image.hash = image.fresh_hash();
        image
    }

    fn image_of_move(&self, element: usize, mv: Move) -> Move {
        let cell = self.grid.image_of_cell(element, mv.cell());
        match mv.piece() {
            Some(piece) => Move::place(cell, piece),
            None => mv.with(cell, usize::from(self.turned[element][mv.direction()])),
        }
    }

    fn inverse(&self, element: usize) -> usize {
        self.grid.inverse(element)
    }
}

impl Family for Tak {
    fn facts() -> Facts {
        Facts::new(
            "tak",
            "Tak",
            "A move places a piece on an empty square, or moves a stack whose top piece is yours and drops pieces \
             on the way. A road of flats and capstones between opposite edges wins; when a player's reserve is \
             empty or the board is full, the player with more flats on top wins. Each player's first move places \
             a flat of the opponent.",
        )
        .positional("size", Kind::text("3..=8, or MxN with sides 1..=8"), "5", "the board")
        .keyed("komi", Kind::text("-10..=10 in halves"), "0", "flats added to Black's count")
        .keyed(
            "opening",
            Kind::words(&["swap", "noswap"]),
            "swap",
            "swap: the first two plies place a flat of the opponent",
        )
        .keyed("flats", Kind::text("1..=63"), "usual", "stones of each side (usual: standard for the size)")
        .keyed("caps", Kind::text("0..=9"), "usual", "capstones of each side (usual: standard for the size)")
        .keyed("draw", Kind::words(&["none", "threefold", "fifty"]), "none", "draw rule")
    }

    fn build(params: &Params) -> Result<Tak, GameError> {
        let (columns, rows) = read_size(params.text("size"))
            .ok_or_else(|| params.error("size must be 3..=8, or MxN with sides 1..=8"))?;
        let half_komi = read_komi(params.text("komi"))
            .ok_or_else(|| params.error("komi must be -10..=10 in halves, like 2 or 2.5"))?;
        let usual = Tak::new(columns, rows);
        let reserve = |name: &str, usual: u8, lo: u8, hi: u8| match params.text(name) {
            "usual" => Ok(usual),
            text => {
                let number = text.parse().ok().filter(|n| (lo..=hi).contains(n));
                number.ok_or_else(|| params.error(format!("{name} must be {lo}..={hi}")))
            }
        };
        let (flats, capstones) = (reserve("flats", usual.flats, 1, 63)?, reserve("caps", usual.capstones, 0, 9)?);
        if flats + capstones > 63 {
            return Err(params.error("flats and caps must be at most 63 together"));
        }
        let draw = match params.text("draw") {
            "threefold" => DrawRule::Threefold,
            "fifty" => DrawRule::Fifty,
            _ => DrawRule::None,
        };
        let swap = params.text("opening") == "swap";
        Ok(usual.with_reserves(flats, capstones).with_half_komi(half_komi).with_swap(swap).with_draw(draw))
    }

    /// `tak:5x5` is `tak:5`, and `komi=2.0` is `komi=2`.
    fn from_spelling(given: &str) -> Result<(Tak, String), GameError> {
        let (_, text) = split_spelling(given);
        let game = Tak::build(&Params::parse(&Self::facts(), given, text)?)?;
        let spelling = game.spelling();
        Ok((game, spelling))
    }
}

fn read_size(text: &str) -> Option<(usize, usize)> {
    let side = |text: &str| text.parse().ok().filter(|n| (1..=8).contains(n));
    match text.split_once('x') {
        Some((columns, rows)) => Some((side(columns)?, side(rows)?)),
        None => side(text).filter(|&n| n >= 3).map(|n| (n, n)),
    }
}

/// Half flats.
fn read_komi(text: &str) -> Option<i32> {
    let halves = 2.0 * text.parse::<f64>().ok()?;
    (halves.fract() == 0.0 && halves.abs() <= 20.0).then_some(halves as i32)
}

/// White and black stones in a stack.
pub(crate) fn pieces_in(stack: u128) -> [u32; 2] {
    let (all, black) = (height(stack), (stack & !(1 << height(stack))).count_ones());
    [all - black, black]
}
