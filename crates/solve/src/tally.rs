//! Exact counting: machine numbers while they last, big ones when they do not.

use num_bigint::BigUint;

/// A number that notices when it is too small for the job.
pub trait Tally: Clone + Send {
    /// 0 or 1.
    fn small(n: u32) -> Self;
    /// Adds `other`; `None` on overflow.
    fn add(&mut self, other: &Self) -> Option<()>;
    /// The exact number.
    fn big(&self) -> BigUint;
}

impl Tally for u128 {
    fn small(n: u32) -> u128 {
        u128::from(n)
    }
    fn add(&mut self, other: &u128) -> Option<()> {
        *self = self.checked_add(*other)?;
        Some(())
    }
    fn big(&self) -> BigUint {
        BigUint::from(*self)
    }
}

impl Tally for BigUint {
    fn small(n: u32) -> BigUint {
        BigUint::from(n)
    }
    fn add(&mut self, other: &BigUint) -> Option<()> {
        *self += other;
        Some(())
    }
    fn big(&self) -> BigUint {
        self.clone()
    }
}
