//! The part of a component that one process works at: consecutive indices of each of its tables.

use agon_core::indexed::BulkIndexed;
use std::ops::Range;

/// Indices in a block, which shares one word of level marks and is never divided.
pub(super) const BLOCK: usize = 1 << 6;

/// The indices of one process among those of a component.
///
/// Each table is divided into equal runs of blocks, one for each process. A *place* names an index of any table of the
/// component by one number: the tables lie one after the other, and each begins at a multiple of [`BLOCK`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Slice {
    /// The place of the first index of each table; and the number of places.
    origins: Vec<usize>,
    /// For each table, the first index of each process; and the size of the table.
    cuts: Vec<Vec<usize>>,
    /// For each table, where the states of this process begin; and the number of its states.
    offsets: Vec<usize>,
    process: usize,
}

impl Slice {
    /// Everything, for a process that works alone.
    pub(super) fn whole<G: BulkIndexed>(game: &G, shards: &[G::Shard]) -> Slice {
        Slice::part(game, shards, 0, 1)
    }

    /// The part of one process among `processes`.
    pub(super) fn part<G: BulkIndexed>(game: &G, shards: &[G::Shard], process: usize, processes: usize) -> Slice {
        let mut slice = Slice { origins: vec![0], cuts: Vec::new(), offsets: vec![0], process };
        for &shard in shards {
            let size = game.shard_size(shard) as usize;
            let blocks = size.div_ceil(BLOCK) as u128;
            let cut = |at: usize| ((at as u128 * blocks / processes as u128) as usize * BLOCK).min(size);
            slice.cuts.push((0..=processes).map(cut).collect());
            slice.origins.push(slice.places() + size.next_multiple_of(BLOCK));
            let own = slice.own(slice.cuts.len() - 1);
            slice.offsets.push(slice.states() + own.len().next_multiple_of(BLOCK));
        }
        slice
    }

    /// The number of processes that share the component.
    pub(super) fn processes(&self) -> usize {
        self.cuts.first().map_or(1, |cuts| cuts.len() - 1)
    }

    /// The number of this process.
    pub(super) fn process(&self) -> usize {
        self.process
    }

    /// The number of places in the component.
    pub(super) fn places(&self) -> usize {
        self.origins[self.origins.len() - 1]
    }

    /// The number of states of this process.
    pub(super) fn states(&self) -> usize {
        self.offsets[self.offsets.len() - 1]
    }

    /// The indices of a table that this process works at.
    pub(super) fn own(&self, table: usize) -> Range<usize> {
        self.cuts[table][self.process]..self.cuts[table][self.process + 1]
    }

    /// Where the states of a table begin.
    pub(super) fn offset(&self, table: usize) -> usize {
        self.offsets[table]
    }

    /// The table that a state of this process belongs to.
    pub(super) fn table_of(&self, state: usize) -> usize {
        self.offsets.partition_point(|&begin| begin <= state) - 1
    }

    /// The state of an index that this process works at.
    #[inline]
    pub(super) fn state(&self, table: usize, index: usize) -> usize {
        self.offsets[table] + (index - self.cuts[table][self.process])
    }

    /// The place of an index.
    #[inline]
    pub(super) fn place(&self, table: usize, index: usize) -> usize {
        self.origins[table] + index
    }

    /// The state at a place, or the process that has it. `place` is below [`Slice::places`].
    pub(super) fn locate(&self, place: usize) -> Result<usize, usize> {
        let table = self.origins.partition_point(|&begin| begin <= place) - 1;
        let index = place - self.origins[table];
        match self.cuts[table].partition_point(|&begin| begin <= index) - 1 {
            owner if owner == self.process => Ok(self.state(table, index)),
            owner => Err(owner),
        }
    }

    /// The blocks of places that this process has, in the order of its states.
    pub(super) fn blocks(&self) -> Vec<Range<usize>> {
        let of = |table: usize| {
            let (own, origin) = (self.own(table), self.origins[table] / BLOCK);
            origin + own.start / BLOCK..origin + own.end.div_ceil(BLOCK)
        };
        (0..self.cuts.len()).filter(|&table| !self.own(table).is_empty()).map(of).collect()
    }

    /// Ranges of blocks of this process's states, as blocks of places.
    pub(super) fn blocks_of_places(&self, states: &[Range<usize>]) -> Vec<Range<usize>> {
        let (mut found, mut before) = (Vec::new(), 0);
        for places in self.blocks() {
            let here = before..before + places.len();
            for (_, both) in overlaps(std::slice::from_ref(&here), states) {
                found.push(both.start - before + places.start..both.end - before + places.start);
            }
            before = here.end;
        }
        found
    }

    /// Ranges of blocks of places, as blocks of this process's states, as far as it has them.
    pub(super) fn blocks_of_states(&self, places: &[Range<usize>]) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> =
            overlaps(&self.blocks(), places).into_iter().map(|(at, both)| at..at + both.len()).collect();
        found.sort_unstable_by_key(|range| range.start);
        found
    }
}

/// The ranges of blocks in both lists, each with where it begins in the first one, whose ranges lie one after the other.
pub(super) fn overlaps(held: &[Range<usize>], wanted: &[Range<usize>]) -> Vec<(usize, Range<usize>)> {
    let (mut found, mut before) = (Vec::new(), 0);
    for range in held {
        for other in wanted {
            let both = range.start.max(other.start)..range.end.min(other.end);
            if !both.is_empty() {
                found.push((before + both.start - range.start, both));
            }
        }
        before += range.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Family, Indexed};
    use agon_games::mill::Mill;

    #[test]
    fn every_place_has_one_owner() {
        let game = Mill::from_spelling("antrin:4").unwrap().0;
        for shards in game.components() {
            for processes in [1, 2, 3, 7] {
                let slices: Vec<Slice> =
                    (0..processes).map(|process| Slice::part(&game, &shards, process, processes)).collect();
                let blocks: usize = slices.iter().flat_map(Slice::blocks).map(|blocks| blocks.len()).sum();
                assert_eq!(blocks * BLOCK, slices[0].places());
                for (table, &shard) in shards.iter().enumerate() {
                    for index in 0..game.shard_size(shard) as usize {
                        let place = slices[0].place(table, index);
                        let owners: Vec<&Slice> = slices.iter().filter(|slice| slice.locate(place).is_ok()).collect();
                        let [owner] = owners[..] else { panic!("{shard:?} {index}: {} owners", owners.len()) };
                        assert!(owner.own(table).contains(&index));
                        assert_eq!(owner.locate(place), Ok(owner.state(table, index)));
                        assert_eq!(owner.table_of(owner.state(table, index)), table);
                        assert!(slices.iter().all(|slice| {
                            slice.locate(place).err().is_none_or(|process| process == owner.process())
                        }));
                    }
                }
            }
        }
    }

    #[test]
    fn blocks_of_states_and_of_places_are_the_same_blocks() {
        let game = Mill::from_spelling("antrin:4").unwrap().0;
        let shards = game.components().into_iter().max_by_key(|shards| Slice::whole(&game, shards).states()).unwrap();
        for process in 0..3 {
            let slice = Slice::part(&game, &shards, process, 3);
            let blocks = slice.states() / BLOCK;
            assert_eq!(slice.blocks_of_places(std::slice::from_ref(&(0..blocks))), slice.blocks());
            let some = [1..2, 5..blocks / 2, blocks / 2 + 1..blocks];
            let states: Vec<usize> =
                slice.blocks_of_states(&slice.blocks_of_places(&some)).into_iter().flatten().collect();
            assert!(states.into_iter().eq(some.into_iter().flatten()));
        }
    }

    #[test]
    fn overlaps_say_where_they_begin() {
        let held = [10..20, 40..50];
        assert_eq!(overlaps(&held, &[0..12, 15..45]), [(0, 10..12), (5, 15..20), (10, 40..45)]);
        assert!(overlaps(&held, std::slice::from_ref(&(20..40))).is_empty());
    }
}
