//! Common values from the few pairs that hold a rare heap.
//!
//! For a group of consecutive heaps: mark the options from the rare heaps that have lately reached the hard values,
//! list the first common values still missing for each heap, and look for just those among the other rare heaps,
//! with one heap of the group in each vector lane.

use super::kernel::Level;
use super::space::Space;
use super::takes::Takes;

/// Heaps worked on side by side.
pub(super) const GROUP: usize = 32;
/// Missing common values looked for at once.
pub(super) const CANDIDATES: usize = 8;
/// Rows marked at a time, so that they stay in the first-level cache.
const BLOCK: usize = 8;
/// Heaps whose options decide which rare heaps are worth marking.
const SAMPLE: usize = 48;

/// One value for each heap of a group.
pub(super) type Lanes = [u16; GROUP];

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

    /// Where the heaps with `GROUP < heap <= last` stand. With the first heap of a group less a take as `base`, the
    /// heaps up to `base - 1` leave a partner for every lane; larger ones leave at most `GROUP`, marked one by one.
    fn span(&self, last: usize) -> (usize, usize) {
        let from = self.at.partition_point(|&r| r as usize <= GROUP);
        (from, self.at.partition_point(|&r| r as usize <= last).max(from))
    }

    #[inline]
    pub(super) fn within(&self, (from, to): (usize, usize)) -> impl Iterator<Item = (usize, u16)> + '_ {
        self.at[from..to].iter().zip(&self.value[from..to]).map(|(&r, &v)| (r as usize, v))
    }
}

/// Which values are common, for heaps of each parity: one byte for each value.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    space: Space,
    common: [Vec<u8>; 2],
}

impl Kinds {
    fn new(space: Space, width: usize) -> Kinds {
        let bytes = |n| (0..width).map(|v| u8::from(space.is_common(n, v as u16))).collect();
        Kinds { space, common: [bytes(0), bytes(1)] }
    }

    /// All values so far are below this power of two.
    pub(super) fn width(&self) -> usize {
        self.common[0].len()
    }

    /// Calls `each` for the values below the width of the given kind that `seen` lacks, in order, until it says false.
    #[inline]
    pub(super) fn missing(&self, n: usize, common: bool, seen: &[u8], each: &mut impl FnMut(u16) -> bool) -> bool {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let flip = if common { 0 } else { ONES };
        for (k, (kind, seen)) in self.common[n % 2].as_chunks::<8>().0.iter().zip(seen.as_chunks::<8>().0).enumerate() {
            let mut open = (u64::from_le_bytes(*kind) ^ flip) & !u64::from_le_bytes(*seen);
            while open != 0 {
                if !each((8 * k) as u16 + (open.trailing_zeros() / 8) as u16) {
                    return false;
                }
                open &= open - 1;
            }
        }
        true
    }

    /// The common values for heap `n` from the width on. There may be none left.
    fn above(&self, n: usize) -> impl Iterator<Item = u16> + '_ {
        (self.width()..1 << 16).map(|v| v as u16).filter(move |&v| self.space.is_common(n, v))
    }
}

/// The rare heaps, split into those marked for every heap and those only looked through.
#[derive(Debug)]
pub(super) struct Rares {
    kinds: Kinds,
    marked: Heaps,
    others: Heaps,
    /// How many to mark after the next training.
    wanted: usize,
    /// Heaps surveyed since the last training, and how many had more missing values than were looked for.
    surveyed: usize,
    failures: usize,
    /// Which options of each heap of the group were seen.
    rows: Vec<u8>,
}

/// What is known about a group of heaps before any value inside it.
pub(super) struct Survey {
    base: usize,
    /// How many candidates each lane has: fewer than asked for only where 16-bit values run out.
    count: [usize; GROUP],
    values: [Lanes; CANDIDATES],
    /// Zero where the value was found to be an option.
    open: [Lanes; CANDIDATES],
}

impl Rares {
    pub(super) fn new(space: Space, takes: &Takes, g: &[u16]) -> Rares {
        let mut rares = Rares {
            kinds: Kinds::new(space, 0),
            marked: Heaps::default(),
            others: Heaps::default(),
            wanted: 0,
            surveyed: 0,
            failures: 0,
            rows: Vec::new(),
        };
        for (n, &v) in g.iter().enumerate().skip(1) {
            rares.note(n, v);
        }
        rares.wanted = rares.len() / 3;
        rares.widen(g.iter().copied().max().unwrap_or(0));
        rares.train(takes, g);
        rares
    }

    pub(super) fn len(&self) -> usize {
        self.marked.len() + self.others.len()
    }

    pub(super) fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Makes room for `value`. A survey made before is void.
    pub(super) fn widen(&mut self, value: u16) {
        if usize::from(value) >= self.kinds.width() {
            let width = (usize::from(value) + 1).next_power_of_two().max(256);
            self.kinds = Kinds::new(self.kinds.space, width);
            self.rows = vec![0; width * GROUP];
        }
    }

    /// Adds heap `n`, larger than all before, if it is rare; says whether it is.
    pub(super) fn note(&mut self, n: usize, v: u16) -> bool {
        let rare = !self.kinds.space.is_common(n, v);
        if rare {
            self.others.push(n, v);
        }
        rare
    }

    /// Chooses which rare heaps to mark: those that gave values few others gave, for the last heaps of `g`.
    pub(super) fn train(&mut self, takes: &Takes, g: &[u16]) {
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
        let useful = self.usefulness(takes, g, &all);
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

    /// For each rare heap, the sum over its options below the mex of one over the square of how often they occur.
    fn usefulness(&self, takes: &Takes, g: &[u16], all: &[(usize, u16)]) -> Vec<f32> {
        let mut useful = vec![0.0; all.len()];
        let mut count = vec![0u32; self.kinds.width()];
        for n in g.len().saturating_sub(SAMPLE).max(1)..g.len() {
            let reached = |i: usize| {
                let m = n - i.min(n);
                all[..all.partition_point(|&(r, _)| r < m)].iter().map(move |&(r, v)| usize::from(g[m - r] ^ v))
            };
            count.fill(0);
            takes.two.iter().flat_map(|&i| reached(i)).for_each(|v| count[v] += 1);
            for &i in &takes.two {
                for (worth, v) in useful.iter_mut().zip(reached(i)) {
                    if v < usize::from(g[n]) {
                        *worth += 1.0 / (count[v] as f32 * count[v] as f32);
                    }
                }
            }
        }
        useful
    }

    /// Looks at the heaps `g.len() ..+ GROUP`: for each the first common values that no marked pair has, and which
    /// of those another rare heap gives. Pairs with a heap of at most `GROUP` are left to `smallest_missing`, so no
    /// value inside the group is needed.
    pub(super) fn survey(&mut self, level: Level, takes: &Takes, g: &[u16]) -> Survey {
        self.rows.fill(0);
        (0..GROUP / BLOCK).for_each(|block| self.mark_block(takes, g, block));
        let mut survey = Survey {
            base: g.len(),
            count: [0; GROUP],
            values: [[0; GROUP]; CANDIDATES],
            open: [[u16::MAX; GROUP]; CANDIDATES],
        };
        for lane in 0..GROUP {
            let count = &mut survey.count[lane];
            self.missing(g.len() + lane, lane, &mut |v| {
                survey.values[*count][lane] = v;
                *count += 1;
                *count < CANDIDATES
            });
        }
        for &i in &takes.two {
            if let Some(last) = g.len().checked_sub(i + 1) {
                level.look(&self.others, self.others.span(last), g, g.len() - i, &survey.values, &mut survey.open);
            }
        }
        self.surveyed += GROUP;
        survey
    }

    /// The smallest common value that is no option of heap `g.len()`, which is in the group surveyed.
    pub(super) fn smallest_missing(&mut self, takes: &Takes, g: &[u16], survey: &Survey) -> Option<u16> {
        let (n, lane, width) = (g.len(), g.len() - survey.base, self.kinds.width());
        let row = &mut self.rows[lane * width..][..width];
        takes.small(g, |v| row[usize::from(v)] = 1);
        for &i in &takes.two {
            let m = n.saturating_sub(i);
            for b in 1..=GROUP.min(takes.end(n, i).saturating_sub(1)) {
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
        for &i in &takes.two {
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

    /// Calls `each` for the common values that the row of heap `n` lacks, in order, until it says false.
    fn missing(&self, n: usize, lane: usize, each: &mut impl FnMut(u16) -> bool) {
        let width = self.kinds.width();
        if self.kinds.missing(n, true, &self.rows[lane * width..][..width], each) {
            self.kinds.above(n).all(each);
        }
    }

    fn mark_block(&mut self, takes: &Takes, g: &[u16], block: usize) {
        match self.kinds.width() {
            256 => self.mark_rows::<256>(takes, g, block),
            512 => self.mark_rows::<512>(takes, g, block),
            1024 => self.mark_rows::<1024>(takes, g, block),
            2048 => self.mark_rows::<2048>(takes, g, block),
            4096 => self.mark_rows::<4096>(takes, g, block),
            8192 => self.mark_rows::<8192>(takes, g, block),
            16384 => self.mark_rows::<16384>(takes, g, block),
            32768 => self.mark_rows::<32768>(takes, g, block),
            _ => self.mark_rows::<65536>(takes, g, block),
        }
    }

    /// Marks, for a block of the group, the pairs of a marked rare heap above `GROUP` with another.
    fn mark_rows<const W: usize>(&mut self, takes: &Takes, g: &[u16], block: usize) {
        let rows = &mut self.rows.as_chunks_mut::<W>().0[block * BLOCK..][..BLOCK];
        let rows: &mut [[u8; W]; BLOCK] = rows.try_into().expect("a row for each heap of the block");
        for &i in &takes.two {
            let Some(last) = g.len().checked_sub(i + 1) else { continue };
            let base = g.len() - i + block * BLOCK;
            for (r, v) in self.marked.within(self.marked.span(last)) {
                let run: &[u16; BLOCK] = g[base - r..][..BLOCK].try_into().expect("a whole block");
                for (row, &x) in rows.iter_mut().zip(run) {
                    row[(usize::from(x) ^ usize::from(v)) & (W - 1)] = 1;
                }
            }
        }
    }
}
