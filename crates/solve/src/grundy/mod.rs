//! Grundy sequences of games on heaps: `G(n)` for every octal or hexadecimal code.
//!
//! | module | what it does |
//! |---|---|
//! | `brute` | mex over all pairs, plain and with vectors |
//! | `space` | finds a sparse space: a linear form that almost all heaps answer alike |
//! | `rares`, `witness`, `sparse` | mex through a sparse space, each value proved |
//! | `wide` | codes that leave three heaps |
//! | `period` | periods, proved by the theorem of Guy and Smith |
//! | `stats` | what a sequence looks like |
//!
//! Nothing is guessed: a value is the smallest for which every smaller one was found as an option, and which itself
//! was looked for in every pair that could give it.

mod brute;
mod kernel;
pub mod period;
mod rares;
mod space;
mod sparse;
pub mod stats;
mod table;
mod takes;
mod wide;
mod witness;

pub use kernel::Level;
pub use period::Period;
pub use space::Space;
pub use stats::Stats;

use agon_core::{Code, Ctx, Stop};
use brute::Brute;
use sparse::Sparse;
use std::fmt;
use table::Table;
use takes::Takes;
use wide::Wide;

/// How values are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Whatever is fastest: brute force, then a sparse space once one pays; a proved period ends the work.
    Auto,
    /// The plain loop over all pairs.
    Plain,
    /// All pairs, with vectors.
    Brute(Level),
    /// The sparse space with the fewest rare heaps from the given heap on, whether it pays or not.
    Sparse(Level, usize),
}

/// A value that does not fit in 16 bits, at that heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow(pub usize);

/// Why a sequence was not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Somebody asked for it, or the budget is used up. What is there stays valid.
    Stopped(Stop),
    /// The value of that heap does not fit in 16 bits.
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
            overflow @ Failure::Overflow(_) => agon_core::solver::Failed::OutOfRange(overflow.to_string()),
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

/// A Grundy sequence in the making.
#[derive(Debug)]
pub struct Grundy {
    code: Code,
    takes: Takes,
    method: Method,
    capacity: usize,
    values: Values,
    brute: Brute,
    seen: Box<kernel::Seen>,
    sparse: Option<(Space, Sparse)>,
    /// When to look for a better space, and for a period.
    retry_at: usize,
    period_at: usize,
    period: Option<Period>,
}

#[derive(Debug)]
enum Values {
    Narrow(Table),
    Wide(Wide),
}

impl Grundy {
    /// The sequence `G(0), …, G(to)` of a code, of which only `G(0) = 0` is there yet.
    #[must_use]
    pub fn new(code: &Code, to: usize, method: Method) -> Grundy {
        Grundy::resume(code, to, method, &[0])
    }

    /// As [`Grundy::new`], with values that are known already; they are taken as they are, from `G(0)` on.
    #[must_use]
    pub fn resume(code: &Code, to: usize, method: Method, known: &[u32]) -> Grundy {
        let capacity = to + 1;
        let known = &known[..known.len().min(capacity)];
        let narrow = code.most_heaps() < 3 && known.iter().all(|&v| v < 1 << 16);
        let mut values = if narrow { Values::Narrow(Table::new(capacity)) } else { Values::Wide(Wide::default()) };
        for &v in known {
            match &mut values {
                Values::Narrow(table) => table.push(v as u16),
                Values::Wide(wide) => wide.push(v),
            }
        }
        let level = match method {
            Method::Brute(level) | Method::Sparse(level, _) => level,
            Method::Auto | Method::Plain => Level::best(),
        };
        Grundy {
            code: code.clone(),
            takes: Takes::of(code),
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

    /// Bytes needed for the sequence to `to`, about.
    #[must_use]
    pub fn memory(code: &Code, to: usize) -> u64 {
        let n = to as u64 + 1;
        if code.most_heaps() < 3 {
            // Two tables and a front of 16 bits, and 32 bits each to look for a period and to tell the values.
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

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Narrow(table) => table.len(),
            Values::Wide(wide) => wide.values().len(),
        }
    }

    /// Whether no value is there; never true.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `G(n)`, if it is there.
    #[must_use]
    pub fn value(&self, n: usize) -> Option<u32> {
        match &self.values {
            Values::Narrow(table) => table.values().get(n).map(|&v| u32::from(v)),
            Values::Wide(wide) => wide.values().get(n).copied(),
        }
    }

    /// All values so far.
    pub fn values(&self) -> impl Iterator<Item = u32> + '_ {
        let (narrow, wide): (&[u16], &[u32]) = match &self.values {
            Values::Narrow(table) => (table.values(), &[]),
            Values::Wide(wide) => (&[], wide.values()),
        };
        narrow.iter().map(|&v| u32::from(v)).chain(wide.iter().copied())
    }

    /// The values as 16-bit numbers, where the engine holds them so.
    #[must_use]
    pub fn into_narrow(self) -> Option<Vec<u16>> {
        match self.values {
            Values::Narrow(table) => Some(table.into_values()),
            Values::Wide(_) => None,
        }
    }

    /// The period, once it is proved. Only [`Method::Auto`] looks for one on its way.
    #[must_use]
    pub fn period(&self) -> Option<&Period> {
        self.period.as_ref()
    }

    /// Looks for a period that the values so far prove.
    pub fn find_period(&mut self) -> Option<&Period> {
        if self.period.is_none() {
            self.period = match &self.values {
                Values::Narrow(table) => period::find(&self.code, table.values()),
                Values::Wide(wide) => period::find(&self.code, wide.values()),
            };
        }
        self.period.as_ref()
    }

    /// The sparse space in use, and how many heaps are rare in it.
    #[must_use]
    pub fn space(&self) -> Option<(Space, usize)> {
        self.sparse.as_ref().map(|(space, sparse)| (*space, sparse.rares()))
    }

    /// How often a value computed ahead in the sparse space turned out wrong and was corrected.
    #[must_use]
    pub fn rollbacks(&self) -> usize {
        self.sparse.as_ref().map_or(0, |(_, sparse)| sparse.rollbacks)
    }

    /// Extends the sequence to `G(to)`, or to the end it was made for. After a failure it can be called again.
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
                None => self.stretch(ctx, upto.min(self.period_at.max(self.len() + 1)))?,
            }
        }
        Ok(())
    }

    fn repeat(&mut self, period: usize, upto: usize) {
        while self.len() < upto {
            let value = self.value(self.len() - period).expect("a value one period before");
            match &mut self.values {
                Values::Narrow(table) => table.push(value as u16),
                Values::Wide(wide) => wide.push(value),
            }
        }
    }

    /// Extends the sequence by the way that now seems best.
    fn stretch(&mut self, ctx: &Ctx, upto: usize) -> Result<(), Failure> {
        self.choose();
        let table = match &mut self.values {
            Values::Wide(wide) => return Ok(wide.run(ctx, &self.takes, upto)?),
            Values::Narrow(table) => table,
        };
        if let Some((_, sparse)) = &mut self.sparse {
            return sparse.run(ctx, &self.takes, table, upto.min(self.retry_at.max(table.len() + 1)));
        }
        let upto = upto.min(self.retry_at.max(table.len() + 1));
        while table.len() < upto {
            ctx.check()?;
            let value = match self.method {
                Method::Plain => {
                    brute::plain(&self.takes, table.values(), &mut self.seen).ok_or(Overflow(table.len()))?
                }
                _ => self.brute.value(&self.takes, table)?,
            };
            table.push(value);
        }
        Ok(())
    }

    /// Looks for a better sparse space, each time the sequence has grown by a quarter.
    fn choose(&mut self) {
        let Values::Narrow(table) = &self.values else { return };
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
        let first = forced.unwrap_or(1 << 12);
        self.retry_at = if len < first { first } else { len + len / 4 };
        if len < first {
            return;
        }
        let Some((space, rares)) = Space::best(&self.takes, table.values()) else { return };
        // A rare heap costs about a third of a pair: it is seldom marked.
        let pays = forced.is_some() || rares < len / 3;
        let same = self.sparse.as_ref().is_some_and(|(old, _)| *old == space);
        if pays && !same {
            self.sparse = Some((space, Sparse::new(level, space, &self.takes, table, self.capacity)));
        }
    }
}

#[cfg(test)]
mod tests;
