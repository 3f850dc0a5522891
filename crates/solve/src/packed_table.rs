//! A transposition table of eight bytes an entry that several threads share without locks. An entry holds the rest of a
//! key that its place does not tell, so an answer is never about another position.

use agon_core::Value;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries in a bucket.
const WAYS: usize = 4;
/// Bits of an entry: two bounds of eight bits, and the work behind them in six.
const BOUND_BITS: u32 = 8;
const WORK_BITS: u32 = 6;
const TAG_SHIFT: u32 = 2 * BOUND_BITS + WORK_BITS;
/// The longest distance that a bound can hold, in plies.
pub(crate) const LONGEST: u32 = 126;
const DRAW: u64 = 128;

const BUCKET_BYTES: usize = WAYS * size_of::<AtomicU64>();

/// The table. The system hands out its memory page by page when a search first writes there, so a large table costs a
/// short search nothing.
pub(crate) struct Compact {
    entries: Vec<AtomicU64>,
    /// The offset of the first bucket, so that no bucket lies in two cache lines.
    first: usize,
    buckets: usize,
    key_bits: u32,
}

impl Compact {
    /// Bytes of the smallest table for keys of that many bits.
    pub(crate) fn least_bytes(key_bits: u32) -> usize {
        let bucket_bits = key_bits.saturating_sub(u64::BITS - TAG_SHIFT).max(4);
        BUCKET_BYTES << bucket_bits
    }

    /// The number of entries of a table for about `wanted` entries, within `bytes` unless the smallest one takes more.
    pub(crate) fn sized(key_bits: u32, wanted: u64, bytes: usize) -> u64 {
        let least = Self::least_bytes(key_bits) / BUCKET_BYTES;
        let allowed = 1u64 << (bytes / BUCKET_BYTES).max(1).ilog2();
        let buckets = (wanted / WAYS as u64).max(1).next_power_of_two().min(allowed).max(least as u64);
        buckets * WAYS as u64
    }

    /// A table for that many entries, a number that [`Compact::sized`] gave.
    pub(crate) fn new(key_bits: u32, entries: u64) -> Compact {
        let buckets = entries as usize / WAYS;
        let entries: Vec<AtomicU64> = bytemuck::zeroed_vec((buckets + 1) * WAYS);
        let first = entries.as_ptr().align_offset(BUCKET_BYTES).min(WAYS);
        Compact { entries, first, buckets, key_bits }
    }

    /// The number of entries there is room for.
    pub(crate) fn room(&self) -> u64 {
        (self.buckets * WAYS) as u64
    }

    #[inline]
    fn bucket(&self, place: usize) -> &[AtomicU64] {
        let at = self.first + place * WAYS;
        &self.entries[at..at + WAYS]
    }

    /// Each step is one to one on numbers of `key_bits` bits, so the place and the tag determine the key.
    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        let mask = u64::MAX >> (u64::BITS - self.key_bits);
        let fold = self.key_bits.div_ceil(2);
        let mut mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        mixed ^= mixed >> fold;
        mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask;
        mixed ^= mixed >> fold;
        let bits = self.buckets.ilog2();
        (mixed as usize & (self.buckets - 1), mixed >> bits)
    }

    /// Bounds on the value of the positions with this key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<(Value, Value)> {
        let (place, tag) = self.place(key);
        let entries = self.bucket(place).iter().map(|entry| entry.load(Relaxed));
        let entry = entries.into_iter().find(|entry| *entry != 0 && entry >> TAG_SHIFT == tag)?;
        Some((decode(entry >> (BOUND_BITS + WORK_BITS)), decode(entry >> WORK_BITS)))
    }

    /// Stores bounds that took `nodes` to find. They replace those of the same key, or the cheapest.
    #[inline]
    pub(crate) fn put(&self, key: u64, (lo, hi): (Value, Value), nodes: u64) {
        let (place, tag) = self.place(key);
        let work = u64::from((nodes + 1).ilog2() + 1).min((1 << WORK_BITS) - 1);
        let bounds = encode(lo) << BOUND_BITS | encode(hi);
        let entry = tag << TAG_SHIFT | bounds << WORK_BITS | work;
        let slots = self.bucket(place);
        let cost = |slot: &&AtomicU64| match slot.load(Relaxed) {
            0 => 0,
            old if old >> TAG_SHIFT == tag => 0,
            old => old & ((1 << WORK_BITS) - 1),
        };
        slots.iter().min_by_key(cost).expect("a bucket has entries").store(entry, Relaxed);
    }

    /// All bounds of another table for the same keys that fit.
    pub(crate) fn absorb(&self, smaller: &Compact) {
        // The mixed key is what counts; it is moved without being known.
        let bits = smaller.buckets.ilog2();
        for place in 0..smaller.buckets {
            for entry in smaller.bucket(place).iter().map(|entry| entry.load(Relaxed)).filter(|entry| *entry != 0) {
                let mixed = (entry >> TAG_SHIFT) << bits | place as u64;
                let rest = entry & ((1 << TAG_SHIFT) - 1);
                let (place, tag) = (mixed as usize & (self.buckets - 1), mixed >> self.buckets.ilog2());
                if let Some(free) = self.bucket(place).iter().find(|slot| slot.load(Relaxed) == 0) {
                    free.store(tag << TAG_SHIFT | rest, Relaxed);
                }
            }
        }
    }
}

/// Losses by distance, the draw, wins by distance downwards.
#[inline]
fn encode(value: Value) -> u64 {
    match (value.plies(), value > Value::DRAW) {
        (None, _) => DRAW,
        (Some(plies), false) => u64::from(plies.min(LONGEST)),
        (Some(plies), true) => u64::from(255 - plies.min(LONGEST)),
    }
}

#[inline]
fn decode(code: u64) -> Value {
    match code & 255 {
        DRAW => Value::DRAW,
        loss if loss < DRAW => Value::loss_in(loss as u32),
        win => Value::win_in(255 - win as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::Rng;

    #[test]
    fn what_is_found_is_what_was_put_for_this_key() {
        for bits in [5, 8, 20, 33, 49, 64] {
            let table = Compact::new(bits, Compact::sized(bits, 1 << 10, 1 << 14));
            let mask = u64::MAX >> (64 - bits);
            let mut rng = Rng::new(bits.into());
            let mut known = std::collections::BTreeMap::new();
            for _ in 0..20_000 {
                let key = rng.next_u64() & mask;
                if let Some(found) = table.get(key) {
                    assert_eq!(Some(&found), known.get(&key), "{bits} bits");
                }
                let bounds = (Value::loss_in(rng.below(60) as u32), Value::win_in(rng.below(60) as u32));
                table.put(key, bounds, rng.below(1 << 20) as u64);
                assert_eq!(table.get(key), Some(bounds));
                known.insert(key, bounds);
            }
        }
    }

    #[test]
    fn a_larger_table_takes_over_what_a_smaller_one_holds() {
        let small = Compact::new(30, 1 << 8);
        let large = Compact::new(30, 1 << 12);
        assert!(small.room() < large.room());
        (0..50).for_each(|key| small.put(key * 7919, (Value::DRAW, Value::win_in(key as u32)), key));
        large.absorb(&small);
        for key in (0..50).map(|key| key * 7919) {
            assert_eq!(large.get(key), small.get(key));
        }
    }

    #[test]
    fn every_value_survives_eight_bits() {
        for plies in 0..=LONGEST {
            for value in [Value::win_in(plies), Value::loss_in(plies), Value::DRAW] {
                assert_eq!(decode(encode(value)), value);
            }
        }
    }
}
