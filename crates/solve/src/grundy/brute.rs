//! Mex over every pair: the plain loop that the others are measured against, and its vector form.

use super::Overflow;
use super::kernel::{BATCH, Level, Seen, mark};
use super::table::Table;
use super::takes::Takes;

/// The value of heap `g.len()` straight from the definition. `seen` is all zero before and after.
#[must_use]
pub(super) fn plain(takes: &Takes, g: &[u16], seen: &mut Seen) -> Option<u16> {
    let (n, mut top) = (g.len(), 0);
    let mut note = |v: u16| {
        seen[usize::from(v)] = 1;
        top = top.max(v);
    };
    takes.small(g, &mut note);
    for &i in &takes.two {
        for a in 1..takes.end(n, i) {
            note(g[a] ^ g[n - i - a]);
        }
    }
    let mex = seen.iter().position(|&s| s == 0);
    seen[..=usize::from(top)].fill(0);
    mex.map(|v| v as u16)
}

/// The vector form: mark a part of the pairs, then look through all of them for the first few missing values.
#[derive(Debug)]
pub(super) struct Brute {
    level: Level,
    /// All zero between two calls.
    seen: Box<Seen>,
    /// Runs of pairs marked for each take.
    runs: usize,
}

/// Pairs marked in one go.
const RUN: usize = 64;

impl Brute {
    pub(super) fn new(level: Level) -> Brute {
        Brute { level, seen: vec![0; 1 << 16].try_into().expect("the size"), runs: 96 }
    }

    /// The value of the next heap.
    pub(super) fn value(&mut self, takes: &Takes, t: &Table) -> Result<u16, Overflow> {
        let n = t.len();
        let seen = &mut self.seen;
        takes.small(t.values(), |v| seen[usize::from(v)] = 1);
        let mut whole = true;
        for &i in &takes.two {
            whole &= self.mark_some(t, n - i.min(n), takes.end(n, i));
        }
        let value = if whole { self.missing(0).next().map(|v| (v, 0)) } else { self.settle(takes, t) };
        // What was marked came from the table, which need not have been filled by this engine.
        self.seen[..=t.most()].fill(0);
        let (v, batches) = value.ok_or(Overflow(n))?;
        if !whole {
            // One batch is the least there is; each further one costs as much as marking a quarter of the pairs.
            let runs = if batches > 1 { self.runs + self.runs / 8 } else { self.runs - self.runs / 64 };
            self.runs = runs.max(64);
        }
        Ok(v)
    }

    /// Marks runs spread evenly over the pairs of `m`; all of them, and true, if they are few.
    fn mark_some(&mut self, t: &Table, m: usize, end: usize) -> bool {
        if end <= 1 {
            return true;
        }
        if end <= self.runs * RUN * 3 / 2 {
            let (x, y) = t.pairs(m, 1, end);
            mark(x, y, &mut self.seen);
            return true;
        }
        let step = (end - 1 - RUN) / self.runs;
        for from in (0..self.runs).map(|k| 1 + k * step) {
            let (x, y) = t.pairs(m, from, from + RUN);
            mark(x, y, &mut self.seen);
        }
        false
    }

    fn missing(&self, from: usize) -> impl Iterator<Item = u16> + '_ {
        (from..self.seen.len()).filter(|&v| self.seen[v] == 0).map(|v| v as u16)
    }

    /// The first value no pair has, and how many batches it took to find it.
    fn settle(&self, takes: &Takes, t: &Table) -> Option<(u16, usize)> {
        let (n, mut from) = (t.len(), 0);
        for batches in 1.. {
            let mut wanted = [0; BATCH];
            let mut missing = self.missing(from);
            let first = missing.next()?;
            // Near the end of the range the last value is looked for more than once, which does no harm.
            wanted.fill(first);
            wanted.iter_mut().skip(1).zip(&mut missing).for_each(|(w, v)| *w = v);
            let mut found = [false; BATCH];
            for &i in &takes.two {
                let end = takes.end(n, i);
                if end > 1 {
                    let (x, y) = t.pairs(n - i, 1, end);
                    let here = self.level.contains_each(x, y, &wanted);
                    found.iter_mut().zip(here).for_each(|(f, h)| *f |= h);
                }
            }
            if let Some(k) = found.iter().position(|f| !f) {
                return Some((wanted[k], batches));
            }
            from = usize::from(wanted[BATCH - 1].max(first)) + 1;
        }
        None
    }
}
