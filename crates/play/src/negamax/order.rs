//! Which moves to try first: those that were good before.

use agon_core::evaluate::slot;
use std::hash::Hash;

/// Bits of the table of moves.
const BITS: u32 = 14;
/// No move has more history than this, good or bad.
const MOST: i32 = 8_000;

/// Moves that refuted something, at each ply and on the whole.
pub(super) struct Order<M> {
    killers: Vec<[Option<M>; 2]>,
    history: Vec<i16>,
}

impl<M: Copy + Eq + Hash> Order<M> {
    pub(super) fn new() -> Order<M> {
        Order { killers: vec![[None; 2]; super::search::DEEPEST + 2], history: vec![0; 2 << BITS] }
    }

    fn at(mv: M, side: usize) -> usize {
        side << BITS | slot(&mv, BITS)
    }

    /// The rank of a move of which the game says that it is worth `promise`.
    #[inline]
    pub(super) fn rank(&self, mv: M, promise: i32, side: usize, ply: usize) -> i32 {
        const KILLER: i32 = 12_000;
        let killer = match self.killers[ply] {
            [Some(first), _] if first == mv => KILLER,
            [_, Some(second)] if second == mv => KILLER - 1000,
            _ => 0,
        };
        promise * 64 + killer + i32::from(self.history[Self::at(mv, side)])
    }

    /// `mv` was good enough at ply `ply`, and `earlier`, tried before, were not.
    pub(super) fn good(&mut self, mv: M, earlier: impl Iterator<Item = M>, side: usize, depth: i32, ply: usize) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
        let share = (depth * depth).min(400);
        let mut learn = |mv: M, by: i32| {
            let kept = &mut self.history[Self::at(mv, side)];
            let old = i32::from(*kept);
            *kept = (old + by * 8 - old * by.abs() * 8 / MOST) as i16;
        };
        learn(mv, share);
        earlier.for_each(|mv| learn(mv, -share));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_stays_in_its_range() {
        let mut order = Order::new();
        for _ in 0..1000 {
            order.good(1u8, [2u8, 3].into_iter(), 0, 20, 3);
        }
        assert!((MOST / 2..=MOST).contains(&order.rank(1, 0, 0, 4)), "{}", order.rank(1, 0, 0, 4));
        assert!((-MOST..=-MOST / 2).contains(&order.rank(2, 0, 0, 4)));
        assert!(order.rank(1, 0, 0, 3) > order.rank(1, 0, 0, 4), "a killer comes first at its ply");
        assert_eq!(order.rank(1, 2, 1, 4), 128, "the other side has a history of its own");
    }
}
