//! A transposition table of proven bounds. It grows to its limit, then replaces the entries that are cheapest to
//! recompute.

use agon_core::Value;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// An entry: the value of a position lies between `lo` and `hi`.
#[derive(Clone, Debug)]
pub(crate) struct Entry<P, M> {
    pos: P,
    height: u32,
    pub(crate) lo: Value,
    pub(crate) hi: Value,
    pub(crate) best: Option<M>,
}

/// Bytes a hash table of this length and capacity will hold at its next insertion: one byte beside each
/// slot, an eighth of the slots empty, and while it doubles the old slots too.
pub(crate) fn table_bytes(len: usize, capacity: usize, slot: usize) -> usize {
    let slots = capacity / 7 * 8 + 8;
    (slot + 1) * if len < capacity { slots } else { 3 * slots }
}

/// Slots in a bucket.
const BUCKET: usize = 4;

pub(crate) struct Table<P, M> {
    slots: Vec<Option<Entry<P, M>>>,
    used: usize,
    limit: usize,
}

impl<P: Hash + Eq + Clone, M: Copy> Table<P, M> {
    /// A table that grows to at most about `bytes`.
    pub(crate) fn new(bytes: usize) -> Table<P, M> {
        // While it grows, a table and one of half its size exist side by side.
        let most = (bytes / 3 * 2 / size_of::<Option<Entry<P, M>>>()).max(1 << 10);
        let limit = 1 << most.ilog2();
        Table { slots: empty(limit.min(1 << 12)), used: 0, limit }
    }

    fn bucket(&self, pos: &P) -> usize {
        let mut hasher = FxHasher::default();
        pos.hash(&mut hasher);
        // Fold with a second multiplication: the low bits choose the slot.
        let mixed = hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.slots.len() - 1) & !(BUCKET - 1)
    }

    pub(crate) fn get(&self, pos: &P) -> Option<&Entry<P, M>> {
        let at = self.bucket(pos);
        self.slots[at..at + BUCKET].iter().flatten().find(|entry| entry.pos == *pos)
    }

    /// Stores that the value lies in `lo..=hi`, intersected with earlier bounds.
    pub(crate) fn put(&mut self, pos: &P, height: u32, lo: Value, hi: Value, best: Option<M>) {
        if self.used * 2 > self.slots.len() && self.slots.len() < self.limit {
            self.grow();
        }
        let at = self.bucket(pos);
        let bucket = &mut self.slots[at..at + BUCKET];
        let known = bucket.iter_mut().flatten().find(|entry| entry.pos == *pos);
        if let Some(entry) = known {
            entry.lo = entry.lo.max(lo);
            entry.hi = entry.hi.min(hi);
            entry.best = best.or(entry.best);
            return;
        }
        let fresh = Some(Entry { pos: pos.clone(), height, lo, hi, best });
        if let Some(free) = bucket.iter_mut().find(|slot| slot.is_none()) {
            *free = fresh;
            self.used += 1;
        } else if let Some(lowest) = bucket.iter_mut().min_by_key(|slot| slot.as_ref().map_or(0, |e| e.height)) {
            *lowest = fresh;
        }
    }

    fn grow(&mut self) {
        let bigger = empty(self.slots.len() * 2);
        let old = std::mem::replace(&mut self.slots, bigger);
        self.used = 0;
        for entry in old.into_iter().flatten() {
            let at = self.bucket(&entry.pos);
            if let Some(free) = self.slots[at..at + BUCKET].iter_mut().find(|slot| slot.is_none()) {
                *free = Some(entry);
                self.used += 1;
            }
        }
    }
}

fn empty<T: Clone>(len: usize) -> Vec<Option<T>> {
    vec![None; len]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_right_and_bounds_narrow() {
        let mut table: Table<u64, u8> = Table::new(1 << 16);
        for pos in 0..100_000u64 {
            table.put(&pos, pos as u32 % 7, Value::DRAW, Value::win_in(pos as u32 % 50), None);
        }
        let kept = (0..100_000u64).filter_map(|pos| Some((pos, table.get(&pos)?)));
        let mut seen = 0;
        for (pos, entry) in kept {
            assert_eq!(entry.hi, Value::win_in(pos as u32 % 50));
            seen += 1;
        }
        assert!(seen > 1000 && table.slots.len() * size_of::<Option<Entry<u64, u8>>>() <= 1 << 16);
        table.put(&7, 0, Value::DRAW, Value::BEST, Some(1));
        table.put(&7, 0, Value::WORST, Value::DRAW, None);
        let entry = table.get(&7).expect("just put");
        assert_eq!((entry.lo, entry.hi, entry.best), (Value::DRAW, Value::DRAW, Some(1)));
    }
}
