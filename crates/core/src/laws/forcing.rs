//! Laws of threat-space search.

use super::along;
use crate::forcing::Forcing;
use crate::game::{Symmetric, collect_moves};
use crate::words::Outcome;
use std::collections::BTreeMap;

/// Immediate wins are found exactly where there are some, keys tell orbits apart and fingerprints tell positions apart
/// (where they are exact), and the game does not run out where that is said to be impossible. Threats cannot
/// be compared with the rules, which know no passing; asking for them leaves the position as it is.
pub fn forcing<G: Forcing + Symmetric>(game: &G, plays: u64, seed: u64) {
    let (mut orbits, mut positions) = (BTreeMap::new(), BTreeMap::new());
    along(game, plays, seed, |pos, _| {
        let key = game.key(pos);
        for element in 1..game.order() {
            assert_eq!(game.key(&game.image(element, pos)), key, "element {element} changes the key of {pos:?}");
        }
        if game.has_exact_keys() {
            let orbit = game.canonical(pos).0;
            let known = orbits.entry(key).or_insert_with(|| orbit.clone());
            assert_eq!(*known, orbit, "two orbits share the key {key}");
            let known = positions.entry(game.fingerprint(pos)).or_insert_with(|| pos.clone());
            assert_eq!(known, pos, "two positions share a fingerprint");
        }
        if game.outcome(pos).is_none() {
            wins(game, pos);
            ends(game, pos);
        }
    });
}

/// `win_now` finds a move that wins, if there is one.
fn wins<G: Forcing>(game: &G, pos: &G::Position) {
    let mut same = pos.clone();
    let found = game.win_now(&mut same);
    game.threatens(&mut same);
    assert_eq!(same, *pos, "looking for wins and threats changes the position");
    let won = Some(Outcome::Win(game.turn(pos)));
    let winning: Vec<G::Move> =
        collect_moves(game, pos).into_iter().filter(|&mv| game.outcome(&game.after(pos, mv)) == won).collect();
    assert_eq!(found.is_some(), !winning.is_empty(), "win_now finds {found:?} at {pos:?}, where {winning:?} win");
    assert!(found.is_none_or(|mv| winning.contains(&mv)), "{found:?} does not win at {pos:?}");
}

/// If the game is said not to run out within a ply, no move draws, and some move wins or lets the game continue.
fn ends<G: Forcing>(game: &G, pos: &G::Position) {
    if game.runs_out_within(pos, 1) {
        return;
    }
    let ends: Vec<Option<Outcome>> =
        collect_moves(game, pos).into_iter().map(|mv| game.outcome(&game.after(pos, mv))).collect();
    let won = Outcome::Win(game.turn(pos));
    let can_continue = ends.iter().any(|end| end.is_none_or(|outcome| outcome == won));
    assert!(can_continue && !ends.contains(&Some(Outcome::Draw)), "the game runs out at {pos:?}: {ends:?}");
}
