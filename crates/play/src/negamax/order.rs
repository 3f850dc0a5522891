//! Move ordering: killer moves and the history heuristic.

use agon_core::evaluate::slot;
use std::hash::Hash;

/// The logarithm of the size of the history table for one side.
const HISTORY_BITS: u32 = 14;
/// The greatest absolute value of a history score.
const MAX_HISTORY: i32 = 8_000;

/// Killer moves at each ply, and history scores of all moves.
pub(super) struct Order<M> {
    killers: Vec<[Option<M>; 2]>,
    history: Vec<i16>,
}

impl<M: Copy + Eq + Hash> Order<M> {
    pub(super) fn new() -> Order<M> {
        Order { killers: vec![[None; 2]; super::search::MAX_PLY + 2], history: vec![0; 2 << HISTORY_BITS] }
    }

    fn at(mv: M, side: usize) -> usize {
        side << HISTORY_BITS | slot(&mv, HISTORY_BITS)
    }

    /// The ordering score of a move; `score` is that of the game.
    #[inline]
    pub(super) fn rank(&self, mv: M, score: i32, side: usize, ply: usize) -> i32 {
        const KILLER: i32 = 12_000;
        let killer = match self.killers[ply] {
            [Some(first), _] if first == mv => KILLER,
            [_, Some(second)] if second == mv => KILLER - 1000,
            _ => 0,
        };
        score * 64 + killer + i32::from(self.history[Self::at(mv, side)])
    }

    /// Records that `mv` caused a cutoff at ply `ply`, and that `earlier`, tried before it, did not.
    pub(super) fn cutoff(&mut self, mv: M, earlier: impl Iterator<Item = M>, side: usize, depth: i32, ply: usize) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
        let bonus = (depth * depth).min(400);
        let mut learn = |mv: M, by: i32| {
            let entry = &mut self.history[Self::at(mv, side)];
            let old = i32::from(*entry);
            *entry = (old + by * 8 - old * by.abs() * 8 / MAX_HISTORY) as i16;
        };
        learn(mv, bonus);
        earlier.for_each(|mv| learn(mv, -bonus));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_stays_in_its_range() {
        let mut order = Order::new();
        for _ in 0..1000 {
            order.cutoff(1u8, [2u8, 3].into_iter(), 0, 20, 3);
        }
        assert!((MAX_HISTORY / 2..=MAX_HISTORY).contains(&order.rank(1, 0, 0, 4)), "{}", order.rank(1, 0, 0, 4));
        assert!((-MAX_HISTORY..=-MAX_HISTORY / 2).contains(&order.rank(2, 0, 0, 4)));
        assert!(order.rank(1, 0, 0, 3) > order.rank(1, 0, 0, 4), "a killer comes first at its ply");
        assert_eq!(order.rank(1, 2, 1, 4), 128, "the other side has a separate history");
    }
}
