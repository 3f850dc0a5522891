//! The transposition table. Threads share it without locks: an entry torn by two writers does not match its key (Hyatt
//! and Mann 2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The kind of a stored score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// An upper bound.
    Upper = 1,
    /// A lower bound.
    Lower = 2,
    /// The exact score.
    Exact = 3,
}

/// An entry for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The score, with distances of wins counted from the position itself.
    pub(super) score: i16,
    /// The depth it was searched to.
    pub(super) depth: u8,
    /// The kind of the score.
    pub(super) bound: Bound,
    /// The best move, as its index in the game's list of moves.
    pub(super) move_index: u16,
}

/// The key, xored with the data, and the data.
type Slot = [AtomicU64; 2];

/// A table of fixed size, in buckets. The system hands out its memory page by page when a search first writes there, so a
/// large table costs a short search nothing.
pub(super) struct Table {
    slots: Vec<Slot>,
    age: AtomicU64,
}

/// Slots in a bucket.
const BUCKET: usize = 4;

fn pack(entry: Entry, age: u64) -> u64 {
    u64::from(entry.score as u16)
        | u64::from(entry.depth) << 16
        | (entry.bound as u64) << 24
        | (age & 63) << 26
        | u64::from(entry.move_index) << 32
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 24 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry { score: data as u16 as i16, depth: (data >> 16) as u8, bound, move_index: (data >> 32) as u16 })
}

impl Table {
    /// A table of about `bytes`; of half as many, and so on, if the allocation fails.
    pub(super) fn new(bytes: usize) -> Table {
        let mut buckets = (bytes / (BUCKET * size_of::<Slot>())).max(1);
        let slots = loop {
            match bytemuck::try_zeroed_vec(buckets * BUCKET) {
                Ok(slots) => break slots,
                Err(()) => buckets /= 2,
            }
        };
        Table { slots, age: AtomicU64::new(0) }
    }

    /// Clears the table, at a cost that depends on how much of it was used.
    pub(super) fn clear(&mut self) {
        let bytes = self.slots.len() * size_of::<Slot>();
        self.slots = Vec::new();
        *self = Table::new(bytes);
    }

    /// Starts a new generation: all present entries belong to an earlier search.
    pub(super) fn new_generation(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let buckets = self.slots.len() / BUCKET;
        let at = ((u128::from(key) * buckets as u128) >> 64) as usize * BUCKET;
        &self.slots[at..at + BUCKET]
    }

    /// The entry of a key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[guard, data]| {
            let data = data.load(Relaxed);
            (guard.load(Relaxed) ^ data == key).then(|| unpack(data)).flatten()
        })
    }

    /// Stores an entry over that of the same position, or over the shallowest and oldest one.
    pub(super) fn put(&self, key: u64, entry: Entry) {
        let age = self.age.load(Relaxed) & 63;
        let priority = |[guard, data]: &&Slot| {
            let data = data.load(Relaxed);
            if guard.load(Relaxed) ^ data == key {
                return -1000;
            }
            let older = (age.wrapping_sub(data >> 26 & 63) & 63) as i64;
            unpack(data).map_or(-999, |entry| i64::from(entry.depth) - 4 * older)
        };
        let [guard, slot] = self.bucket(key).iter().min_by_key(priority).expect("a bucket has slots");
        let data = pack(entry, age);
        slot.store(data, Relaxed);
        guard.store(key ^ data, Relaxed);
    }

    /// The share of entries of the present search, in thousandths.
    pub(super) fn filled(&self) -> u32 {
        let age = self.age.load(Relaxed) & 63;
        let present = |[_, data]: &&Slot| {
            let data = data.load(Relaxed);
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
    fn entries_are_found_and_the_shallowest_is_replaced() {
        let table = Table::new(1);
        let entry = |depth, move_index| Entry { score: -123, depth, bound: Bound::Lower, move_index };
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
        table.new_generation();
        assert_eq!(table.filled(), 0);
    }
}
