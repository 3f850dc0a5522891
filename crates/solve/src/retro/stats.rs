//! What tables hold, counted.

use super::decoded;
use agon_core::Wdl;
use agon_core::indexed::Indexed;
use agon_table::values::{Code, UNUSED};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts of positions by value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Won.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost.
    pub loss: u64,
}

impl Totals {
    /// The head of a damaged file may say anything: no count goes beyond the largest number.
    fn add(&mut self, wdl: Wdl, n: u64) {
        let count = match wdl {
            Wdl::Win => &mut self.win,
            Wdl::Draw => &mut self.draw,
            Wdl::Loss => &mut self.loss,
        };
        *count = count.saturating_add(n);
    }

    /// All of them.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.win.saturating_add(self.draw).saturating_add(self.loss)
    }
}

/// What one table, or several, hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Positions.
    pub totals: Totals,
    /// Positions up to symmetry.
    pub classes: Totals,
    /// The longest forced win, in plies.
    pub longest_win: Option<u32>,
    /// The longest resistance, in plies.
    pub longest_loss: Option<u32>,
    /// Positions whose mover cannot move.
    pub blocked: u64,
    /// Positions up to symmetry by value and distance, draws under no distance.
    pub by_distance: BTreeMap<(Wdl, Option<u32>), u64>,
}

/// Counts by code: classes, positions.
type Counted = BTreeMap<Code, (u64, u64)>;

impl Stats {
    /// Counts a table on that many threads; `code` gives the code of a number.
    pub fn of_table<G: Indexed>(
        game: &G,
        shard: G::Shard,
        threads: usize,
        code: &(impl Fn(u64) -> Code + Sync),
    ) -> Stats {
        let (size, row) = (game.shard_size(shard), game.row(shard));
        let (rows, next) = (size / row, AtomicU64::new(0));
        let piece = (1 << 16) / row + 1;
        let work = || {
            let (mut counted, mut blocked) = (Counted::new(), 0);
            loop {
                let begin = next.fetch_add(piece, Relaxed);
                if begin >= rows {
                    return (counted, blocked);
                }
                for row in begin..(begin + piece).min(rows) {
                    count_row(game, shard, row, code, &mut counted, &mut blocked);
                }
            }
        };
        let parts = if threads < 2 || size < 1 << 20 {
            vec![work()]
        } else {
            std::thread::scope(|scope| {
                let jobs: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                jobs.into_iter().map(|job| job.join().expect("counting does not panic")).collect()
            })
        };
        let mut stats = Stats::default();
        for (counted, blocked) in parts {
            stats.blocked += blocked;
            for (code, (classes, totals)) in counted {
                stats.add(code, classes, totals);
                stats.blocked += if game.blocked_lose() && code == super::code(0) { totals } else { 0 };
            }
        }
        stats
    }

    /// Adds positions of one value.
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

    /// Adds what another table holds.
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

fn count_row<G: Indexed>(
    game: &G,
    shard: G::Shard,
    row: u64,
    code: &impl Fn(u64) -> Code,
    counted: &mut Counted,
    blocked: &mut u64,
) {
    let length = game.row(shard);
    let alike = game.row_stands_for(shard, row).filter(|_| game.blocked_lose());
    if let Some(stands_for) = alike {
        let mut short = [0u64; 1 << 9];
        let mut add = |code: Code, n: u64| {
            let slot = counted.entry(code).or_default();
            (slot.0, slot.1) = (slot.0 + n, slot.1 + n * u64::from(stands_for));
        };
        for number in row * length..(row + 1) * length {
            match code(number) {
                UNUSED => {}
                code if usize::from(code) < short.len() => short[usize::from(code)] += 1,
                code => add(code, 1),
            }
        }
        let counts = short.iter().enumerate().filter(|(_, n)| **n > 0);
        return counts.for_each(|(code, &n)| add(code as Code, n));
    }
    for number in row * length..(row + 1) * length {
        let code = code(number);
        let Some(pos) = (code != UNUSED).then(|| game.position(shard, number)).flatten() else { continue };
        let stands_for = u64::from(game.symmetries() / game.place(&pos).fixed_by);
        let slot = counted.entry(code).or_default();
        (slot.0, slot.1) = (slot.0 + 1, slot.1 + stands_for);
        if !game.blocked_lose() {
            *blocked += if game.is_blocked(&pos) { stands_for } else { 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_damaged_heads_do_not_overflow() {
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
