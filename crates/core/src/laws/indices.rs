//! Laws of indexing.

use super::along;
use crate::game::{Symmetric, collect_moves};
use crate::indexed::{BulkIndexed, Expansion, Indexed, TableIndex, expand};
use crate::rng::Rng;

/// Tables up to this size are checked at every index.
const MAX_FULL_CHECK: u64 = 1500;
/// Random indices checked in a larger table.
const SAMPLED_INDICES: usize = 48;

/// The position of each index has that index.
pub fn indices<G: Indexed>(game: &G, seed: u64) {
    each_index(game, seed, |_, shard, index| {
        let Some(pos) = game.position(shard, index) else { return };
        let name = format!("index {index} of {}", game.shard_name(shard));
        let at = game.table_index(&pos);
        assert_eq!((at.shard, at.index), (shard, index), "{name} names {pos:?}, which has another index");
        let fixed = at.stabiliser;
        assert!(fixed > 0 && game.symmetries().is_multiple_of(fixed), "{fixed} symmetries fix {name}, {pos:?}");
    });
}

/// Calls `see` with indices of every table, all of them in small tables.
fn each_index<G: Indexed>(game: &G, seed: u64, mut see: impl FnMut(&[G::Shard], G::Shard, u64)) {
    let mut rng = Rng::new(seed);
    for component in game.components() {
        for &shard in &component {
            let size = game.shard_size(shard);
            let chosen: Vec<u64> = match size {
                ..=MAX_FULL_CHECK => (0..size).collect(),
                _ => (0..SAMPLED_INDICES).map(|_| rng.below(size as usize) as u64).collect(),
            };
            chosen.into_iter().for_each(|index| see(&component, shard, index));
        }
    }
}

/// [`BulkIndexed`] agrees with [`Indexed`]: along random plays, and at indices of every table.
pub fn bulk<G: BulkIndexed>(game: &G, plays: u64, seed: u64) {
    let components = game.components();
    along(game, plays, seed, |pos, _| {
        if game.outcome(pos).is_none() {
            let at = game.table_index(pos);
            let component = components.iter().find(|component| component.contains(&at.shard));
            let component = component.unwrap_or_else(|| panic!("no component holds {pos:?}"));
            bulk_agrees(game, component, at.shard, at.index);
        }
    });
    each_index(game, seed, |component, shard, index| bulk_agrees(game, component, shard, index));
}

/// The bulk operations at one index agree with the position there.
fn bulk_agrees<G: BulkIndexed>(game: &G, component: &[G::Shard], shard: G::Shard, index: u64) {
    let mut expanded = Vec::new();
    game.expand_range(component, shard, index..index + 1, &mut |index, expansion| {
        expanded.push((index, expansion.clone()));
    });
    let Some(pos) = game.position(shard, index) else {
        assert!(
            expanded.is_empty(),
            "index {index} of {} is unused, and expand_range shows it",
            game.shard_name(shard)
        );
        return;
    };
    assert_eq!(game.used_position(shard, index), pos, "used_position is wrong for {index}");
    let key = |at: &TableIndex<G::Shard>| (at.shard, at.index, at.stabiliser);
    let mut slow = Expansion::default();
    expand(game, component, &pos, &mut slow);
    slow.external.sort_by_key(key);
    expanded.iter_mut().for_each(|(_, fast)| fast.external.sort_by_key(key));
    assert!(slow.internal <= game.max_internal(shard), "more moves than max_internal at {pos:?}");
    assert_eq!(expanded, [(index, slow)], "expand_range is wrong for {pos:?}");
    let (mut ways, mut places) = (Vec::new(), Vec::new());
    game.unplay(&pos, &mut |before| ways.push(game.table_index(&before)));
    game.unplay_all(shard, &[index], &mut |_, before| places.push(before));
    ways.sort_by_key(key);
    places.sort_by_key(key);
    assert_eq!(places, ways, "unplay_all is wrong for {pos:?}");
    assert!(
        game.shard_size(shard).is_multiple_of(game.row_len(shard)),
        "rows do not make up {}",
        game.shard_name(shard)
    );
    let row = game.row_orbit_size(shard, index / game.row_len(shard));
    let orbit = game.symmetries() / game.table_index(&pos).stabiliser;
    assert!(row.is_none_or(|n| n == orbit), "the orbit of {pos:?} has {orbit} positions, not {row:?}");
}

/// Positions have indices that symmetries do not change, and `unplay` finds exactly the predecessors.
pub fn indexed<G: Indexed + Symmetric>(game: &G, plays: u64, seed: u64) {
    let components = game.components();
    let component_of = |pos: &G::Position| components.iter().position(|component| component.contains(&game.shard(pos)));
    along(game, plays, seed, |pos, _| {
        if game.outcome(pos).is_some() {
            return;
        }
        let at = game.table_index(pos);
        assert_eq!(at.shard, game.shard(pos), "two tables for {pos:?}");
        assert!(at.index < game.shard_size(at.shard), "the index of {pos:?} is too large");
        let representative = game.position(at.shard, at.index).unwrap_or_else(|| panic!("no position for {pos:?}"));
        assert_eq!(
            game.table_index(&representative),
            at,
            "the index of {pos:?} is that of a position with another index"
        );
        for element in 1..game.order() {
            assert_eq!(
                game.table_index(&game.image(element, pos)),
                at,
                "element {element} changes the index of {pos:?}"
            );
        }
        let own = component_of(pos);
        assert!(own.is_some(), "no table holds {pos:?}");
        let mut expansion = Expansion::default();
        expand(game, &components[own.unwrap_or(0)], &representative, &mut expansion);
        let leads = game.leads_to(at.shard);
        let listed = expansion.external.iter().all(|there| leads.contains(&there.shard));
        assert!(listed, "leads_to leaves a table out at {representative:?}");
        game.moves(pos, &mut |mv| {
            let after = game.after(pos, mv);
            if game.outcome(&after).is_some() {
                return;
            }
            let there = component_of(&after);
            assert!(there.is_some() && there <= own, "{mv:?} at {pos:?} leads to a later table");
            let mut back = 0;
            game.unplay(&after, &mut |before| back += usize::from(before == *pos));
            assert_eq!(back > 0, there == own, "{mv:?} at {pos:?} cannot be taken back, or should not");
        });
        game.unplay(pos, &mut |before| {
            let leads = collect_moves(game, &before).into_iter().any(|mv| game.after(&before, mv) == *pos);
            assert!(leads, "no move leads from {before:?} to {pos:?}");
        });
    });
}
