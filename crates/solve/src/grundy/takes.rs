//! A code spelled out for the loops: which amounts leave none, one, two or three heaps.

use agon_core::Code;

/// The moves of a code, by the number of heaps they leave.
#[derive(Clone, Debug)]
pub(super) struct Takes {
    zero: Vec<usize>,
    one: Vec<usize>,
    /// Amounts that may leave two heaps.
    pub(super) two: Vec<usize>,
    /// Amounts that may leave three heaps.
    pub(super) three: Vec<usize>,
    unequal: bool,
}

impl Takes {
    /// The moves of `code`.
    #[must_use]
    pub(super) fn of(code: &Code) -> Takes {
        Takes {
            zero: code.takes(0),
            one: code.takes(1),
            two: code.takes(2),
            three: code.takes(3),
            unequal: code.unequal(),
        }
    }

    /// Calls `each` for the value of every option of heap `n = g.len()` that leaves at most one heap.
    #[inline]
    pub(super) fn small<T: Copy + Default>(&self, g: &[T], mut each: impl FnMut(T)) {
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
