//! Counts of the values in tables.

use super::decoded;
use crate::Totals;
use agon_core::Wdl;
use agon_core::indexed::BulkIndexed;
use agon_table::values::{Code, UNUSED};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Indices that a thread claims at a time, about.
const INDICES_PER_CLAIM: u64 = 1 << 16;
/// Below this many indices one thread counts alone.
const MIN_PARALLEL_INDICES: u64 = 1 << 20;

/// Statistics of one table, or of several together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Positions.
    pub totals: Totals,
    /// Orbits: positions up to symmetry.
    pub classes: Totals,
    /// The longest forced win, in plies.
    pub longest_win: Option<u32>,
    /// The longest forced loss, in plies.
    pub longest_loss: Option<u32>,
    /// Positions in which the side to move is blocked.
    pub blocked: u64,
    /// Orbits by value and distance in plies; draws have no distance.
    pub by_distance: BTreeMap<(Wdl, Option<u32>), u64>,
}

/// For each code, the number of orbits and of positions.
type CodeCounts = BTreeMap<Code, (u64, u64)>;

impl Stats {
    /// Counts a table on `threads` threads; `code` returns the code at an index.
    pub fn of_table<G: BulkIndexed>(
        game: &G,
        shard: G::Shard,
        threads: usize,
        code: &(impl Fn(u64) -> Code + Sync),
    ) -> Stats {
        Stats::of_range(game, shard, 0..game.shard_size(shard), threads, code)
    }

    /// Counts some of the indices of a table.
    pub(super) fn of_range<G: BulkIndexed>(
        game: &G,
        shard: G::Shard,
        indices: Range<u64>,
        threads: usize,
        code: &(impl Fn(u64) -> Code + Sync),
    ) -> Stats {
        let (size, row_len) = (indices.end - indices.start, game.row_len(shard));
        let (rows, next) = (indices.end.div_ceil(row_len), AtomicU64::new(indices.start / row_len));
        let rows_per_claim = INDICES_PER_CLAIM / row_len + 1;
        let work = || {
            let (mut counts, mut blocked) = (CodeCounts::new(), 0);
            loop {
                let begin = next.fetch_add(rows_per_claim, Relaxed);
                if begin >= rows {
                    return (counts, blocked);
                }
                for row in begin..(begin + rows_per_claim).min(rows) {
                    let here = (row * row_len).max(indices.start)..((row + 1) * row_len).min(indices.end);
                    count_row(game, shard, row, here, code, &mut counts, &mut blocked);
                }
            }
        };
        let parts = if threads < 2 || size < MIN_PARALLEL_INDICES {
            vec![work()]
        } else {
            std::thread::scope(|scope| {
                let jobs: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                jobs.into_iter().map(|job| job.join().expect("counting does not panic")).collect()
            })
        };
        let mut stats = Stats::default();
        for (counts, blocked) in parts {
            stats.blocked += blocked;
            for (code, (classes, totals)) in counts {
                stats.add(code, classes, totals);
                stats.blocked += if game.blocked_lose() && code == super::code(0) { totals } else { 0 };
            }
        }
        stats
    }

    /// Adds orbits and positions of one code.
    pub(super) fn add(&mut self, code: Code, classes: u64, totals: u64) {
        let value = decoded(code);
        self.totals.add(value.wdl(), totals);
        self.classes.add(value.wdl(), classes);
        match value.wdl() {
            Wdl::Win => self.longest_win = self.longest_win.max(value.plies()),
            Wdl::Loss => self.longest_loss = self.longest_loss.max(value.plies()),
            Wdl::Draw => {}
        }
        let plies = value.plies().filter(|_| value.wdl() != Wdl::Draw);
        let count = self.by_distance.entry((value.wdl(), plies)).or_default();
        *count = count.saturating_add(classes);
    }

    /// Adds the statistics of other tables.
    pub fn merge(&mut self, other: &Stats) {
        for (mine, theirs) in [(&mut self.totals, other.totals), (&mut self.classes, other.classes)] {
            mine.add(Wdl::Win, theirs.win);
            mine.add(Wdl::Draw, theirs.draw);
            mine.add(Wdl::Loss, theirs.loss);
        }
        self.longest_win = self.longest_win.max(other.longest_win);
        self.longest_loss = self.longest_loss.max(other.longest_loss);
        self.blocked = self.blocked.saturating_add(other.blocked);
        for (key, n) in &other.by_distance {
            let count = self.by_distance.entry(*key).or_default();
            *count = count.saturating_add(*n);
        }
    }
}

/// Counts some indices of one row. Where all its orbits have the same size, only codes are looked at.
fn count_row<G: BulkIndexed>(
    game: &G,
    shard: G::Shard,
    row: u64,
    indices: Range<u64>,
    code: &impl Fn(u64) -> Code,
    counts: &mut CodeCounts,
    blocked: &mut u64,
) {
    let orbit = game.row_orbit_size(shard, row).filter(|_| game.blocked_lose());
    if let Some(orbit) = orbit {
        let mut by_code = [0u64; 1 << 9];
        let mut add = |code: Code, n: u64| {
            let slot = counts.entry(code).or_default();
            (slot.0, slot.1) = (slot.0 + n, slot.1 + n * u64::from(orbit));
        };
        for index in indices {
            match code(index) {
                UNUSED => {}
                code if usize::from(code) < by_code.len() => by_code[usize::from(code)] += 1,
                code => add(code, 1),
            }
        }
        let present = by_code.iter().enumerate().filter(|(_, n)| **n > 0);
        return present.for_each(|(code, &n)| add(code as Code, n));
    }
    for index in indices {
        let code = code(index);
        let Some(pos) = (code != UNUSED).then(|| game.position(shard, index)).flatten() else { continue };
        let orbit = u64::from(game.symmetries() / game.table_index(&pos).stabiliser);
        let slot = counts.entry(code).or_default();
        (slot.0, slot.1) = (slot.0 + 1, slot.1 + orbit);
        if !game.blocked_lose() {
            *blocked += if game.is_blocked(&pos) { orbit } else { 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_damaged_headers_do_not_overflow() {
        let mut stats = Stats::default();
        for code in [super::super::code(3), super::super::code(3), agon_table::values::DRAW] {
            stats.add(code, u64::MAX, u64::MAX);
        }
        let twice = stats.clone();
        stats.blocked = u64::MAX;
        stats.merge(&twice);
        assert_eq!((stats.totals.sum(), stats.by_distance.len()), (u64::MAX, 2));
    }
}
