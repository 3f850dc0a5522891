//! The history of a position, as far as a draw rule needs it.

use super::position::{Position, Stack};
use crate::grid::{Cells, each_cell};
use std::cmp::Ordering;
use std::sync::Arc;

/// The plies since the last irreversible move and, for threefold repetition, the positions before them.
///
/// Positions share what lies behind them, so that playing and copying cost the same however long that is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    plies: u32,
    last: Option<Arc<Earlier>>,
}

/// A position of the play, and those before it. The reserves are those of the position after it: a placement ends
/// what is remembered.
#[derive(Debug)]
struct Earlier {
    hash: u64,
    turn: u8,
    tops: [Cells; 2],
    walls: Cells,
    caps: Cells,
    tall: Cells,
    /// The stacks of two or more pieces, by square.
    stacks: Vec<Stack>,
    /// The sum of the 128-bit hashes of this position and of those before it: equal for equal multisets.
    sum: u128,
    before: Option<Arc<Earlier>>,
}

impl Earlier {
    fn new(pos: &Position, before: Option<Arc<Earlier>>) -> Earlier {
        let mut stacks = Vec::with_capacity(pos.tall.count_ones() as usize);
        stacks.extend(each_cell(pos.tall).map(|cell| pos.stacks[cell]));
        let mut earlier = Earlier {
            hash: pos.hash,
            turn: pos.turn,
            tops: pos.tops,
            walls: pos.walls,
            caps: pos.caps,
            tall: pos.tall,
            stacks,
            sum: before.as_ref().map_or(0, |before| before.sum),
            before,
        };
        earlier.sum = earlier.sum.wrapping_add(earlier.wide_hash());
        earlier
    }

    /// A hash of the board and the turn in 128 bits.
    fn wide_hash(&self) -> u128 {
        let board = [self.tops[0], self.tops[1], self.walls, self.caps, self.tall, u64::from(self.turn)];
        let stacks = self.stacks.iter().flat_map(|stack| [*stack as u64, (*stack >> 64) as u64]);
        let mut hash = WideHash::new();
        board.into_iter().chain(stacks).for_each(|word| hash.add(word));
        hash.finish()
    }

    fn board(&self) -> (u8, [Cells; 2], Cells, Cells, Cells, &[Stack]) {
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

impl Drop for Earlier {
    /// One after the other: a long play must not use up the stack.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut earlier) = next.and_then(|shared| Arc::try_unwrap(shared).ok()) {
            next = earlier.before.take();
        }
    }
}

impl Past {
    /// A history of which only the number of plies counts.
    pub(crate) fn of_plies(plies: u32) -> Past {
        Past { plies, last: None }
    }

    /// A ply further, without the position before it.
    pub(crate) fn and_a_ply(&self) -> Past {
        Past { plies: self.plies + 1, last: None }
    }

    /// A ply further, from `pos`.
    pub(crate) fn and(&self, pos: &Position) -> Past {
        Past { plies: self.plies + 1, last: Some(Arc::new(Earlier::new(pos, self.last.clone()))) }
    }

    /// The number of plies in the history.
    pub(crate) fn plies(&self) -> u32 {
        self.plies
    }

    /// A 128-bit hash of the positions remembered, each as often as it came up, in whatever order: what threefold
    /// repetition depends on.
    pub(crate) fn multiset_hash(&self) -> u128 {
        self.last.as_ref().map_or(0, |last| last.sum)
    }

    fn earlier(&self) -> impl Iterator<Item = &Earlier> {
        std::iter::successors(self.last.as_deref(), |earlier| earlier.before.as_deref())
    }

    /// The number of occurrences of `pos` in the history.
    pub(crate) fn times(&self, pos: &Position) -> usize {
        self.earlier().filter(|earlier| earlier.is(pos)).count()
    }

    /// The positions remembered, the first one first, on boards with these reserves.
    pub(crate) fn positions(&self, now: &Position) -> Vec<Position> {
        let position = |earlier: &Earlier| {
            let mut pos = Position { past: Past::default(), turn: earlier.turn, hash: earlier.hash, ..now.clone() };
            (pos.tops, pos.walls, pos.caps, pos.tall) = (earlier.tops, earlier.walls, earlier.caps, earlier.tall);
            pos.stacks = [super::position::EMPTY; 64];
            for cell in each_cell(earlier.tops[0] | earlier.tops[1]) {
                pos.stacks[cell] = 2 | Stack::from(earlier.tops[1] >> cell as u32 & 1);
            }
            each_cell(earlier.tall).zip(&earlier.stacks).for_each(|(cell, stack)| pos.stacks[cell] = *stack);
            pos
        };
        let mut list: Vec<Position> = self.earlier().map(position).collect();
        list.reverse();
        list
    }
}

impl PartialEq for Past {
    fn eq(&self, other: &Past) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Past {}

impl PartialOrd for Past {
    fn partial_cmp(&self, other: &Past) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Past {
    fn cmp(&self, other: &Past) -> Ordering {
        let plies = self.plies.cmp(&other.plies);
        if plies != Ordering::Equal {
            return plies;
        }
        let (mut one, mut two) = (&self.last, &other.last);
        while let (Some(a), Some(b)) = (one, two) {
            // Most plays that are compared have the same beginning.
            if Arc::ptr_eq(a, b) {
                return Ordering::Equal;
            }
            match a.board().cmp(&b.board()) {
                Ordering::Equal => (one, two) = (&a.before, &b.before),
                other => return other,
            }
        }
        one.is_some().cmp(&two.is_some())
    }
}
