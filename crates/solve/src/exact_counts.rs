//! Exact counting.

use num_bigint::BigUint;
use std::ops::AddAssign;

/// A count: a machine number while it fits, a big one when it does not. It takes 16 bytes, and starts at 0.
#[derive(Clone, Debug)]
pub(crate) enum Tally {
    Small(u64),
    Large(Box<BigUint>),
}

impl Tally {
    pub(crate) const ONE: Tally = Tally::Small(1);

    /// The exact number.
    pub(crate) fn big(&self) -> BigUint {
        match self {
            Tally::Small(n) => BigUint::from(*n),
            Tally::Large(n) => n.as_ref().clone(),
        }
    }
}

impl Default for Tally {
    fn default() -> Tally {
        Tally::Small(0)
    }
}

impl AddAssign<&Tally> for Tally {
    #[inline]
    fn add_assign(&mut self, other: &Tally) {
        match (&mut *self, other) {
            (Tally::Small(a), Tally::Small(b)) => match a.checked_add(*b) {
                Some(sum) => *a = sum,
                None => *self = Tally::Large(Box::new(BigUint::from(*a) + *b)),
            },
            (Tally::Large(a), Tally::Small(b)) => **a += *b,
            (Tally::Large(a), Tally::Large(b)) => **a += &**b,
            (Tally::Small(a), Tally::Large(b)) => *self = Tally::Large(Box::new(&**b + *a)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::Rng;

    #[test]
    fn sums_are_exact_however_large() {
        assert_eq!(size_of::<Tally>(), 16);
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            // Each number is one of those before it, or new: sums double, and pass every limit at some time.
            let mut sums = vec![(Tally::ONE, BigUint::from(1u32)), (Tally::default(), BigUint::default())];
            for _ in 0..200 {
                let (mut sum, mut expected) = sums[rng.below(sums.len())].clone();
                let (other, also) = sums[sums.len() - 1 - rng.below(2)].clone();
                sum += &other;
                expected += also;
                assert_eq!(sum.big(), expected);
                sums.push((sum, expected));
            }
        }
    }
}
