//! Laws of indexing.

use super::along;
use crate::game::{Symmetric, collect_moves};
use crate::indexed::{Expansion, Indexed, TableIndex};
use crate::rng::Rng;

/// Tables up to this size are checked at every index.
const MAX_FULL_CHECK: u64 = 1500;
/// Random indices checked in a larger table.
const SAMPLED_INDICES: usize = 48;

/// The position of each index has that index, and `expand_range` skips exactly the unused ones.
pub fn indices<G: Indexed>(game: &G, seed: u64) {
    let mut rng = Rng::new(seed);
    for component in game.components() {
        for &shard in &component {
            let size = game.shard_size(shard);
            let chosen: Vec<u64> = match size {
                ..=MAX_FULL_CHECK => (0..size).collect(),
                _ => (0..SAMPLED_INDICES).map(|_| rng.below(size as usize) as u64).collect(),
            };
            for index in chosen {
                index_holds(game, &component, shard, index);
            }
        }
    }
}

fn index_holds<G: Indexed>(game: &G, component: &[G::Shard], shard: G::Shard, index: u64) {
    let name = format!("index {index} of {}", game.shard_name(shard));
    let mut expanded = Vec::new();
    game.expand_range(component, shard, index..index + 1, &mut |index, _| expanded.push(index));
    let Some(pos) = game.position(shard, index) else {
        assert!(expanded.is_empty(), "{name} is unused, and expand_range shows it");
        return;
    };
    assert_eq!(expanded, [index], "expand_range leaves {name} out, which is {pos:?}");
    let at = game.table_index(&pos);
    assert_eq!((at.shard, at.index), (shard, index), "{name} names {pos:?}, which has another index");
    let fixed = at.stabiliser;
    assert!(fixed > 0 && game.symmetries().is_multiple_of(fixed), "{fixed} symmetries fix {name}, {pos:?}");
    assert_eq!(game.used_position(shard, index), pos, "used_position is wrong for {name}");
}

/// `expand_range` and `unplay_all` agree with `expand` and `unplay`.
fn fast_agrees_with_slow<G: Indexed>(
    game: &G,
    component: &[G::Shard],
    representative: &G::Position,
    at: TableIndex<G::Shard>,
) {
    let (mut slow, mut expanded) = (Expansion::default(), None);
    game.expand(component, representative, &mut slow);
    game.expand_range(component, at.shard, at.index..at.index + 1, &mut |index, expansion| {
        expanded = Some((index, expansion.clone()));
    });
    let Some((index, mut fast)) = expanded else { panic!("expand_range leaves {representative:?} out") };
    let key = |at: &TableIndex<G::Shard>| (at.shard, at.index, at.stabiliser);
    fast.external.sort_by_key(key);
    slow.external.sort_by_key(key);
    assert_eq!((index, &fast), (at.index, &slow), "expand_range is wrong for {representative:?}");
    assert!(fast.internal <= game.max_internal(at.shard), "more moves than said at {representative:?}");
    let leads = game.leads_to(at.shard);
    assert!(
        fast.external.iter().all(|there| leads.contains(&there.shard)),
        "leads_to leaves one out at {representative:?}"
    );
    let (mut ways, mut places) = (Vec::new(), Vec::new());
    game.unplay(representative, &mut |before| ways.push(game.table_index(&before)));
    game.unplay_all(at.shard, &[at.index], &mut |_, before| places.push(before));
    ways.sort_by_key(key);
    places.sort_by_key(key);
    assert_eq!(places, ways, "unplay_all is wrong for {representative:?}");
    let row = game.row_orbit_size(at.shard, at.index / game.row_len(at.shard));
    let orbit = game.symmetries() / at.stabiliser;
    assert!(row.is_none_or(|n| n == orbit), "the orbit of {representative:?} has {orbit} positions, not {row:?}");
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
        assert_eq!(game.used_position(at.shard, at.index), representative, "used_position is wrong for {pos:?}");
        let component = &components[own.unwrap_or(0)];
        fast_agrees_with_slow(game, component, &representative, at);
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
