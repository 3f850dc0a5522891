//! What the search remembers. Threads share it without locks: a slot torn by two writers does not match its key.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How a remembered score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is at most that.
    Most = 1,
    /// It is at least that.
    Least = 2,
    /// It is that.
    Exact = 3,
}

/// What is remembered about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The score, with wins counted from the position itself.
    pub(super) score: i16,
    /// The depth it was searched to.
    pub(super) depth: u8,
    /// How the score relates to the true one.
    pub(super) bound: Bound,
    /// The best move, as its place in the game's own list.
    pub(super) place: u16,
}

#[derive(Default)]
struct Slot {
    /// The key, xored with the data.
    guard: AtomicU64,
    data: AtomicU64,
}

/// A table of fixed size; each key may live in the slots of one bucket.
pub(super) struct Table {
    slots: Vec<Slot>,
    age: AtomicU64,
}

const BUCKET: usize = 4;

fn pack(entry: Entry, age: u64) -> u64 {
    u64::from(entry.score as u16)
        | u64::from(entry.depth) << 16
        | (entry.bound as u64) << 24
        | (age & 63) << 26
        | u64::from(entry.place) << 32
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 24 & 3 {
        1 => Bound::Most,
        2 => Bound::Least,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry { score: data as u16 as i16, depth: (data >> 16) as u8, bound, place: (data >> 32) as u16 })
}

impl Table {
    /// A table of about that many bytes; of half as many, and so on, where the system does not give them.
    pub(super) fn new(bytes: usize) -> Table {
        let mut buckets = (bytes / (BUCKET * size_of::<Slot>())).max(1);
        let mut slots = Vec::new();
        while slots.try_reserve_exact(buckets * BUCKET).is_err() && buckets > 1 {
            buckets /= 2;
        }
        slots.resize_with(buckets * BUCKET, Slot::default);
        Table { slots, age: AtomicU64::new(0) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot = Slot::default();
        }
        self.age = AtomicU64::new(0);
    }

    /// From now on what is in the table belongs to an earlier search.
    pub(super) fn grow_older(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let buckets = self.slots.len() / BUCKET;
        let at = ((u128::from(key) * buckets as u128) >> 64) as usize * BUCKET;
        &self.slots[at..at + BUCKET]
    }

    /// What is known about the position of that key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.guard.load(Relaxed) ^ data == key).then(|| unpack(data)).flatten()
        })
    }

    /// Remembers, in place of the same position or of what is least worth keeping.
    pub(super) fn put(&self, key: u64, entry: Entry) {
        let age = self.age.load(Relaxed) & 63;
        let worth = |slot: &&Slot| {
            let data = slot.data.load(Relaxed);
            if slot.guard.load(Relaxed) ^ data == key {
                return -1000;
            }
            let older = (age.wrapping_sub(data >> 26 & 63) & 63) as i64;
            unpack(data).map_or(-999, |kept| i64::from(kept.depth) - 4 * older)
        };
        let slot = self.bucket(key).iter().min_by_key(worth).expect("a bucket has slots");
        let data = pack(entry, age);
        slot.data.store(data, Relaxed);
        slot.guard.store(key ^ data, Relaxed);
    }

    /// How full it is with entries of the present search, in thousandths.
    pub(super) fn filled(&self) -> u32 {
        let age = self.age.load(Relaxed) & 63;
        let present = |slot: &&Slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && data >> 26 & 63 == age
        };
        let looked = self.slots.len().min(1000);
        (self.slots[..looked].iter().filter(present).count() * 1000 / looked) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got_and_the_least_worth_goes_first() {
        let table = Table::new(1);
        let entry = |depth, place| Entry { score: -123, depth, bound: Bound::Least, place };
        for i in 0..4u16 {
            table.put(u64::from(i) + 1, entry(5 + i as u8, i));
        }
        assert_eq!(table.get(3), Some(entry(7, 2)));
        assert_eq!(table.get(99), None);
        table.put(99, entry(1, 9));
        assert_eq!(table.get(1), None, "the shallowest gave way");
        assert_eq!(table.get(99), Some(entry(1, 9)));
        table.put(3, entry(2, 7));
        assert_eq!(table.get(3), Some(entry(2, 7)), "the same position is written over");
        assert_eq!(table.filled(), 1000);
        table.grow_older();
        assert_eq!(table.filled(), 0);
    }
}
