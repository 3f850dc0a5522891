//! Hexadecimal codes, whose moves may leave three heaps. Values may grow with the heap, so they have 32 bits. For each
//! total, a bit set holds the values of all pairs of heaps; XOR with the value of a third heap permutes that set.

use super::moves::Moves;
use agon_core::{Ctx, Stop};

/// A set of values, as bits.
#[derive(Clone, Default, Debug)]
struct Set(Vec<u64>);

impl Set {
    fn insert(&mut self, v: u32) {
        let word = v as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (v % 64);
    }

    /// Adds `v ^ x` for every `x` of `other`.
    fn insert_all(&mut self, other: &Set, v: u32) {
        let (high, low) = (v as usize / 64, v % 64);
        let width =
            if other.0.is_empty() { 0 } else { other.0.len().next_power_of_two().max((high + 1).next_power_of_two()) };
        if width > self.0.len() {
            self.0.resize(width, 0);
        }
        for (k, &word) in other.0.iter().enumerate() {
            self.0[k ^ high] |= permuted(word, low);
        }
    }

    fn mex(&self) -> u32 {
        let full = self.0.iter().take_while(|&&word| word == u64::MAX).count();
        let rest = self.0.get(full).map_or(0, |word| word.trailing_ones());
        full as u32 * 64 + rest
    }
}

/// Moves bit `j` to bit `j ^ low`.
fn permuted(mut word: u64, low: u32) -> u64 {
    const MASKS: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    for (bit, mask) in MASKS.iter().enumerate() {
        if low >> bit & 1 == 1 {
            let by = 1 << bit;
            word = (word & mask) << by | (word >> by & mask);
        }
    }
    word
}

/// A nim-sequence of a hexadecimal code.
#[derive(Default, Debug)]
pub(super) struct Hex {
    values: Vec<u32>,
    /// For each total, the set of values of its pairs of heaps.
    pairs: Vec<Set>,
}

impl Hex {
    pub(super) fn values(&self) -> &[u32] {
        &self.values
    }

    /// Appends the value of the next heap.
    pub(super) fn push(&mut self, value: u32) {
        let n = self.values.len();
        self.values.push(value);
        // Pairs of total n: both heaps are below n, so all are known.
        let mut set = Set::default();
        for a in 1..n / 2 + 1 {
            set.insert(self.values[a] ^ self.values[n - a]);
        }
        self.pairs.push(set);
    }

    /// Extends the sequence to `upto` values by a proven period. The sets of pairs end here: no value is computed any
    /// more.
    pub(super) fn repeat(&mut self, period: usize, upto: usize) {
        while self.values.len() < upto {
            self.values.push(self.values[self.values.len() - period]);
        }
    }

    /// Extends the sequence to `upto` values.
    pub(super) fn run(&mut self, ctx: &Ctx, moves: &Moves, upto: usize) -> Result<(), Stop> {
        while self.values.len() < upto {
            ctx.check()?;
            let value = self.next(moves);
            self.push(value);
        }
        Ok(())
    }

    fn next(&self, moves: &Moves) -> u32 {
        let (g, n) = (&self.values, self.values.len());
        let mut options = Set::default();
        moves.single_heap_options(g, |v| options.insert(v));
        for &i in moves.two.iter().filter(|&&i| i < n) {
            if i == 0 {
                // The pairs of total n are not in `pairs` yet.
                (1..moves.end(n, 0)).for_each(|a| options.insert(g[a] ^ g[n - a]));
            } else {
                options.insert_all(&self.pairs[n - i], 0);
            }
        }
        for &i in moves.three.iter().filter(|&&i| i < n) {
            let m = n - i;
            // The smallest of three heaps has at most a third of the counters.
            for (c, &value) in g.iter().enumerate().take(m / 3 + 1).skip(1) {
                options.insert_all(&self.pairs[m - c], value);
            }
        }
        options.mex()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permuting_bits_is_xor_of_their_numbers() {
        for low in [0, 1, 5, 31, 63] {
            for bit in 0..64 {
                assert_eq!(permuted(1 << bit, low), 1 << (bit ^ low));
            }
        }
    }

    #[test]
    fn sets_agree_with_lists() {
        let mut set = Set::default();
        for v in [0, 1, 2, 64, 200] {
            set.insert(v);
        }
        assert_eq!(set.mex(), 3);
        let mut moved = Set::default();
        moved.insert_all(&set, 130);
        let holds = |v: u32| moved.0[v as usize / 64] >> (v % 64) & 1 == 1;
        for v in 0..256 {
            assert_eq!(holds(v), [0u32, 1, 2, 64, 200].iter().any(|x| x ^ 130 == v), "{v}");
        }
    }
}
