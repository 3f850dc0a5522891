//! Rare options, by witnesses: a candidate is the mex only if a pair witnesses each smaller rare value.

use super::kernel::{Level, Seen, mark};
use super::moves::Moves;
use super::rare_heaps::Classes;
use super::table::Table;

/// Pairs in a run, which is marked as a whole.
const PAIRS_PER_RUN: usize = 64;
/// Pairs in a stride, which is searched for one value as a whole.
const PAIRS_PER_STRIDE: usize = 1024;
/// Marking a pair costs about this many times as much as searching it.
const MARK_COST: u64 = 20;

/// A run or a stride: the index of the amount in `Moves::two`, and the first pair or the number of the stride.
type Span = (u16, u32);

/// Proves that every rare value below a candidate is an option, or finds the first that is not.
#[derive(Debug)]
pub(super) struct Witnesses {
    level: Level,
    seen: Box<Seen>,
    /// For each value, the stride in which it was last found.
    hints: Vec<Span>,
    missing: Vec<u16>,
    /// The runs that are marked for every heap.
    runs: Vec<Span>,
    /// The number of runs to mark after the next training.
    wanted: usize,
    trained: usize,
    /// Pairs marked and searched since the last training.
    marked: u64,
    searched: u64,
}

impl Witnesses {
    pub(super) fn new(level: Level) -> Witnesses {
        Witnesses {
            level,
            seen: vec![0; 1 << 16].try_into().expect("the size"),
            hints: vec![(0, 0); 1 << 16],
            missing: Vec::new(),
            runs: Vec::new(),
            wanted: 48,
            trained: 0,
            marked: 0,
            searched: 0,
        }
    }

    /// The value of heap `n`, given the smallest common value `m` that is not an option. Only the values of heaps
    /// below `n` are used.
    pub(super) fn resolve(&mut self, moves: &Moves, classes: &Classes, t: &Table, n: usize, m: u16) -> u16 {
        if !(self.trained..self.trained + (n / 32).clamp(1024, 16384)).contains(&n) || self.trained == 0 {
            self.train(moves, t, n);
        }
        let width = classes.width();
        let seen = &mut self.seen;
        seen[..width].fill(0);
        moves.single_heap_options(&t.values()[..n], |v| seen[usize::from(v)] = 1);
        self.mark_runs(moves, t, n);
        let mut missing = std::mem::take(&mut self.missing);
        missing.clear();
        let below = classes.missing(n, false, &self.seen[..width], &mut |v| {
            missing.push(v);
            v < m
        });
        if below {
            // No option is at or above the width.
            missing.extend((width..usize::from(m)).map(|v| v as u16));
        }
        let lacking = missing.iter().copied().find(|&v| v < m && !self.is_option(moves, t, n, v));
        self.missing = missing;
        lacking.unwrap_or(m)
    }

    fn mark_runs(&mut self, moves: &Moves, t: &Table, n: usize) {
        for &(k, from) in &self.runs {
            let (i, from) = (moves.two[usize::from(k)], from as usize);
            let to = (from + PAIRS_PER_RUN).min(moves.end(n, i));
            if from < to {
                let (x, y) = t.pairs(n - i, from, to);
                mark(x, y, &mut self.seen);
            }
        }
        self.marked += (self.runs.len() * PAIRS_PER_RUN) as u64;
    }

    /// Searches for a pair of value `v`, first in the stride where one was last found.
    fn is_option(&mut self, moves: &Moves, t: &Table, n: usize, v: u16) -> bool {
        let (hint, near) = self.hints[usize::from(v)];
        for d in 0..moves.two.len() {
            let k = (usize::from(hint) + d) % moves.two.len();
            let end = moves.end(n, moves.two[k]);
            let strides = end.saturating_sub(1).div_ceil(PAIRS_PER_STRIDE);
            let first = (near as usize).min(strides.saturating_sub(1));
            for s in (first..strides).chain(0..first) {
                let from = 1 + s * PAIRS_PER_STRIDE;
                let (x, y) = t.pairs(n - moves.two[k], from, (from + PAIRS_PER_STRIDE).min(end));
                self.searched += x.len() as u64;
                if self.level.contains(x, y, v) {
                    self.hints[usize::from(v)] = (k as u16, s as u32);
                    return true;
                }
            }
        }
        false
    }

    /// Chooses the runs to mark and the hint of each value, from all pairs of heap `n`.
    fn train(&mut self, moves: &Moves, t: &Table, n: usize) {
        // Each marked run leaves less to search: keep the two costs in balance.
        let search_cost = self.searched / MARK_COST;
        if search_cost > self.marked {
            self.wanted += self.wanted / 6 + 1;
        } else if search_cost < self.marked / 2 {
            self.wanted -= self.wanted / 8;
        }
        self.wanted = self.wanted.clamp(16, 4096);
        (self.marked, self.searched, self.trained) = (0, 0, n);
        let count = self.set_hints(moves, t, n);
        let top = usize::from(t.values()[n.saturating_sub(1024)..n].iter().copied().max().unwrap_or(0)) + 1;
        let score = |v: usize| if v < top { 1.0 / (f64::from(count[v]) * f64::from(count[v])) } else { 0.0 };
        let mut useful: Vec<(f64, Span)> = Vec::new();
        for (k, &i) in moves.two.iter().enumerate() {
            let (x, y) = t.pairs(n - i.min(n), 1, moves.end(n, i).max(1));
            for (s, (x, y)) in x.chunks(PAIRS_PER_RUN).zip(y.chunks(PAIRS_PER_RUN)).enumerate() {
                let sum = x.iter().zip(y).map(|(a, b)| score(usize::from(a ^ b))).sum();
                useful.push((sum, (k as u16, (1 + s * PAIRS_PER_RUN) as u32)));
            }
        }
        useful.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.runs = useful.iter().take(self.wanted).map(|&(_, span)| span).collect();
        self.runs.sort_unstable();
    }

    /// Sets the hint of every value to the stride in which it is most frequent; returns how often each value occurs.
    fn set_hints(&mut self, moves: &Moves, t: &Table, n: usize) -> Vec<u32> {
        let (mut count, mut most, mut here) = (vec![0u32; 1 << 16], vec![0u32; 1 << 16], vec![0u32; 1 << 16]);
        for (k, &i) in moves.two.iter().enumerate() {
            let (x, y) = t.pairs(n - i.min(n), 1, moves.end(n, i).max(1));
            for (s, (x, y)) in x.chunks(PAIRS_PER_STRIDE).zip(y.chunks(PAIRS_PER_STRIDE)).enumerate() {
                let values = || x.iter().zip(y).map(|(a, b)| usize::from(a ^ b));
                values().for_each(|v| here[v] += 1);
                for v in values() {
                    count[v] += here[v];
                    if here[v] > most[v] {
                        most[v] = here[v];
                        self.hints[v] = (k as u16, s as u32);
                    }
                    here[v] = 0;
                }
            }
        }
        count
    }
}
