//! Common options, from the few pairs that contain a rare heap.
//!
//! For a batch of consecutive heaps, one in each vector lane:
//!
//! 1. mark the options that come from the rare heaps that were useful lately;
//! 2. list the first common values that each heap still misses;
//! 3. search for just those among the pairs of the other rare heaps.

use super::kernel::Level;
use super::moves::Moves;
use super::sparse_space::Space;

/// Heaps in a batch, one in each vector lane.
pub(super) const LANES: usize = 32;
/// Missing common values searched for together, for each heap.
pub(super) const CANDIDATES: usize = 8;
/// Rows marked together, so few that they stay in the first-level cache.
const ROWS_PER_BLOCK: usize = 8;
/// The number of last heaps whose options decide which rare heaps are marked.
const TRAINING_HEAPS: usize = 48;

/// One value for each heap of a batch.
pub(super) type Lanes = [u16; LANES];

/// Heaps and their values, smallest heap first.
#[derive(Clone, Default, Debug)]
pub(super) struct Heaps {
    at: Vec<u32>,
    value: Vec<u16>,
}

impl Heaps {
    fn push(&mut self, n: usize, v: u16) {
        self.at.push(n as u32);
        self.value.push(v);
    }

    fn len(&self) -> usize {
        self.at.len()
    }

    /// The range of the heaps with `LANES < heap <= last`. If `base` is the first heap of a batch less the counters
    /// taken, heaps up to `base - 1` have a partner in every lane; larger ones have a partner of at most `LANES`, and
    /// those pairs are marked one by one.
    fn span(&self, last: usize) -> (usize, usize) {
        let from = self.at.partition_point(|&r| r as usize <= LANES);
        (from, self.at.partition_point(|&r| r as usize <= last).max(from))
    }

    #[inline]
    pub(super) fn within(&self, (from, to): (usize, usize)) -> impl Iterator<Item = (usize, u16)> + '_ {
        self.at[from..to].iter().zip(&self.value[from..to]).map(|(&r, &v)| (r as usize, v))
    }
}

/// The class of each value, common or rare, for heaps of each parity: one byte a value.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    space: Space,
    common: [Vec<u8>; 2],
}

impl Classes {
    fn new(space: Space, width: usize) -> Classes {
        let bytes = |n| (0..width).map(|v| u8::from(space.is_common(n, v as u16))).collect();
        Classes { space, common: [bytes(0), bytes(1)] }
    }

    /// A power of two above all values so far.
    pub(super) fn width(&self) -> usize {
        self.common[0].len()
    }

    /// Calls `each` with the values of one class below the width that `seen` lacks, in order, until it returns false.
    #[inline]
    pub(super) fn missing(&self, n: usize, common: bool, seen: &[u8], each: &mut impl FnMut(u16) -> bool) -> bool {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let flip = if common { 0 } else { ONES };
        for (k, (class, seen)) in self.common[n % 2].as_chunks::<8>().0.iter().zip(seen.as_chunks::<8>().0).enumerate()
        {
            let mut open = (u64::from_le_bytes(*class) ^ flip) & !u64::from_le_bytes(*seen);
            while open != 0 {
                if !each((8 * k) as u16 + (open.trailing_zeros() / 8) as u16) {
                    return false;
                }
                open &= open - 1;
            }
        }
        true
    }

    /// The common values for heap `n` from the width on, if any.
    fn above(&self, n: usize) -> impl Iterator<Item = u16> + '_ {
        (self.width()..1 << 16).map(|v| v as u16).filter(move |&v| self.space.is_common(n, v))
    }
}

/// The rare heaps, split into those marked for every heap and those only searched.
#[derive(Debug)]
pub(super) struct RareHeaps {
    classes: Classes,
    marked: Heaps,
    others: Heaps,
    /// The number of heaps to mark after the next training.
    wanted: usize,
    /// Heaps surveyed since the last training, and those of them all of whose candidates were options.
    surveyed: usize,
    failures: usize,
    /// For each heap of the batch, the options seen: one byte a value.
    rows: Vec<u8>,
}

/// The candidates of each heap of a batch, before any of its values is known.
pub(super) struct Survey {
    base: usize,
    /// The number of candidates in each lane, below `CANDIDATES` only where 16-bit values run out.
    count: [usize; LANES],
    values: [Lanes; CANDIDATES],
    /// Zero where the value was found to be an option.
    open: [Lanes; CANDIDATES],
}

impl RareHeaps {
    pub(super) fn new(space: Space, moves: &Moves, g: &[u16]) -> RareHeaps {
        let mut rares = RareHeaps {
            classes: Classes::new(space, 0),
            marked: Heaps::default(),
            others: Heaps::default(),
            wanted: 0,
            surveyed: 0,
            failures: 0,
            rows: Vec::new(),
        };
        for (n, &v) in g.iter().enumerate().skip(1) {
            rares.add(n, v);
        }
        rares.wanted = rares.len() / 3;
        rares.widen(g.iter().copied().max().unwrap_or(0));
        rares.train(moves, g);
        rares
    }

    pub(super) fn len(&self) -> usize {
        self.marked.len() + self.others.len()
    }

    pub(super) fn classes(&self) -> &Classes {
        &self.classes
    }

    /// Makes room for `value`, which invalidates earlier surveys.
    pub(super) fn widen(&mut self, value: u16) {
        if usize::from(value) >= self.classes.width() {
            let width = (usize::from(value) + 1).next_power_of_two().max(256);
            self.classes = Classes::new(self.classes.space, width);
            self.rows = vec![0; width * LANES];
        }
    }

    /// Adds heap `n`, larger than all before, if it is rare; returns whether it is.
    pub(super) fn add(&mut self, n: usize, v: u16) -> bool {
        let rare = !self.classes.space.is_common(n, v);
        if rare {
            self.others.push(n, v);
        }
        rare
    }

    /// Chooses the rare heaps to mark: those that gave options few others gave, for the last heaps of `g`.
    pub(super) fn train(&mut self, moves: &Moves, g: &[u16]) {
        let rate = self.failures * 100 / self.surveyed.max(1);
        if rate > 8 {
            self.wanted += self.wanted / 6 + 16;
        } else if rate < 3 && self.surveyed > 0 {
            self.wanted -= self.wanted / 12;
        }
        (self.surveyed, self.failures) = (0, 0);
        let mut all: Vec<(usize, u16)> =
            [&self.marked, &self.others].iter().flat_map(|h| h.within((0, h.len()))).collect();
        all.sort_unstable();
        let useful = self.usefulness(moves, g, &all);
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&a, &b| useful[b].total_cmp(&useful[a]).then(a.cmp(&b)));
        let mut chosen = vec![false; all.len()];
        order.iter().take(self.wanted).for_each(|&k| chosen[k] = true);
        (self.marked, self.others) = Default::default();
        for (&(n, v), chosen) in all.iter().zip(chosen) {
            let list = if chosen { &mut self.marked } else { &mut self.others };
            list.push(n, v);
        }
    }

    /// For each rare heap, the sum of 1 / c² over its options below the mex, where c counts the option's occurrences.
    fn usefulness(&self, moves: &Moves, g: &[u16], all: &[(usize, u16)]) -> Vec<f32> {
        let mut useful = vec![0.0; all.len()];
        let mut count = vec![0u32; self.classes.width()];
        for n in g.len().saturating_sub(TRAINING_HEAPS).max(1)..g.len() {
            let reached = |i: usize| {
                let m = n - i.min(n);
                all[..all.partition_point(|&(r, _)| r < m)].iter().map(move |&(r, v)| usize::from(g[m - r] ^ v))
            };
            count.fill(0);
            moves.two.iter().flat_map(|&i| reached(i)).for_each(|v| count[v] += 1);
            for &i in &moves.two {
                for (score, v) in useful.iter_mut().zip(reached(i)) {
                    if v < usize::from(g[n]) {
                        *score += 1.0 / (count[v] as f32 * count[v] as f32);
                    }
                }
            }
        }
        useful
    }

    /// Surveys the `LANES` heaps from `g.len()` on: for each, finds the first common values that no marked pair has,
    /// and which of those another rare heap gives. Pairs with a heap of at most `LANES` are left to
    /// `smallest_missing`, so that no value inside the batch is needed.
    pub(super) fn survey(&mut self, level: Level, moves: &Moves, g: &[u16]) -> Survey {
        self.rows.fill(0);
        (0..LANES / ROWS_PER_BLOCK).for_each(|block| self.mark_block(moves, g, block));
        let mut survey = Survey {
            base: g.len(),
            count: [0; LANES],
            values: [[0; LANES]; CANDIDATES],
            open: [[u16::MAX; LANES]; CANDIDATES],
        };
        for lane in 0..LANES {
            let count = &mut survey.count[lane];
            self.missing(g.len() + lane, lane, &mut |v| {
                survey.values[*count][lane] = v;
                *count += 1;
                *count < CANDIDATES
            });
        }
        for &i in &moves.two {
            if let Some(last) = g.len().checked_sub(i + 1) {
                level.search_lanes(
                    &self.others,
                    self.others.span(last),
                    g,
                    g.len() - i,
                    &survey.values,
                    &mut survey.open,
                );
            }
        }
        self.surveyed += LANES;
        survey
    }

    /// The smallest common value that is no option of heap `g.len()`, which belongs to the surveyed batch.
    pub(super) fn smallest_missing(&mut self, moves: &Moves, g: &[u16], survey: &Survey) -> Option<u16> {
        let (n, lane, width) = (g.len(), g.len() - survey.base, self.classes.width());
        let row = &mut self.rows[lane * width..][..width];
        moves.single_heap_options(g, |v| row[usize::from(v)] = 1);
        for &i in &moves.two {
            let m = n.saturating_sub(i);
            for b in 1..=LANES.min(moves.end(n, i).saturating_sub(1)) {
                row[usize::from(g[b] ^ g[m - b])] = 1;
            }
        }
        for k in 0..survey.count[lane] {
            let v = survey.values[k][lane];
            if survey.open[k][lane] != 0 && row.get(usize::from(v)).is_none_or(|&seen| seen == 0) {
                return Some(v);
            }
        }
        // Every candidate is an option: mark the other rare heaps too.
        self.failures += 1;
        for &i in &moves.two {
            if let Some(last) = survey.base.checked_sub(i + 1) {
                for (r, v) in self.others.within(self.others.span(last)) {
                    row[usize::from(g[n - i - r] ^ v)] = 1;
                }
            }
        }
        let mut first = None;
        self.missing(n, lane, &mut |v| {
            first = Some(v);
            false
        });
        first
    }

    /// Calls `each` with the common values that the row of heap `n` lacks, in order, until it returns false.
    fn missing(&self, n: usize, lane: usize, each: &mut impl FnMut(u16) -> bool) {
        let width = self.classes.width();
        if self.classes.missing(n, true, &self.rows[lane * width..][..width], each) {
            self.classes.above(n).all(each);
        }
    }

    fn mark_block(&mut self, moves: &Moves, g: &[u16], block: usize) {
        match self.classes.width() {
            256 => self.mark_rows::<256>(moves, g, block),
            512 => self.mark_rows::<512>(moves, g, block),
            1024 => self.mark_rows::<1024>(moves, g, block),
            2048 => self.mark_rows::<2048>(moves, g, block),
            4096 => self.mark_rows::<4096>(moves, g, block),
            8192 => self.mark_rows::<8192>(moves, g, block),
            16384 => self.mark_rows::<16384>(moves, g, block),
            32768 => self.mark_rows::<32768>(moves, g, block),
            _ => self.mark_rows::<65536>(moves, g, block),
        }
    }

    /// Marks, for one block of the batch, the pairs of a marked rare heap above `LANES` with any heap.
    fn mark_rows<const W: usize>(&mut self, moves: &Moves, g: &[u16], block: usize) {
        let rows = &mut self.rows.as_chunks_mut::<W>().0[block * ROWS_PER_BLOCK..][..ROWS_PER_BLOCK];
        let rows: &mut [[u8; W]; ROWS_PER_BLOCK] = rows.try_into().expect("a row for each heap of the block");
        for &i in &moves.two {
            let Some(last) = g.len().checked_sub(i + 1) else { continue };
            let base = g.len() - i + block * ROWS_PER_BLOCK;
            for (r, v) in self.marked.within(self.marked.span(last)) {
                let run: &[u16; ROWS_PER_BLOCK] = g[base - r..][..ROWS_PER_BLOCK].try_into().expect("a whole block");
                for (row, &x) in rows.iter_mut().zip(run) {
                    row[(usize::from(x) ^ usize::from(v)) & (W - 1)] = 1;
                }
            }
        }
    }
}
