//! The evaluation: rows that are still open, and rows about to be completed.

use super::{Mnk, Stones};
use crate::grid::open_rows;
use agon_core::evaluate::mixed;
use agon_core::{Evaluate, Symmetric};

/// Up to this many stones on the board, the hash is that of the canonical position.
const MAX_CANONICAL_MEN: u32 = 4;

impl Evaluate for Mnk {
    #[inline]
    fn hash(&self, pos: &Stones) -> u64 {
        let (own, other) = pos.sides();
        if (own | other).count_ones() <= MAX_CANONICAL_MEN { mixed(&self.canonical(pos).0) } else { mixed(pos) }
    }

    fn evaluate(&self, pos: &Stones) -> i32 {
        let (own, other) = pos.sides();
        open_rows(&self.tables.windows, own, other, self.k)
    }

    #[inline]
    fn immediate_win(&self, pos: &mut Stones) -> Option<u8> {
        let completing = self.completing(pos.sides().0, self.empty(pos));
        (completing != 0).then(|| completing.trailing_zeros() as u8)
    }

    #[inline]
    fn in_danger(&self, pos: &mut Stones) -> bool {
        self.completing(pos.sides().1, self.empty(pos)) != 0
    }
}
