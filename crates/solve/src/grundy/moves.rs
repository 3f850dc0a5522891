//! The moves of a code, laid out for the inner loops.

use agon_core::Code;

/// The amounts you may take from a heap, by the number of heaps (0 to 3) that the move leaves.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    zero: Vec<usize>,
    one: Vec<usize>,
    /// Amounts whose removal may leave two heaps.
    pub(super) two: Vec<usize>,
    /// Amounts whose removal may leave three heaps.
    pub(super) three: Vec<usize>,
    unequal: bool,
}

impl Moves {
    /// The moves of `code`.
    #[must_use]
    pub(super) fn of(code: &Code) -> Moves {
        Moves {
            zero: code.takes(0),
            one: code.takes(1),
            two: code.takes(2),
            three: code.takes(3),
            unequal: code.unequal(),
        }
    }

    /// Calls `each` with the value of every option of heap `n = g.len()` that has at most one heap.
    #[inline]
    pub(super) fn single_heap_options<T: Copy + Default>(&self, g: &[T], mut each: impl FnMut(T)) {
        let n = g.len();
        if self.zero.binary_search(&n).is_ok() {
            each(T::default());
        }
        for &i in self.one.iter().take_while(|&&i| i < n) {
            each(g[n - i]);
        }
    }

    /// The pairs `a + b = n - i` with `1 <= a <= b`, or `a < b` where heaps must differ, are those with `a < end`.
    #[inline]
    pub(super) fn end(&self, n: usize, i: usize) -> usize {
        let m = n.saturating_sub(i);
        if self.unequal { m.div_ceil(2) } else { m / 2 + 1 }
    }
}
