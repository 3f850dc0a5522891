//! Moves: how they are written in a word, listed, counted and chosen.

use super::Tak;
use super::position::{Piece, Position, height};
use crate::grid::{Cells, each_cell};
use agon_core::Rng;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Up, down, right, left, as PTN spells them.
pub const ARROWS: [char; 4] = ['+', '-', '>', '<'];

/// A placement or a slide.
///
/// Bits 0–5 are the square, bits 6–7 the piece placed or the direction, bits 8–15 the cuts of a slide
/// (zero for a placement). The cuts have a bit for each square entered: bit `i` says that the stack goes
/// on to that square with `i + 1` stones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// Places a piece.
    #[inline]
    #[must_use]
    pub fn place(cell: usize, piece: Piece) -> Move {
        Move(cell as u16 | (piece as u16) << 6)
    }

    /// Moves part of a stack; `cuts` must not be zero.
    #[inline]
    #[must_use]
    pub fn slide(cell: usize, direction: usize, cuts: u8) -> Move {
        Move(cell as u16 | (direction as u16) << 6 | u16::from(cuts) << 8)
    }

    /// The square a piece is placed on or a stack leaves.
    #[inline]
    #[must_use]
    pub fn cell(self) -> usize {
        usize::from(self.0 & 63)
    }

    /// The cuts of a slide, zero for a placement.
    #[inline]
    #[must_use]
    pub fn cuts(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// The direction of a slide, as an index into [`ARROWS`].
    #[inline]
    #[must_use]
    pub fn direction(self) -> usize {
        usize::from(self.0 >> 6 & 3)
    }

    /// The piece placed, if it is a placement.
    #[inline]
    #[must_use]
    pub fn piece(self) -> Option<Piece> {
        match (self.cuts(), self.direction()) {
            (0, 0) => Some(Piece::Flat),
            (0, 1) => Some(Piece::Wall),
            (0, _) => Some(Piece::Cap),
            _ => None,
        }
    }

    /// Stones picked up by a slide.
    #[must_use]
    pub fn carried(self) -> u32 {
        if self.cuts() == 0 { 0 } else { self.cuts().ilog2() + 1 }
    }

    /// Stones left on each square entered, nearest first.
    pub fn drops(self) -> impl Iterator<Item = u32> {
        let mut cuts = self.cuts();
        std::iter::from_fn(move || {
            let before = cuts.checked_ilog2()? + 1;
            cuts &= !(1 << (before - 1));
            Some(before - cuts.checked_ilog2().map_or(0, |top| top + 1))
        })
    }

    /// The slide that leaves these stones, each at least one and at most eight in total.
    #[must_use]
    pub fn from_drops(cell: usize, direction: usize, drops: &[u32]) -> Option<Move> {
        let mut left: u32 = drops.iter().sum();
        if drops.is_empty() || left > 8 || drops.contains(&0) {
            return None;
        }
        let mut cuts = 0u8;
        for drop in drops {
            cuts |= 1 << (left - 1);
            left -= drop;
        }
        Some(Move::slide(cell, direction, cuts))
    }

    pub(crate) fn with(self, cell: usize, direction: usize) -> Move {
        Move(self.0 & !0xff | cell as u16 | (direction as u16) << 6)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.piece() {
            Some(piece) => write!(f, "{piece:?}@{}", self.cell()),
            None => write!(f, "{}{}{:?}", self.cell(), ARROWS[self.direction()], self.drops().collect::<Vec<_>>()),
        }
    }
}

/// Binomial coefficients up to 8.
const CHOOSE: [[u16; 9]; 9] = {
    let mut table = [[0; 9]; 9];
    let mut n = 0;
    while n < 9 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + if k < n { table[n - 1][k] } else { 0 };
            k += 1;
        }
        n += 1;
    }
    table
};

/// Slides of a stack of which `h` stones may be picked up over `s` free squares (equation 4.2 of
/// Beljaards's thesis).
pub(crate) const SLIDES: [[u16; 9]; 9] = {
    let mut table = [[0; 9]; 9];
    let mut h = 0;
    while h < 9 {
        let mut s = 1;
        while s < 9 {
            table[h][s] = table[h][s - 1] + CHOOSE[h][s];
            s += 1;
        }
        h += 1;
    }
    table
};

/// Cuts sorted by the number of squares entered; those below `2^h` that enter at most `s` squares are
/// the first `SLIDES[h][s]` of row `h`.
const CUTS: [[u8; 255]; 9] = {
    let mut table = [[0; 255]; 9];
    let mut h = 1;
    while h < 9 {
        let (mut at, mut squares) = (0, 1);
        while squares <= h as u32 {
            let mut cuts = 1u16;
            while cuts < 1 << h {
                if cuts.count_ones() == squares {
                    table[h][at] = cuts as u8;
                    at += 1;
                }
                cuts += 1;
            }
            squares += 1;
        }
        h += 1;
    }
    table
};

/// Lookup tables for each square.
#[derive(Debug)]
pub(crate) struct Rays {
    /// Squares passed on the way to the edge.
    pub(crate) ray: [[Cells; 64]; 4],
    /// All four rays together.
    star: [Cells; 64],
    /// Free squares in front of a square, by the nearest blocker as [`nearest`] numbers it.
    free: [[[u8; 65]; 64]; 4],
    /// Slides on an otherwise unblocked board, by stones that may be picked up.
    open: [[u16; 64]; 9],
    /// Steps between neighbours.
    pub(crate) step: [isize; 4],
    pub(crate) left: Cells,
    pub(crate) right: Cells,
    pub(crate) top: Cells,
    pub(crate) bottom: Cells,
    pub(crate) all: Cells,
    columns: u32,
}

impl Rays {
    /// The rays of a board of that size, made once.
    pub(crate) fn shared(columns: usize, rows: usize) -> Arc<Rays> {
        static KNOWN: Mutex<BTreeMap<(usize, usize), Arc<Rays>>> = Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry((columns, rows)).or_insert_with(|| Arc::new(Rays::new(columns, rows))).clone()
    }

    fn new(columns: usize, rows: usize) -> Rays {
        let mut rays = Rays {
            ray: [[0; 64]; 4],
            star: [0; 64],
            free: [[[0; 65]; 64]; 4],
            open: [[0; 64]; 9],
            step: [-(columns as isize), columns as isize, 1, -1],
            left: 0,
            right: 0,
            top: 0,
            bottom: 0,
            all: Cells::MAX >> (64 - columns * rows),
            columns: columns as u32,
        };
        for cell in 0..columns * rows {
            let (x, y) = (cell % columns, cell / columns);
            let bit = 1 << cell;
            rays.left |= if x == 0 { bit } else { 0 };
            rays.right |= if x == columns - 1 { bit } else { 0 };
            rays.top |= if y == 0 { bit } else { 0 };
            rays.bottom |= if y == rows - 1 { bit } else { 0 };
            let room = [y, rows - 1 - y, columns - 1 - x, x];
            for (direction, &room) in room.iter().enumerate() {
                let step = rays.step[direction];
                let at = |i: usize| cell as isize + step * i as isize;
                rays.ray[direction][cell] = (1..=room).fold(0, |set, i| set | 1 << at(i));
                rays.free[direction][cell][nearest(direction, 0)] = room as u8;
                for i in 1..=room {
                    rays.free[direction][cell][nearest(direction, 1 << at(i))] = i as u8 - 1;
                }
                for (open, slides) in rays.open.iter_mut().zip(&SLIDES) {
                    open[cell] += slides[room];
                }
            }
            rays.star[cell] = (0..4).fold(0, |set, d| set | rays.ray[d][cell]);
        }
        rays
    }

    /// Every cell moved one step.
    #[inline]
    pub(crate) fn shift(&self, direction: usize, cells: Cells) -> Cells {
        match direction {
            0 => cells >> self.columns,
            1 => cells.checked_shl(self.columns).unwrap_or(0) & self.all,
            2 => (cells & !self.right) << 1,
            _ => (cells & !self.left) >> 1,
        }
    }

    /// The cells and their neighbours.
    #[inline]
    pub(crate) fn grow(&self, cells: Cells) -> Cells {
        (0..4).fold(cells, |grown, direction| grown | self.shift(direction, cells))
    }

    /// Everything in `within` that is connected to `seed`.
    #[inline]
    pub(crate) fn flood(&self, seed: Cells, within: Cells) -> Cells {
        let mut reached = seed & within;
        loop {
            let next = self.grow(reached) & within;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// Returns whether the cells join two opposite edges.
    #[inline]
    pub(crate) fn is_road(&self, cells: Cells) -> bool {
        let joins =
            |from: Cells, to: Cells| cells & from != 0 && cells & to != 0 && self.flood(cells & from, cells) & to != 0;
        joins(self.left, self.right) || joins(self.top, self.bottom)
    }

    /// Returns whether the cells join left and right, and top and bottom.
    pub(crate) fn ways(&self, cells: Cells) -> (bool, bool) {
        let joins = |from: Cells, to: Cells| self.flood(cells & from, cells) & to != 0;
        (joins(self.left, self.right), joins(self.top, self.bottom))
    }

    /// Cells outside the set, any one of which would make it a road.
    #[inline]
    pub(crate) fn completes_road(&self, cells: Cells) -> Cells {
        let both = |from: Cells, to: Cells| {
            (self.grow(self.flood(from, cells)) | from) & (self.grow(self.flood(to, cells)) | to)
        };
        (both(self.left, self.right) | both(self.top, self.bottom)) & !cells
    }

    /// Free squares in front of a stack.
    #[inline(always)]
    pub(crate) fn room(&self, direction: usize, cell: usize, blockers: Cells) -> usize {
        let hit = self.ray[direction][cell] & blockers;
        usize::from(self.free[direction][cell][nearest(direction, hit)])
    }

    /// Returns whether one of `cells` is behind that many free squares.
    #[inline]
    fn ends_at(&self, direction: usize, cell: usize, room: usize, cells: Cells) -> bool {
        let behind = cell as isize + self.step[direction] * (room as isize + 1);
        let inside = self.ray[direction][cell].checked_shr(behind as u32).unwrap_or(0) & 1 == 1;
        inside && cells >> behind & 1 == 1
    }
}

/// The blocker met first: the lowest bit where rays ascend, else the highest, counted from 1. There is a
/// number for no blocker too, so that nothing branches.
#[inline(always)]
fn nearest(direction: usize, hit: Cells) -> usize {
    let index = if matches!(direction, 1 | 2) { hit.trailing_zeros() } else { 64 - hit.leading_zeros() };
    index as usize
}

/// The slides of one stack in one direction.
pub(crate) struct Slides {
    /// Stones that may be picked up.
    pub(crate) h: usize,
    /// Free squares.
    pub(crate) room: usize,
    /// True if a capstone can crush a wall behind them.
    pub(crate) crush: bool,
}

impl Slides {
    #[inline]
    pub(crate) fn count(&self) -> usize {
        let plain = usize::from(SLIDES[self.h][self.room]);
        plain + if self.crush { usize::from(CHOOSE[self.h - 1][self.room]) } else { 0 }
    }

    pub(crate) fn nth(&self, n: usize) -> Option<u8> {
        let plain = usize::from(SLIDES[self.h][self.room]);
        if n < plain {
            return Some(CUTS[self.h][n]);
        }
        CUTS[self.h][plain..].iter().copied().filter(|cuts| cuts & 1 == 1).nth(n - plain)
    }

    #[inline]
    pub(crate) fn each(&self, mut each: impl FnMut(u8)) {
        let plain = usize::from(SLIDES[self.h][self.room]);
        CUTS[self.h][..plain].iter().for_each(|&cuts| each(cuts));
        if self.crush {
            // The capstone goes on alone: one stone is left for the last square.
            let end = usize::from(SLIDES[self.h][self.room + 1]);
            CUTS[self.h][plain..end].iter().filter(|&&cuts| cuts & 1 == 1).for_each(|&cuts| each(cuts));
        }
    }
}

impl Tak {
    #[inline(always)]
    pub(crate) fn slides(&self, pos: &Position, cell: usize, direction: usize) -> Slides {
        let h = (height(pos.stacks[cell]) as usize).min(self.carry);
        let room = self.rays.room(direction, cell, pos.walls | pos.caps);
        let crush = pos.caps >> cell & 1 == 1 && h > room && self.rays.ends_at(direction, cell, room, pos.walls);
        Slides { h, room, crush }
    }

    /// Pieces the mover may place; in the first round only a flat.
    #[inline]
    pub(crate) fn placeable(&self, pos: &Position) -> &'static [Piece] {
        let side = usize::from(pos.turn);
        match (pos.flats[side] > 0, pos.capstones[side] > 0) {
            _ if self.is_opening(pos) => &[Piece::Flat],
            (true, true) => &[Piece::Flat, Piece::Wall, Piece::Cap],
            (true, false) => &[Piece::Flat, Piece::Wall],
            (false, true) => &[Piece::Cap],
            (false, false) => &[],
        }
    }

    /// Calls `each` for every move of an unfinished position.
    #[inline]
    pub(crate) fn list(&self, pos: &Position, mut each: impl FnMut(Move)) {
        let pieces = self.placeable(pos);
        for cell in each_cell(self.rays.all & !pos.occupied()) {
            pieces.iter().for_each(|&piece| each(Move::place(cell, piece)));
        }
        if !self.is_opening(pos) {
            self.list_slides(pos, pos.tops[usize::from(pos.turn)], each);
        }
    }

    /// Calls `each` for every slide of the stacks on `cells`.
    #[inline]
    pub(crate) fn list_slides(&self, pos: &Position, cells: Cells, mut each: impl FnMut(Move)) {
        for cell in each_cell(cells) {
            for direction in 0..4 {
                self.slides(pos, cell, direction).each(|cuts| each(Move::slide(cell, direction, cuts)));
            }
        }
    }

    /// Calls `each` for every slide of one stack in one direction.
    pub(crate) fn list_slides_towards(
        &self,
        pos: &Position,
        cell: usize,
        direction: usize,
        mut each: impl FnMut(Move),
    ) {
        self.slides(pos, cell, direction).each(|cuts| each(Move::slide(cell, direction, cuts)));
    }

    /// The squares a stack can enter in one direction.
    pub(crate) fn reach(&self, pos: &Position, cell: usize, direction: usize) -> Cells {
        let slides = self.slides(pos, cell, direction);
        let squares = (slides.room + usize::from(slides.crush)).min(slides.h);
        let step = self.rays.step[direction];
        (1..=squares as isize).fold(0, |set, i| set | 1 << (cell as isize + step * i))
    }

    /// The number of moves of an unfinished position, without listing them.
    #[inline]
    pub(crate) fn count(&self, pos: &Position) -> usize {
        let placements = (self.rays.all & !pos.occupied()).count_ones() as usize * self.placeable(pos).len();
        if self.is_opening(pos) {
            return placements;
        }
        let own = pos.tops[usize::from(pos.turn)];
        let blockers = pos.walls | pos.caps;
        let (single, lone) = (own & !pos.tall, own & !pos.tall & pos.caps);
        let mut steps = 0;
        for direction in 0..4 {
            steps += (self.rays.shift(direction, single) & !blockers).count_ones();
            if lone != 0 {
                steps += (self.rays.shift(direction, lone) & pos.walls).count_ones();
            }
        }
        let tall = each_cell(own & pos.tall).map(|cell| self.count_slides(pos, cell, blockers));
        placements + steps as usize + tall.sum::<usize>()
    }

    #[inline(always)]
    fn count_slides(&self, pos: &Position, cell: usize, blockers: Cells) -> usize {
        if self.rays.star[cell] & blockers == 0 {
            let h = (height(pos.stacks[cell]) as usize).min(self.carry);
            return usize::from(self.rays.open[h][cell]);
        }
        let mut count = 0;
        for direction in 0..4 {
            count += self.slides(pos, cell, direction).count();
        }
        count
    }

    /// A legal move of an unfinished position, each with the same chance.
    #[inline(always)]
    pub(crate) fn any(&self, pos: &Position, rng: &mut Rng) -> Option<Move> {
        // Step 1: count placements, steps of single pieces by direction, and slides of each taller stack.
        let pieces = self.placeable(pos);
        let empty = self.rays.all & !pos.occupied();
        let placements = empty.count_ones() as usize * pieces.len();
        let own = if self.is_opening(pos) { 0 } else { pos.tops[usize::from(pos.turn)] };
        let blockers = pos.walls | pos.caps;
        let steps: [Cells; 4] = std::array::from_fn(|direction| {
            let crushed = self.rays.shift(direction, own & !pos.tall & pos.caps) & pos.walls;
            self.rays.shift(direction, own & !pos.tall) & !blockers | crushed
        });
        let mut total = placements + steps.iter().map(|to| to.count_ones() as usize).sum::<usize>();
        let mut slides = [0u16; 64];
        for (i, cell) in each_cell(own & pos.tall).enumerate() {
            slides[i] = self.count_slides(pos, cell, blockers) as u16;
            total += usize::from(slides[i]);
        }
        if total == 0 {
            return None;
        }
        // Step 2: draw a number and find its move.
        let mut n = rng.below(total);
        if n < placements {
            let cell = each_cell(empty).nth(n / pieces.len())?;
            return Some(Move::place(cell, pieces[n % pieces.len()]));
        }
        n -= placements;
        for (direction, &to) in steps.iter().enumerate() {
            let count = to.count_ones() as usize;
            if n < count {
                let cell = each_cell(to).nth(n)? as isize - self.rays.step[direction];
                return Some(Move::slide(cell as usize, direction, 1));
            }
            n -= count;
        }
        for (i, cell) in each_cell(own & pos.tall).enumerate() {
            if n >= usize::from(slides[i]) {
                n -= usize::from(slides[i]);
                continue;
            }
            for direction in 0..4 {
                let slides = self.slides(pos, cell, direction);
                if n < slides.count() {
                    return Some(Move::slide(cell, direction, slides.nth(n)?));
                }
                n -= slides.count();
            }
        }
        None
    }
}
