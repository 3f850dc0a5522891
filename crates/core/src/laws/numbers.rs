//! Laws of positions as numbers.

use super::along;
use crate::game::{Symmetric, collect_moves};
use crate::indexed::{Indexed, Place, Sight};
use crate::rng::Rng;

/// Tables of at most so many numbers are looked at whole.
const SMALL: u64 = 1500;
/// Numbers looked at in a larger table.
const SOME: usize = 48;

/// Each number is that of the position it names; one that names none is left out by `survey`.
pub fn indexes<G: Indexed>(game: &G, seed: u64) {
    let mut rng = Rng::new(seed);
    for unit in game.units() {
        for &shard in &unit {
            let size = game.shard_size(shard);
            let numbers: Vec<u64> = match size {
                ..=SMALL => (0..size).collect(),
                _ => (0..SOME).map(|_| rng.below(size as usize) as u64).collect(),
            };
            for index in numbers {
                index_holds(game, &unit, shard, index);
            }
        }
    }
}

fn index_holds<G: Indexed>(game: &G, unit: &[G::Shard], shard: G::Shard, index: u64) {
    let name = format!("number {index} of {}", game.shard_name(shard));
    let mut surveyed = Vec::new();
    game.survey(unit, shard, index..index + 1, &mut |index, _| surveyed.push(index));
    let Some(pos) = game.position(shard, index) else {
        assert!(surveyed.is_empty(), "{name} is unused, and survey shows it");
        return;
    };
    assert_eq!(surveyed, [index], "survey leaves {name} out, which is {pos:?}");
    let place = game.place(&pos);
    assert_eq!((place.shard, place.index), (shard, index), "{name} names {pos:?}, which has another number");
    let fixed = place.fixed_by;
    assert!(fixed > 0 && game.symmetries().is_multiple_of(fixed), "{fixed} symmetries fix {name}, {pos:?}");
    assert_eq!(game.used_position(shard, index), pos, "used_position is wrong for {name}");
}

/// What `survey` and `unplay_all` say is what playing says.
fn looks_alike<G: Indexed>(game: &G, group: &[G::Shard], head: &G::Position, place: Place<G::Shard>) {
    let (mut slow, mut seen) = (Sight::default(), None);
    game.look(group, head, &mut slow);
    game.survey(group, place.shard, place.index..place.index + 1, &mut |index, sight| {
        seen = Some((index, sight.clone()));
    });
    let Some((index, mut fast)) = seen else { panic!("survey leaves {head:?} out") };
    let key = |place: &Place<G::Shard>| (place.shard, place.index, place.fixed_by);
    fast.outside.sort_by_key(key);
    slow.outside.sort_by_key(key);
    assert_eq!((index, &fast), (place.index, &slow), "survey is wrong for {head:?}");
    assert!(fast.inside <= game.most_inside(place.shard), "more moves than said at {head:?}");
    let leads = game.leads_to(place.shard);
    assert!(fast.outside.iter().all(|there| leads.contains(&there.shard)), "leads_to leaves one out at {head:?}");
    let (mut ways, mut places) = (Vec::new(), Vec::new());
    game.unplay(head, &mut |before| ways.push(game.place(&before)));
    game.unplay_all(place.shard, &[place.index], &mut |_, before| places.push(before));
    ways.sort_by_key(key);
    places.sort_by_key(key);
    assert_eq!(places, ways, "unplay_all is wrong for {head:?}");
    let row = game.row_stands_for(place.shard, place.index / game.row(place.shard));
    let stands_for = game.symmetries() / place.fixed_by;
    assert!(row.is_none_or(|n| n == stands_for), "{head:?} stands for {stands_for}, not for {row:?}");
}

/// Positions have numbers that symmetry does not change, and moves can be taken back.
pub fn numbers<G: Indexed + Symmetric>(game: &G, plays: u64, seed: u64) {
    let units = game.units();
    let unit = |pos: &G::Position| units.iter().position(|unit| unit.contains(&game.shard(pos)));
    along(game, plays, seed, |pos, _| {
        if game.outcome(pos).is_some() {
            return;
        }
        let place = game.place(pos);
        assert_eq!(place.shard, game.shard(pos), "two tables for {pos:?}");
        assert!(place.index < game.shard_size(place.shard), "the number of {pos:?} is too large");
        let head = game.position(place.shard, place.index).unwrap_or_else(|| panic!("no position for {pos:?}"));
        assert_eq!(game.place(&head), place, "the number of {pos:?} leads to another");
        for element in 1..game.order() {
            assert_eq!(game.place(&game.image(element, pos)), place, "element {element} changes the number of {pos:?}");
        }
        let own = unit(pos);
        assert!(own.is_some(), "no table holds {pos:?}");
        assert_eq!(game.used_position(place.shard, place.index), head, "used_position is wrong for {pos:?}");
        let group = &units[own.unwrap_or(0)];
        looks_alike(game, group, &head, place);
        game.moves(pos, &mut |mv| {
            let after = game.after(pos, mv);
            if game.outcome(&after).is_some() {
                return;
            }
            let there = unit(&after);
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
