//! Mex over every pair: the scalar reference loop, and its vectorised form.

use super::Overflow;
use super::kernel::{Level, Seen, WANTED, mark};
use super::moves::Moves;
use super::table::Table;

/// The value of heap `g.len()` straight from the definition. `seen` is all zero before and after.
#[must_use]
pub(super) fn plain(moves: &Moves, g: &[u16], seen: &mut Seen) -> Option<u16> {
    let (n, mut top) = (g.len(), 0);
    let mut note = |v: u16| {
        seen[usize::from(v)] = 1;
        top = top.max(v);
    };
    moves.single_heap_options(g, &mut note);
    for &i in &moves.two {
        for a in 1..moves.end(n, i) {
            note(g[a] ^ g[n - i - a]);
        }
    }
    let mex = seen.iter().position(|&s| s == 0);
    seen[..=usize::from(top)].fill(0);
    mex.map(|v| v as u16)
}

/// The vectorised form: marks a sample of the pairs, then searches all of them for the first few missing values.
#[derive(Debug)]
pub(super) struct Brute {
    level: Level,
    /// All zero between two calls.
    seen: Box<Seen>,
    /// Runs of pairs that are marked for each amount taken.
    runs: usize,
}

/// Pairs in a run, which is marked as a whole.
const PAIRS_PER_RUN: usize = 64;

impl Brute {
    pub(super) fn new(level: Level) -> Brute {
        Brute { level, seen: vec![0; 1 << 16].try_into().expect("the size"), runs: 96 }
    }

    /// The value of the next heap.
    pub(super) fn value(&mut self, moves: &Moves, t: &Table) -> Result<u16, Overflow> {
        let n = t.len();
        let seen = &mut self.seen;
        moves.single_heap_options(t.values(), |v| seen[usize::from(v)] = 1);
        let mut whole = true;
        for &i in &moves.two {
            whole &= self.mark_sample(t, n - i.min(n), moves.end(n, i));
        }
        let value = if whole { self.missing(0).next().map(|v| (v, 0)) } else { self.resolve(moves, t) };
        // The marks come from the table's values, which another engine may have computed.
        self.seen[..=t.max_xor()].fill(0);
        let (v, batches) = value.ok_or(Overflow(n))?;
        if !whole {
            // One batch is the minimum; each further one costs as much as marking a quarter of the pairs.
            let runs = if batches > 1 { self.runs + self.runs / 8 } else { self.runs - self.runs / 64 };
            self.runs = runs.max(64);
        }
        Ok(v)
    }

    /// Marks runs that are spread evenly over the pairs of total `m`. If the pairs are few, marks all and returns true.
    fn mark_sample(&mut self, t: &Table, m: usize, end: usize) -> bool {
        if end <= 1 {
            return true;
        }
        if end <= self.runs * PAIRS_PER_RUN * 3 / 2 {
            let (x, y) = t.pairs(m, 1, end);
            mark(x, y, &mut self.seen);
            return true;
        }
        let step = (end - 1 - PAIRS_PER_RUN) / self.runs;
        for from in (0..self.runs).map(|k| 1 + k * step) {
            let (x, y) = t.pairs(m, from, from + PAIRS_PER_RUN);
            mark(x, y, &mut self.seen);
        }
        false
    }

    fn missing(&self, from: usize) -> impl Iterator<Item = u16> + '_ {
        (from..self.seen.len()).filter(|&v| self.seen[v] == 0).map(|v| v as u16)
    }

    /// The first value that no pair has, and the number of batches it took to find it.
    fn resolve(&self, moves: &Moves, t: &Table) -> Option<(u16, usize)> {
        let (n, mut from) = (t.len(), 0);
        for batches in 1.. {
            let mut wanted = [0; WANTED];
            let mut missing = self.missing(from);
            let first = missing.next()?;
            // Near the end of the range the first value fills the unused slots, which does no harm.
            wanted.fill(first);
            wanted.iter_mut().skip(1).zip(&mut missing).for_each(|(w, v)| *w = v);
            let mut found = [false; WANTED];
            for &i in &moves.two {
                let end = moves.end(n, i);
                if end > 1 {
                    let (x, y) = t.pairs(n - i, 1, end);
                    let here = self.level.contains_each(x, y, &wanted);
                    found.iter_mut().zip(here).for_each(|(f, h)| *f |= h);
                }
            }
            if let Some(k) = found.iter().position(|f| !f) {
                return Some((wanted[k], batches));
            }
            from = usize::from(wanted[WANTED - 1].max(first)) + 1;
        }
        None
    }
}
