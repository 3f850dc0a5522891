//! Sparse spaces: a linear form on values, perhaps with the heap's parity, that has the same value for almost every
//! heap (*Winning Ways*, chapter 4).
//!
//! Let `f(n) = parity(G(n) & mask) + shift·n` mod 2. An option that moves an amount of parity `q` and leaves heaps
//! `a` and `b` has `parity(value & mask) + shift·n = f(a) + f(b) + shift·q`. For two common heaps the right side is
//! fixed. If it is not the common value of `f`, a common option can only come from a pair with a rare heap, and those
//! pairs are few.

use super::moves::Moves;

/// A sparse space: it divides heaps, and the values of a heap, into common and rare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Space {
    /// The bits of a value whose parity enters the form.
    pub mask: u16,
    /// True if the parity of the heap enters the form.
    pub shift: bool,
    /// The value of the form for common heaps.
    pub common: bool,
}

impl Space {
    /// Returns whether `value` is common for a heap of `n`.
    #[inline]
    #[must_use]
    pub fn is_common(self, n: usize, value: u16) -> bool {
        let odd = (value & self.mask).count_ones() & 1 == 1;
        (odd ^ (self.shift && n & 1 == 1)) == self.common
    }

    /// The space with the fewest rare heaps among `g`, and their number. `None` if no move leaves two heaps, or all
    /// values so far are zero.
    pub(super) fn best(moves: &Moves, g: &[u16]) -> Option<(Space, usize)> {
        let odd = moves.two.first()? % 2 == 1;
        let plain = fewest(g, false, true)?;
        // Two common heaps must not give a common value: 2c + q ≠ c, so c = 1 + q, for the one parity q of all amounts.
        let one_parity = moves.two.iter().all(|i| (i % 2 == 1) == odd);
        let shifted = one_parity.then(|| fewest(g, true, !odd)).flatten();
        Some(shifted.filter(|space| space.1 < plain.1).unwrap_or(plain))
    }
}

/// The mask with the fewest rare heaps, except the empty one, which would leave heaps without any common value.
fn fewest(g: &[u16], shift: bool, common: bool) -> Option<(Space, usize)> {
    let sums = transform(g, shift);
    let spaces = sums.iter().enumerate().skip(1).map(|(mask, &sum)| {
        // The sum is the number of heaps with f = 0, less those with f = 1.
        let zeros = (g.len() as i64 + sum) / 2;
        let rare = if common { zeros } else { g.len() as i64 - zeros };
        (Space { mask: mask as u16, shift, common }, rare as usize)
    });
    spaces.min_by_key(|space| space.1)
}

/// The Walsh–Hadamard transform of the histogram of `g`; heaps of odd size count −1 if `signed`.
fn transform(g: &[u16], signed: bool) -> Vec<i64> {
    let top = usize::from(g.iter().copied().max().unwrap_or(0));
    let mut sums = vec![0i64; (top + 1).next_power_of_two()];
    for (n, &v) in g.iter().enumerate() {
        sums[usize::from(v)] += if signed && n % 2 == 1 { -1 } else { 1 };
    }
    let mut half = 1;
    while half < sums.len() {
        for block in sums.chunks_mut(2 * half) {
            let (lo, hi) = block.split_at_mut(half);
            lo.iter_mut().zip(hi).for_each(|(a, b)| (*a, *b) = (*a + *b, *a - *b));
        }
        half *= 2;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Code, Rng};

    fn moves(code: &str) -> Moves {
        Moves::of(&code.parse::<Code>().expect("a code"))
    }

    #[test]
    fn a_planted_space_is_found() {
        let mut rng = Rng::new(3);
        let planted = Space { mask: 0b1_0110, shift: false, common: true };
        let mut wanted = |n: usize| loop {
            let v = rng.below(64) as u16;
            if planted.is_common(n, v) != n.is_multiple_of(100) {
                return v;
            }
        };
        let g: Vec<u16> = (0..4000).map(&mut wanted).collect();
        assert_eq!(Space::best(&moves("0.007"), &g), Some((planted, 40)));
    }

    #[test]
    fn parity_of_the_heap_is_used_only_when_every_amount_agrees() {
        let planted = Space { mask: 0b101, shift: true, common: false };
        let mut rng = Rng::new(4);
        let mut wanted = |n: usize| loop {
            let v = rng.below(8) as u16;
            if planted.is_common(n, v) {
                return v;
            }
        };
        let g: Vec<u16> = (0..4000).map(&mut wanted).collect();
        assert_eq!(Space::best(&moves("0.404"), &g), Some((planted, 0)));
        assert!(Space::best(&moves("0.44"), &g).is_some_and(|(space, _)| !space.shift));
        assert_eq!(Space::best(&moves("0.333"), &g), None);
    }
}
