//! Positions: the board and the reserves.

use super::past::Past;
use crate::grid::{Cells, each_cell};
use agon_core::Player;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A stack: a leading one, then a bit for each stone from the bottom to the top, set for black. `1` is
/// an empty square. The two sides own at most 126 pieces, so every stack fits.
pub type Stack = u128;

/// The empty square.
pub const EMPTY: Stack = 1;

/// Stones in a stack.
#[inline]
#[must_use]
pub fn height(stack: Stack) -> u32 {
    stack.ilog2()
}

/// A position of Tak.
///
/// The move number belongs to the notation alone: positions that differ only there are equal.
#[derive(Clone, Debug)]
pub struct Position {
    pub(crate) stacks: [Stack; 64],
    /// Squares whose top piece is white, and black.
    pub(crate) tops: [Cells; 2],
    /// Squares whose top piece is a wall.
    pub(crate) walls: Cells,
    /// Squares whose top piece is a capstone.
    pub(crate) caps: Cells,
    /// Squares with two or more pieces.
    pub(crate) tall: Cells,
    /// Stones in reserve.
    pub(crate) flats: [u8; 2],
    /// Capstones in reserve.
    pub(crate) capstones: [u8; 2],
    /// 0 when White is to move.
    pub(crate) turn: u8,
    pub(crate) hash: u64,
    /// The full move, from 1.
    pub(crate) number: u32,
    /// The history for the draw rule; empty without one.
    pub(crate) past: Past,
}

/// The kind of the top piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Piece {
    /// A stone lying flat.
    Flat,
    /// A standing stone.
    Wall,
    /// A capstone.
    Cap,
}

impl Position {
    /// An empty board, White to move.
    #[must_use]
    pub(crate) fn empty(flats: u8, capstones: u8) -> Position {
        Position {
            stacks: [EMPTY; 64],
            tops: [0; 2],
            walls: 0,
            caps: 0,
            tall: 0,
            flats: [flats; 2],
            capstones: [capstones; 2],
            turn: 0,
            hash: 0,
            number: 1,
            past: Past::default(),
        }
    }

    /// The stack on a square.
    #[inline]
    #[must_use]
    pub fn stack(&self, cell: usize) -> Stack {
        self.stacks[cell]
    }

    /// The kind of the top piece; `Flat` for an empty square.
    #[inline]
    #[must_use]
    pub fn top(&self, cell: usize) -> Piece {
        if self.caps >> cell & 1 == 1 {
            Piece::Cap
        } else if self.walls >> cell & 1 == 1 {
            Piece::Wall
        } else {
            Piece::Flat
        }
    }

    /// Occupied squares.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Cells {
        self.tops[0] | self.tops[1]
    }

    /// Squares that carry a road of that side: flats and capstones on top.
    #[inline]
    #[must_use]
    pub fn road_squares(&self, side: usize) -> Cells {
        self.tops[side] & !self.walls
    }

    /// Flats on top of that side, what the flat count counts.
    #[must_use]
    pub fn flat_count(&self, side: usize) -> u32 {
        (self.tops[side] & !self.walls & !self.caps).count_ones()
    }

    /// Stones and capstones in reserve.
    #[must_use]
    pub fn reserve(&self, side: Player) -> (u8, u8) {
        (self.flats[side as usize], self.capstones[side as usize])
    }

    /// Sets a square, for readers of positions: bitboards follow, reserves and hash do not.
    pub(crate) fn set(&mut self, cell: usize, stack: Stack, top: Piece) {
        let bit = 1 << cell;
        self.stacks[cell] = stack;
        for side in &mut self.tops {
            *side &= !bit;
        }
        self.walls &= !bit;
        self.caps &= !bit;
        self.tall &= !bit;
        if stack == EMPTY {
            return;
        }
        self.tops[(stack & 1) as usize] |= bit;
        match top {
            Piece::Wall => self.walls |= bit,
            Piece::Cap => self.caps |= bit,
            Piece::Flat => {}
        }
        if height(stack) > 1 {
            self.tall |= bit;
        }
    }

    /// The hash from scratch; `hash` is kept equal to it by playing.
    pub(crate) fn fresh_hash(&self) -> u64 {
        let turn = if self.turn == 1 { BLACK_TO_MOVE } else { 0 };
        each_cell(self.occupied()).fold(turn, |hash, cell| hash ^ self.cell_hash(cell))
    }

    /// The share of one occupied square in the hash.
    #[inline]
    pub(crate) fn cell_hash(&self, cell: usize) -> u64 {
        let stack = self.stacks[cell];
        let (low, high) = (stack as u64, (stack >> 64) as u64);
        let kind = (self.walls >> cell & 1) + 2 * (self.caps >> cell & 1);
        let place = (cell as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let wide = u128::from(low ^ place) * u128::from((high ^ place.rotate_left(29)).wrapping_add(kind << 17) | 1);
        ((wide >> 64) ^ wide) as u64 ^ place.rotate_left(kind as u32 * 16 + 7)
    }

    fn compared(&self) -> (u8, [Cells; 2], Cells, Cells, [u8; 2], [u8; 2]) {
        (self.turn, self.tops, self.walls, self.caps, self.flats, self.capstones)
    }
}

/// Toggled in the hash by every ply.
pub(crate) const BLACK_TO_MOVE: u64 = 0x6a09_e667_f3bc_c909;

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.hash == other.hash && self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Position {}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Position) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Position {
    fn cmp(&self, other: &Position) -> Ordering {
        let stacks = || each_cell(self.tall).map(|c| self.stacks[c].cmp(&other.stacks[c])).find(|o| o.is_ne());
        self.compared()
            .cmp(&other.compared())
            .then(self.tall.cmp(&other.tall))
            .then_with(|| stacks().unwrap_or(Ordering::Equal))
            .then_with(|| self.past.cmp(&other.past))
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}
