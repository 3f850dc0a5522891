//! Rare values by witnesses: each one below a candidate must be shown to be an option, or the candidate is wrong.

use super::kernel::{Level, Seen, mark};
use super::rares::Kinds;
use super::table::Table;
use super::takes::Takes;

/// Pairs marked in one go.
const RUN: usize = 64;
/// Pairs looked through for a single value in one go.
const STRIDE: usize = 1024;
/// A pair looked at costs about this part of a pair marked.
const CHEAPER: u64 = 20;

/// Where pairs stand: the index of the take, and a number of pairs.
type Place = (u16, u32);

/// Proves that every rare value below a candidate is an option, or finds the first that is not.
#[derive(Debug)]
pub(super) struct Witnesses {
    level: Level,
    seen: Box<Seen>,
    /// The stride where each value was last found.
    hints: Vec<Place>,
    missing: Vec<u16>,
    /// The runs marked for every heap.
    runs: Vec<Place>,
    /// How many runs to mark after the next training.
    wanted: usize,
    trained: usize,
    marked: u64,
    looked: u64,
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
            looked: 0,
        }
    }

    /// The value of heap `n`, given the smallest common value `m` that is not an option. Only the values of heaps
    /// below `n` are used.
    pub(super) fn settle(&mut self, takes: &Takes, kinds: &Kinds, t: &Table, n: usize, m: u16) -> u16 {
        if !(self.trained..self.trained + (n / 32).clamp(1024, 16384)).contains(&n) || self.trained == 0 {
            self.train(takes, t, n);
        }
        let width = kinds.width();
        let seen = &mut self.seen;
        seen[..width].fill(0);
        takes.small(&t.values()[..n], |v| seen[usize::from(v)] = 1);
        self.mark_runs(takes, t, n);
        let mut missing = std::mem::take(&mut self.missing);
        missing.clear();
        let below = kinds.missing(n, false, &self.seen[..width], &mut |v| {
            missing.push(v);
            v < m
        });
        if below {
            // Nothing was ever seen at or above the width.
            missing.extend((width..usize::from(m)).map(|v| v as u16));
        }
        let lacking = missing.iter().copied().find(|&v| v < m && !self.is_option(takes, t, n, v));
        self.missing = missing;
        lacking.unwrap_or(m)
    }

    fn mark_runs(&mut self, takes: &Takes, t: &Table, n: usize) {
        for &(k, from) in &self.runs {
            let (i, from) = (takes.two[usize::from(k)], from as usize);
            let to = (from + RUN).min(takes.end(n, i));
            if from < to {
                let (x, y) = t.pairs(n - i, from, to);
                mark(x, y, &mut self.seen);
            }
        }
        self.marked += (self.runs.len() * RUN) as u64;
    }

    /// Looks for a pair of value `v`, first where one was last found.
    fn is_option(&mut self, takes: &Takes, t: &Table, n: usize, v: u16) -> bool {
        let (hint, near) = self.hints[usize::from(v)];
        for d in 0..takes.two.len() {
            let k = (usize::from(hint) + d) % takes.two.len();
            let end = takes.end(n, takes.two[k]);
            let strides = end.saturating_sub(1).div_ceil(STRIDE);
            let first = (near as usize).min(strides.saturating_sub(1));
            for s in (first..strides).chain(0..first) {
                let from = 1 + s * STRIDE;
                let (x, y) = t.pairs(n - takes.two[k], from, (from + STRIDE).min(end));
                self.looked += x.len() as u64;
                if self.level.contains(x, y, v) {
                    self.hints[usize::from(v)] = (k as u16, s as u32);
                    return true;
                }
            }
        }
        false
    }

    /// Chooses the runs to mark and where to look for each value, from all pairs of heap `n`.
    fn train(&mut self, takes: &Takes, t: &Table, n: usize) {
        // Each run marked leaves less to look for: keep the two costs in balance.
        let looked = self.looked / CHEAPER;
        if looked > self.marked {
            self.wanted += self.wanted / 6 + 1;
        } else if looked < self.marked / 2 {
            self.wanted -= self.wanted / 8;
        }
        self.wanted = self.wanted.clamp(16, 4096);
        (self.marked, self.looked, self.trained) = (0, 0, n);
        let count = self.aim(takes, t, n);
        let top = usize::from(t.values()[n.saturating_sub(1024)..n].iter().copied().max().unwrap_or(0)) + 1;
        let worth = |v: usize| if v < top { 1.0 / (f64::from(count[v]) * f64::from(count[v])) } else { 0.0 };
        let mut useful: Vec<(f64, Place)> = Vec::new();
        for (k, &i) in takes.two.iter().enumerate() {
            let (x, y) = t.pairs(n - i.min(n), 1, takes.end(n, i).max(1));
            for (s, (x, y)) in x.chunks(RUN).zip(y.chunks(RUN)).enumerate() {
                let sum = x.iter().zip(y).map(|(a, b)| worth(usize::from(a ^ b))).sum();
                useful.push((sum, (k as u16, (1 + s * RUN) as u32)));
            }
        }
        useful.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.runs = useful.iter().take(self.wanted).map(|&(_, place)| place).collect();
        self.runs.sort_unstable();
    }

    /// Points the hint of every value to the stride with most of it; returns how often each value occurs.
    fn aim(&mut self, takes: &Takes, t: &Table, n: usize) -> Vec<u32> {
        let (mut count, mut most, mut here) = (vec![0u32; 1 << 16], vec![0u32; 1 << 16], vec![0u32; 1 << 16]);
        for (k, &i) in takes.two.iter().enumerate() {
            let (x, y) = t.pairs(n - i.min(n), 1, takes.end(n, i).max(1));
            for (s, (x, y)) in x.chunks(STRIDE).zip(y.chunks(STRIDE)).enumerate() {
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
