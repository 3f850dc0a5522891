//! Nim-sequences of octal and hexadecimal games: `G(n)` for n = 0, 1, 2, … (*Winning Ways*, chapter 4).
//!
//! | module | what it does |
//! |---|---|
//! | `moves` | the moves of a code, by the number of heaps they leave |
//! | `brute` | mex over all pairs, scalar and vectorised |
//! | `sparse_space` | finds a sparse space: a linear form that has the same value for almost all heaps |
//! | `rare_heaps`, `witness`, `sparse` | mex through a sparse space, each value proven |
//! | `hex` | hexadecimal codes, whose moves may leave three heaps |
//! | `period` | periods, proven by the theorem of Guy and Smith (1956) |
//! | `stats` | maximum, frequencies and first occurrences |
//!
//! No value is guessed. For each value, every smaller one was found as an option, and the value itself was searched
//! for in every pair that could have it.

mod brute;
mod hex;
mod kernel;
mod moves;
pub mod period;
mod rare_heaps;
mod sparse;
mod sparse_space;
pub mod stats;
mod table;
mod witness;

pub use kernel::Level;
pub use period::Period;
pub use sparse_space::Space;
pub use stats::Stats;

use agon_core::{Code, Ctx, Stop};
use brute::Brute;
use hex::Hex;
use moves::Moves;
use sparse::Sparse;
use std::fmt;
use table::Table;

/// `Method::Auto` tries sparse spaces from this length on.
const MIN_SPARSE_LEN: usize = 1 << 12;

/// The method by which values are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Method {
    /// The fastest: brute force, then a sparse space once one pays. A proven period ends the computation.
    Auto,
    /// A scalar loop over all pairs.
    Plain,
    /// All pairs, vectorised.
    Brute(Level),
    /// The sparse space with the fewest rare heaps from the given heap on, whether it pays or not.
    Sparse(Level, usize),
}

/// The value of this heap does not fit in 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow(pub usize);

/// Why a sequence was not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The work was cancelled or ran out of budget. The values so far are valid.
    Stopped(Stop),
    /// The value of this heap does not fit in 16 bits.
    Overflow(usize),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

impl From<Failure> for agon_core::solver::Failed {
    fn from(failure: Failure) -> agon_core::solver::Failed {
        match failure {
            Failure::Stopped(stop) => stop.into(),
            Failure::Overflow(heap) => agon_core::solver::Failed::OutOfRange {
                what: format!("the value of heap {heap}"),
                limit: u16::MAX.into(),
            },
        }
    }
}

impl From<Overflow> for Failure {
    fn from(Overflow(n): Overflow) -> Failure {
        Failure::Overflow(n)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped(stop) => stop.fmt(f),
            Failure::Overflow(n) => write!(f, "the value of heap {n} is above 65535, which this engine cannot hold"),
        }
    }
}

impl std::error::Error for Failure {}

/// A nim-sequence that is being computed.
#[derive(Debug)]
pub struct Grundy {
    code: Code,
    moves: Moves,
    method: Method,
    capacity: usize,
    values: Values,
    brute: Brute,
    seen: Box<kernel::Seen>,
    sparse: Option<(Space, Sparse)>,
    /// The lengths at which to search for a better space, and for a period.
    retry_at: usize,
    period_at: usize,
    period: Option<Period>,
}

/// The storage of the values.
#[derive(Debug)]
enum Values {
    /// Octal codes: 16 bits a value.
    Octal(Table),
    /// Hexadecimal codes: 32 bits a value.
    Hex(Hex),
}

impl Grundy {
    /// The sequence `G(0), …, G(to)` of a code. Only `G(0) = 0` is computed yet.
    #[must_use]
    pub fn new(code: &Code, to: usize, method: Method) -> Grundy {
        Grundy::resume(code, to, method, &[0])
    }

    /// As [`Grundy::new`], with known values from `G(0)` on, which are trusted.
    #[must_use]
    pub fn resume(code: &Code, to: usize, method: Method, known: &[u32]) -> Grundy {
        let capacity = to + 1;
        let known = &known[..known.len().min(capacity)];
        let octal = code.most_heaps() < 3 && known.iter().all(|&v| v < 1 << 16);
        let mut values = if octal { Values::Octal(Table::new(capacity)) } else { Values::Hex(Hex::default()) };
        for &v in known {
            match &mut values {
                Values::Octal(table) => table.push(v as u16),
                Values::Hex(hex) => hex.push(v),
            }
        }
        let level = match method {
            Method::Brute(level) | Method::Sparse(level, _) => level,
            Method::Auto | Method::Plain => Level::best(),
        };
        Grundy {
            code: code.clone(),
            moves: Moves::of(code),
            method,
            capacity,
            values,
            brute: Brute::new(level),
            seen: vec![0; 1 << 16].try_into().expect("the size"),
            sparse: None,
            retry_at: 0,
            // The other methods compute every value themselves.
            period_at: if method == Method::Auto { 0 } else { usize::MAX },
            period: None,
        }
    }

    /// Approximate memory in bytes for the sequence up to `G(to)`.
    #[must_use]
    pub fn memory(code: &Code, to: usize) -> u64 {
        let n = to as u64 + 1;
        if code.most_heaps() < 3 {
            // Two tables and the front at 2 bytes each; the period search and the result at 4 bytes each.
            n.saturating_mul(14)
        } else {
            n.saturating_mul(4).saturating_add(n.saturating_mul(n) / 8)
        }
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The number of values so far.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Octal(table) => table.len(),
            Values::Hex(hex) => hex.values().len(),
        }
    }

    /// Returns whether there is no value; never true.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `G(n)`, if it is computed.
    #[must_use]
    pub fn value(&self, n: usize) -> Option<u32> {
        match &self.values {
            Values::Octal(table) => table.values().get(n).map(|&v| u32::from(v)),
            Values::Hex(hex) => hex.values().get(n).copied(),
        }
    }

    /// All values so far.
    pub fn values(&self) -> impl Iterator<Item = u32> + '_ {
        let (octal, hex): (&[u16], &[u32]) = match &self.values {
            Values::Octal(table) => (table.values(), &[]),
            Values::Hex(hex) => (&[], hex.values()),
        };
        octal.iter().map(|&v| u32::from(v)).chain(hex.iter().copied())
    }

    /// The period, once it is proven. Only [`Method::Auto`] searches for one during [`Grundy::run`].
    #[must_use]
    pub fn period(&self) -> Option<&Period> {
        self.period.as_ref()
    }

    /// Searches for a period that the values so far prove.
    pub fn find_period(&mut self) -> Option<&Period> {
        if self.period.is_none() {
            self.period = match &self.values {
                Values::Octal(table) => period::find(&self.code, table.values()),
                Values::Hex(hex) => period::find(&self.code, hex.values()),
            };
        }
        self.period.as_ref()
    }

    /// The sparse space in use, and the number of rare heaps in it.
    #[must_use]
    pub fn space(&self) -> Option<(Space, usize)> {
        self.sparse.as_ref().map(|(space, sparse)| (*space, sparse.rare_count()))
    }

    /// The number of speculative values that turned out wrong and were corrected.
    #[must_use]
    pub fn rollbacks(&self) -> usize {
        self.sparse.as_ref().map_or(0, |(_, sparse)| sparse.rollbacks)
    }

    /// Extends the sequence to `G(to)`, at most to its capacity. After a failure you can call it again.
    pub fn run(&mut self, ctx: &Ctx, to: usize) -> Result<(), Failure> {
        let upto = self.capacity.min(to + 1);
        while self.len() < upto {
            ctx.check()?;
            ctx.progress("grundy", self.len() as u64, Some(self.capacity as u64));
            if self.len() >= self.period_at {
                self.period_at = self.len() + self.len() / 4 + 32;
                self.find_period();
            }
            match self.period.clone() {
                Some(period) => self.repeat(period.period, upto),
                None => self.extend(ctx, upto.min(self.period_at.max(self.len() + 1)))?,
            }
        }
        Ok(())
    }

    /// Extends the sequence by a proven period.
    fn repeat(&mut self, period: usize, upto: usize) {
        match &mut self.values {
            Values::Octal(table) => table.repeat(period, upto),
            Values::Hex(hex) => hex.repeat(period, upto),
        }
    }

    /// Extends the sequence by the current method.
    fn extend(&mut self, ctx: &Ctx, upto: usize) -> Result<(), Failure> {
        self.choose_space();
        let table = match &mut self.values {
            Values::Hex(hex) => return Ok(hex.run(ctx, &self.moves, upto)?),
            Values::Octal(table) => table,
        };
        if let Some((_, sparse)) = &mut self.sparse {
            return sparse.run(ctx, &self.moves, table, upto.min(self.retry_at.max(table.len() + 1)));
        }
        let upto = upto.min(self.retry_at.max(table.len() + 1));
        while table.len() < upto {
            ctx.check()?;
            let value = match self.method {
                Method::Plain => {
                    brute::plain(&self.moves, table.values(), &mut self.seen).ok_or(Overflow(table.len()))?
                }
                _ => self.brute.value(&self.moves, table)?,
            };
            table.push(value);
        }
        Ok(())
    }

    /// Searches for a better sparse space, each time the sequence has grown by a quarter.
    fn choose_space(&mut self) {
        let Values::Octal(table) = &self.values else { return };
        let len = table.len();
        let (level, forced) = match self.method {
            Method::Auto => (Level::best(), None),
            Method::Sparse(level, from) => (level, Some(from)),
            Method::Plain | Method::Brute(_) => {
                self.retry_at = usize::MAX;
                return;
            }
        };
        if len < self.retry_at {
            return;
        }
        let first = forced.unwrap_or(MIN_SPARSE_LEN);
        self.retry_at = if len < first { first } else { len + len / 4 };
        if len < first {
            return;
        }
        let Some((space, rares)) = Space::best(&self.moves, table.values()) else { return };
        // A rare heap costs about a third of a pair, because it is seldom marked.
        let pays = forced.is_some() || rares < len / 3;
        let same = self.sparse.as_ref().is_some_and(|(old, _)| *old == space);
        if pays && !same {
            self.sparse = Some((space, Sparse::new(level, space, &self.moves, table, self.capacity)));
        }
    }
}

#[cfg(test)]
mod tests;
