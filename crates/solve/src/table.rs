//! Tables of what is proven of positions. A table grows to its limit, then replaces the entries that are cheapest to
//! recompute.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An entry of a table.
pub(crate) trait Entry: Clone {
    /// Adds what was proven later.
    fn merge(&mut self, later: Self);
    /// The cost of finding this again.
    fn cost(&self) -> u32;
}

/// Bytes a hash table of this length and capacity will hold at its next insertion: one byte beside each
/// slot, an eighth of the slots empty, and while it doubles the old slots too.
pub(crate) fn table_bytes(len: usize, capacity: usize, slot: usize) -> usize {
    let slots = capacity / 7 * 8 + 8;
    (slot + 1) * if len < capacity { slots } else { 3 * slots }
}

/// Slots in a bucket.
const BUCKET: usize = 4;

pub(crate) struct Table<P, E> {
    slots: Vec<Option<(P, E)>>,
    used: usize,
    limit: usize,
}

/// A hash with a second multiplication. The high half chooses the slot, the byte below it the shard.
fn mixed<P: Hash>(pos: &P) -> u64 {
    let mut hasher = FxHasher::default();
    pos.hash(&mut hasher);
    hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<P: Hash + Eq + Clone, E: Entry> Table<P, E> {
    /// A table that grows to at most about `bytes`.
    pub(crate) fn new(bytes: usize) -> Table<P, E> {
        Table::beginning_with(1 << 12, bytes)
    }

    /// A table that has this number of slots at first, a power of two, and grows to at most about `bytes`.
    fn beginning_with(slots: usize, bytes: usize) -> Table<P, E> {
        // While it grows, a table and one of half its size exist side by side.
        let most = (bytes / 3 * 2 / size_of::<Option<(P, E)>>()).max(1 << 10);
        let limit = 1 << most.ilog2();
        Table { slots: empty(limit.min(slots)), used: 0, limit }
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    fn bucket(&self, pos: &P) -> usize {
        self.bucket_of(mixed(pos))
    }

    fn bucket_of(&self, mixed: u64) -> usize {
        (mixed >> 32) as usize & (self.slots.len() - 1) & !(BUCKET - 1)
    }

    pub(crate) fn get(&self, pos: &P) -> Option<&E> {
        self.find(pos, self.bucket(pos))
    }

    fn find(&self, pos: &P, at: usize) -> Option<&E> {
        self.slots[at..at + BUCKET].iter().flatten().find(|(known, _)| known == pos).map(|(_, entry)| entry)
    }

    /// Stores what was proven, together with what was known before.
    pub(crate) fn put(&mut self, pos: &P, entry: E) {
        if self.used * 2 > self.slots.len() && self.slots.len() < self.limit {
            self.grow();
        }
        let at = self.bucket(pos);
        let bucket = &mut self.slots[at..at + BUCKET];
        if let Some((_, known)) = bucket.iter_mut().flatten().find(|(known, _)| known == pos) {
            known.merge(entry);
            return;
        }
        let fresh = Some((pos.clone(), entry));
        if let Some(free) = bucket.iter_mut().find(|slot| slot.is_none()) {
            *free = fresh;
            self.used += 1;
        } else if let Some(cheapest) = bucket.iter_mut().min_by_key(|slot| slot.as_ref().map_or(0, |e| e.1.cost())) {
            *cheapest = fresh;
        }
    }

    fn grow(&mut self) {
        let bigger = empty(self.slots.len() * 2);
        let old = std::mem::replace(&mut self.slots, bigger);
        self.used = 0;
        for entry in old.into_iter().flatten() {
            let at = self.bucket(&entry.0);
            if let Some(free) = self.slots[at..at + BUCKET].iter_mut().find(|slot| slot.is_none()) {
                *free = Some(entry);
                self.used += 1;
            }
        }
    }
}

/// Shards of a shared table: enough that threads seldom wait for one another.
const SHARDS: usize = 256;

/// A table for several threads.
pub(crate) struct Shared<P, E>(Vec<Mutex<Table<P, E>>>);

impl<P: Hash + Eq + Clone, E: Entry> Shared<P, E> {
    /// A table that grows to at most about `bytes`.
    pub(crate) fn new(bytes: usize) -> Shared<P, E> {
        // Shards begin small, because most tables stay small.
        Shared((0..SHARDS).map(|_| Mutex::new(Table::beginning_with(BUCKET, bytes / SHARDS))).collect())
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|shard| locked(shard).len()).sum()
    }

    /// Looks a position up.
    pub(crate) fn get(&self, pos: &P) -> Option<E> {
        let mixed = mixed(pos);
        let shard = locked(self.shard(mixed));
        shard.find(pos, shard.bucket_of(mixed)).cloned()
    }

    /// Stores what was proven, together with what was known before.
    pub(crate) fn put(&self, pos: &P, entry: E) {
        locked(self.shard(mixed(pos))).put(pos, entry);
    }

    fn shard(&self, mixed: u64) -> &Mutex<Table<P, E>> {
        &self.0[(mixed >> 24) as usize % SHARDS]
    }
}

/// A thread that panicked has left every entry whole.
fn locked<T>(shard: &Mutex<T>) -> MutexGuard<'_, T> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

fn empty<T: Clone>(len: usize) -> Vec<Option<T>> {
    vec![None; len]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number that later numbers raise.
    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Most(u64, u32);

    impl Entry for Most {
        fn merge(&mut self, later: Most) {
            self.0 = self.0.max(later.0);
        }
        fn cost(&self) -> u32 {
            self.1
        }
    }

    #[test]
    fn what_is_kept_is_right_and_is_merged() {
        let mut table: Table<u64, Most> = Table::new(1 << 16);
        (0..100_000).for_each(|pos| table.put(&pos, Most(pos * 3, pos as u32 % 7)));
        let kept: Vec<(u64, Most)> = (0..100_000).filter_map(|pos| Some((pos, *table.get(&pos)?))).collect();
        assert!(kept.iter().all(|(pos, entry)| entry.0 == pos * 3));
        assert!(kept.len() > 1000 && kept.len() == table.len());
        assert!(table.slots.len() * size_of::<Option<(u64, Most)>>() <= 1 << 16);
        let costs = |cost: u32| kept.iter().filter(|(_, entry)| entry.1 == cost).count();
        assert!(costs(6) > 2 * costs(0), "costly entries stay longer");
        table.put(&7, Most(1, 9));
        table.put(&7, Most(500, 9));
        table.put(&7, Most(2, 9));
        assert_eq!(table.get(&7).map(|entry| entry.0), Some(500));
    }

    #[test]
    fn threads_share_a_table() {
        let table: Shared<u64, Most> = Shared::new(1 << 24);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || (0..10_000).for_each(|pos| table.put(&pos, Most(pos + thread, 1))));
            }
        });
        // An entry that was replaced and stored again may know only what the last threads found.
        let kept = (0..10_000).filter_map(|pos| Some((pos, table.get(&pos)?.0)));
        assert_eq!(kept.filter(|(pos, most)| (*pos..=pos + 3).contains(most)).count(), table.len());
        assert!(table.len() > 9_900, "{} of 10,000 entries are kept", table.len());
    }
}
