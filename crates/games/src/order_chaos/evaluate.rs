//! The evaluation: rows that Order can still complete, weighted by their marks.

use super::{Board, OrderChaos};
use agon_core::evaluate::mixed;
use agon_core::{Evaluate, Game, Symmetric};

/// Up to this many marks on the board, the hash is that of the canonical position.
const MAX_CANONICAL_MEN: u32 = 4;

impl Evaluate for OrderChaos {
    #[inline]
    fn hash(&self, pos: &Board) -> u64 {
        if pos.filled().count_ones() <= MAX_CANONICAL_MEN { mixed(&self.canonical(pos).0) } else { mixed(pos) }
    }

    fn evaluate(&self, pos: &Board) -> i32 {
        let filled = pos.filled();
        let mut points = 0;
        for &own in &pos.marks[..self.symbols] {
            for window in self.windows().iter().filter(|w| w.cells & filled & !own == 0) {
                let missing = self.k as u32 - (window.cells & own).count_ones();
                points += 400 >> (2 * missing).min(12);
            }
        }
        let points = points.min(10_000);
        if self.turn(pos) == self.order() { points } else { -points }
    }
}
