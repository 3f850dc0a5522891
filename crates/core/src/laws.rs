//! What every game must satisfy, checked along random plays. Each function panics with the position at
//! which a law is broken; call them from a game's tests.
//!
//! | function | law |
//! |---|---|
//! | [`rules`] | over ⇔ no moves; no move twice; counting agrees with listing; undo restores |
//! | [`notation`] | positions and moves survive being written and read; move names are unique; paths exist |
//! | [`symmetry`] | the group is a group; play commutes with it; canonical forms are constant on orbits |
//! | [`acyclic`] | the height falls with every move; drawn plays last as long as said; ranks are one to one |
//! | [`numbers`] | positions of tables: numbers are constant on orbits, moves can be taken back |
//! | [`guide`] | candidates are legal and there is one |
//! | [`check`] | all that concern an acyclic game |

use crate::game::{Acyclic, Game, Guide, Notation, Symmetric, collect_moves};
use crate::indexed::{Indexed, Place, Sight};
use crate::rng::Rng;
use crate::words::Outcome;
use std::collections::BTreeSet;

/// No random play of a loopy game is followed further than this.
const LONGEST: usize = 400;

/// Plays at random and shows every position on the way, with the plies played.
fn along<G: Game>(game: &G, plays: u64, seed: u64, mut see: impl FnMut(&G::Position, &mut Rng)) {
    for play in 0..plays {
        let mut rng = Rng::new(seed.wrapping_add(play));
        let mut pos = game.start();
        see(&pos, &mut rng);
        for _ in 0..LONGEST {
            let Some(mv) = game.random_move(&pos, &mut rng) else { break };
            game.play(&mut pos, mv);
            see(&pos, &mut rng);
        }
    }
}

/// Every law at once, for an acyclic game.
pub fn check<G: Notation + Symmetric + Acyclic + Guide>(game: &G, plays: u64, seed: u64) {
    rules(game, plays, seed);
    notation(game, plays, seed);
    symmetry(game, plays, seed);
    acyclic(game, plays, seed);
    guide(game, plays, seed);
}

/// The rules agree with themselves.
pub fn rules<G: Game>(game: &G, plays: u64, seed: u64) {
    along(game, plays, seed, |pos, rng| {
        let moves = collect_moves(game, pos);
        assert_eq!(game.outcome(pos).is_some(), moves.is_empty(), "over without end or end without over at {pos:?}");
        let distinct: BTreeSet<_> = moves.iter().collect();
        assert_eq!(distinct.len(), moves.len(), "a move is listed twice at {pos:?}");
        assert_eq!(game.count_moves(pos), moves.len(), "count_moves is wrong at {pos:?}");
        let random = game.random_move(pos, rng);
        assert_eq!(random.is_some(), !moves.is_empty(), "random_move is wrong at {pos:?}");
        assert!(random.is_none_or(|mv| distinct.contains(&mv)), "random_move is illegal at {pos:?}");
        for &mv in &moves {
            let mut next = pos.clone();
            let undo = game.play(&mut next, mv);
            assert_ne!(next, *pos, "{mv:?} changes nothing at {pos:?}");
            game.undo(&mut next, mv, undo);
            assert_eq!(next, *pos, "undo of {mv:?} does not restore the position");
        }
    });
}

/// What is written can be read again, and means the same.
pub fn notation<G: Notation>(game: &G, plays: u64, seed: u64) {
    along(game, plays, seed, |pos, _| {
        let text = game.show(pos);
        assert!(!text.contains(char::is_whitespace), "`{text}` contains a space");
        assert_eq!(game.parse(&text).as_ref(), Ok(pos), "`{text}` is read as another position");
        let places = game.scene(pos).places.len();
        let moves = collect_moves(game, pos);
        let names: BTreeSet<String> = moves.iter().map(|&mv| game.show_move(pos, mv)).collect();
        assert_eq!(names.len(), moves.len(), "two moves share a name at {text}");
        for &mv in &moves {
            let name = game.show_move(pos, mv);
            assert!(!name.is_empty() && !name.contains(char::is_whitespace), "bad move name `{name}` at {text}");
            assert_eq!(game.parse_move(pos, &name), Ok(mv), "`{name}` is read as another move at {text}");
            assert!(game.path(pos, mv).iter().all(|&place| place < places), "path of `{name}` leaves the board");
        }
    });
}

/// The group acts, and play commutes with it.
pub fn symmetry<G: Symmetric>(game: &G, plays: u64, seed: u64) {
    along(game, plays, seed, |pos, rng| {
        assert_eq!(game.image(0, pos), *pos, "element 0 is not the identity");
        let canonical = game.canonical(pos);
        assert_eq!(game.image(canonical.1, pos), canonical.0, "canonical names the wrong element at {pos:?}");
        let mv = game.random_move(pos, rng);
        for element in 0..game.order() {
            let image = game.image(element, pos);
            assert_eq!(game.image(game.inverse(element), &image), *pos, "inverse of {element} is wrong");
            assert_eq!(game.canonical(&image).0, canonical.0, "canonical differs on the orbit of {pos:?}");
            assert_eq!(game.turn(&image), game.turn(pos), "element {element} changes the turn");
            assert_eq!(game.outcome(&image), game.outcome(pos), "element {element} changes the outcome of {pos:?}");
            if let Some(mv) = mv {
                let there = game.after(&image, game.image_of_move(element, mv));
                assert_eq!(
                    there,
                    game.image(element, &game.after(pos, mv)),
                    "play and element {element} do not commute"
                );
            }
        }
    });
}

/// Every play ends, and dense numbers are one to one.
pub fn acyclic<G: Acyclic>(game: &G, plays: u64, seed: u64) {
    along(game, plays, seed, |pos, rng| {
        let height = game.height(pos);
        game.moves(pos, &mut |mv| {
            let after = game.after(pos, mv);
            assert!(game.height(&after) < height, "the height does not fall by {mv:?} at {pos:?}");
            if game.ranks().is_some() {
                let stepped = game.rank_after(game.rank(pos), pos, mv, &after);
                assert_eq!(stepped, game.rank(&after), "rank_after is wrong for {mv:?} at {pos:?}");
            }
        });
        if let Some(ranks) = game.ranks() {
            let rank = game.rank(pos);
            assert!(rank < ranks, "rank {rank} of {pos:?} is not below {ranks}");
            assert_eq!(game.unrank(rank).as_ref(), Some(pos), "unrank is not the inverse of rank");
        }
        let (mut end, mut plies) = (pos.clone(), 0);
        while let Some(mv) = game.random_move(&end, rng) {
            game.play(&mut end, mv);
            plies += 1;
        }
        if game.outcome(pos).is_some() {
            assert_eq!(Some(game.playout(pos.clone(), rng)), game.outcome(pos), "playout changes a finished play");
        }
        if let (Some(Outcome::Draw), Some(said)) = (game.outcome(&end), game.draw_plies(pos)) {
            assert_eq!(plies, said, "a drawn play from {pos:?} has another length");
        }
    });
}

/// Candidates are legal moves, and an unfinished position has one.
pub fn guide<G: Guide>(game: &G, plays: u64, seed: u64) {
    along(game, plays, seed, |pos, _| {
        if game.outcome(pos).is_some() {
            return;
        }
        let legal: BTreeSet<_> = collect_moves(game, pos).into_iter().collect();
        let mut candidates = Vec::new();
        game.candidates(pos, &mut |mv, _| candidates.push(mv));
        assert!(!candidates.is_empty(), "no candidate at {pos:?}");
        assert!(candidates.iter().all(|mv| legal.contains(mv)), "a candidate is illegal at {pos:?}");
        assert_eq!(candidates.iter().collect::<BTreeSet<_>>().len(), candidates.len(), "a candidate twice at {pos:?}");
        let bounds = game.bounds(pos);
        assert!(bounds.lo <= bounds.hi, "bounds cross at {pos:?}");
    });
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
