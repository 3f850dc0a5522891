//! The history of a position, as far as a draw rule needs it.

use super::position::{EMPTY, Position, Stack};
use crate::grid::{Cells, each_cell};
use agon_core::repetition::Repetition;
use std::cmp::Ordering;

/// The memory of a draw rule.
pub(crate) type Past = Repetition<Board>;

/// The key that makes two positions of a play the same. The reserves are those of the position after it: a placement
/// ends what is remembered.
#[derive(Debug)]
pub(crate) struct Board {
    hash: u64,
    turn: u8,
    tops: [Cells; 2],
    walls: Cells,
    caps: Cells,
    tall: Cells,
    /// The stacks of two or more pieces, by square.
    stacks: Vec<Stack>,
}

impl Board {
    fn of(pos: &Position) -> Board {
        let mut stacks = Vec::with_capacity(pos.tall.count_ones() as usize);
        stacks.extend(each_cell(pos.tall).map(|cell| pos.stacks[cell]));
        let Position { hash, turn, tops, walls, caps, tall, .. } = *pos;
        Board { hash, turn, tops, walls, caps, tall, stacks }
    }

    /// A hash of the board and the turn in 128 bits.
    fn wide_hash(&self) -> u128 {
        let board = [self.tops[0], self.tops[1], self.walls, self.caps, self.tall, u64::from(self.turn)];
        let stacks = self.stacks.iter().flat_map(|stack| [*stack as u64, (*stack >> 64) as u64]);
        let mut hash = WideHash::new();
        board.into_iter().chain(stacks).for_each(|word| hash.add(word));
        hash.finish()
    }

    fn contents(&self) -> (u8, [Cells; 2], Cells, Cells, Cells, &[Stack]) {
        (self.turn, self.tops, self.walls, self.caps, self.tall, &self.stacks)
    }

    /// Returns whether `pos` is the same position. The hash only spares most comparisons.
    #[inline]
    fn is(&self, pos: &Position) -> bool {
        self.hash == pos.hash
            && (self.turn, self.tops, self.walls, self.caps, self.tall)
                == (pos.turn, pos.tops, pos.walls, pos.caps, pos.tall)
            && each_cell(self.tall).zip(&self.stacks).all(|(cell, stack)| pos.stacks[cell] == *stack)
    }

    /// The position, with the reserves of `now`.
    fn position(&self, now: &Position) -> Position {
        let mut pos = Position { past: Past::default(), turn: self.turn, hash: self.hash, ..now.clone() };
        (pos.tops, pos.walls, pos.caps, pos.tall) = (self.tops, self.walls, self.caps, self.tall);
        pos.stacks = [EMPTY; 64];
        for cell in each_cell(self.tops[0] | self.tops[1]) {
            pos.stacks[cell] = 2 | Stack::from(self.tops[1] >> cell as u32 & 1);
        }
        each_cell(self.tall).zip(&self.stacks).for_each(|(cell, stack)| pos.stacks[cell] = *stack);
        pos
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.contents() == other.contents()
    }
}

impl Eq for Board {}

impl PartialOrd for Board {
    fn partial_cmp(&self, other: &Board) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Board {
    fn cmp(&self, other: &Board) -> Ordering {
        self.contents().cmp(&other.contents())
    }
}

/// The history of the position after `pos`.
pub(crate) fn after(pos: &Position) -> Past {
    extended(&pos.past, pos)
}

/// A history with one more position.
pub(crate) fn extended(past: &Past, pos: &Position) -> Past {
    let board = Board::of(pos);
    let hash = board.wide_hash();
    past.after(board, hash)
}

/// The number of times that `pos` occurs in its own history.
pub(crate) fn times(pos: &Position) -> usize {
    pos.past.times(|board| board.is(pos))
}

/// The positions before `pos`, the first one first.
pub(crate) fn positions(pos: &Position) -> Vec<Position> {
    pos.past.boards().into_iter().map(|board| board.position(pos)).collect()
}

/// Mixes words into 128 bits.
pub(super) struct WideHash {
    a: u64,
    b: u64,
}

impl WideHash {
    pub(super) fn new() -> WideHash {
        WideHash { a: 0x243f_6a88_85a3_08d3, b: 0x1319_8a2e_0370_7344 }
    }

    pub(super) fn add(&mut self, word: u64) {
        let mix = |state: u64, odd: u64| {
            let wide = u128::from(state) * u128::from(odd);
            (wide >> 64) as u64 ^ (wide as u64).rotate_left(23)
        };
        self.a = mix(self.a ^ word, 0xa409_3822_299f_31d1).wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.b = mix(self.b.wrapping_add(word), 0x082e_fa98_ec4e_6c89).wrapping_add(0x4528_21e6_38d0_1377);
    }

    /// The hash. Two more words let the last one reach every bit.
    pub(super) fn finish(mut self) -> u128 {
        let (a, b) = (self.a, self.b);
        self.add(b);
        self.add(a);
        u128::from(self.a) << 64 | u128::from(self.b)
    }
}
