//! The values so far, stored forwards and backwards, so that the pairs `a + b = m` are two contiguous slices.

/// `G(0), G(1), …` up to a fixed capacity.
#[derive(Debug)]
pub(super) struct Table {
    len: usize,
    forward: Vec<u16>,
    backward: Vec<u16>,
    /// The bits of all values ever pushed.
    bits: u16,
}

impl Table {
    pub(super) fn new(capacity: usize) -> Table {
        Table { len: 0, forward: vec![0; capacity], backward: vec![0; capacity], bits: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn values(&self) -> &[u16] {
        &self.forward[..self.len]
    }

    #[inline]
    pub(super) fn push(&mut self, value: u16) {
        let back = self.backward.len() - 1 - self.len;
        self.forward[self.len] = value;
        self.backward[back] = value;
        self.bits |= value;
        self.len += 1;
    }

    /// Extends the values to `upto` by repeating the last `period` of them, in blocks that double.
    pub(super) fn repeat(&mut self, period: usize, upto: usize) {
        let mut block = period;
        while self.len < upto {
            let count = block.min(upto - self.len);
            let (from, back) = (self.len - block, self.backward.len() - self.len);
            self.forward.copy_within(from..from + count, self.len);
            self.backward.copy_within(back + block - count..back + block, back - count);
            self.len += count;
            block += count;
        }
    }

    /// An upper bound of every value and of every XOR of values.
    pub(super) fn max_xor(&self) -> usize {
        usize::from(self.bits)
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// The slices `G(a)` and `G(m - a)` for `a` in `from..to`.
    #[inline]
    pub(super) fn pairs(&self, m: usize, from: usize, to: usize) -> (&[u16], &[u16]) {
        let base = self.backward.len() - 1 - m;
        (&self.forward[from..to], &self.backward[base + from..base + to])
    }
}
