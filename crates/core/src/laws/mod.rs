//! Laws that every game must satisfy, checked along random playouts. Each function panics with the position at which a
//! law is broken; call them from a game's tests.
//!
//! | function | law |
//! |---|---|
//! | [`rules`] | over ⇔ no moves; no move twice; counting agrees with listing; undo restores |
//! | [`alternating`] | every move passes the turn |
//! | [`notation`] | positions and moves survive being written and read; move names are unique; paths exist |
//! | [`symmetry`] | the group is a group; it maps legal moves onto legal moves and play commutes with it; canonical forms are constant on orbits |
//! | [`acyclic`] | the height falls with every move; drawn plays last as long as said |
//! | [`ranked`] | ranks are one to one and below their bound |
//! | [`guide`] | candidates are legal and there is one |
//! | [`static_bounds`] | bounds hold, and a best move is among the candidates, where the tree is small |
//! | [`lines`] | a line is complete ⇔ its maker has won; marks and moves are those of the rules |
//! | [`evaluation`] | heuristics agree with the rules: outcomes, immediate wins, threats, null moves |
//! | [`order`] | a best move is among the ordered ones, where the tree is small |
//! | [`tactics`] | static values, forced moves and bounds agree with exhaustive search, a best move is promising, and equal keys have equal values, where the tree is small |
//! | [`forcing`] | immediate wins are found; keys tell orbits apart |
//! | [`indexed`] | positions of tables: indices are constant on orbits, moves can be undone |
//! | [`indices`] | indices of tables: each is that of its position, or unused everywhere |
//! | [`bulk`] | operations on many indices agree with single positions |
//! | [`parts`] | parts and their options are the moves of the whole; nim-values without search are those of the options |
//! | [`check`] | [`rules`], [`notation`], [`symmetry`], [`acyclic`], [`guide`] and [`static_bounds`] at once |
//!
//! No law but [`alternating`] expects the turn to alternate.

mod forcing;
mod indices;
mod lines;
mod parts;
mod static_analysis;
mod symmetry;

#[cfg(test)]
mod broken;

pub use forcing::forcing;
pub use indices::{bulk, indexed, indices};
pub use lines::lines;
pub use parts::parts;
pub use static_analysis::{evaluation, guide, order, static_bounds, tactics};
pub use symmetry::symmetry;

use crate::game::{Acyclic, Alternating, Game, Guide, Notation, Ranked, Symmetric, collect_moves};
use crate::rng::Rng;
use crate::words::Outcome;
use std::collections::BTreeSet;

/// The ply limit of a random playout, since play may cycle.
const MAX_PLIES: usize = 400;

/// Plays random games and calls `see` with every position.
fn along<G: Game>(game: &G, plays: u64, seed: u64, mut see: impl FnMut(&G::Position, &mut Rng)) {
    for play in 0..plays {
        let mut rng = Rng::new(seed.wrapping_add(play));
        let mut pos = game.start();
        see(&pos, &mut rng);
        for _ in 0..MAX_PLIES {
            let Some(mv) = game.random_move(&pos, &mut rng) else { break };
            game.play(&mut pos, mv);
            see(&pos, &mut rng);
        }
    }
}

/// Every law that an acyclic game must keep, whatever else it offers; the turn need not alternate. A game with lines
/// or heuristics for players is checked by [`lines`], [`ranked`] and [`evaluation`] as well.
pub fn check<G: Notation + Symmetric + Acyclic + Guide>(game: &G, plays: u64, seed: u64) {
    cyclic(game, plays, seed);
    acyclic(game, plays, seed);
    static_bounds(game, plays, seed);
}

/// The laws of [`check`] that a game keeps even if play can cycle: its rules, notation, symmetries and
/// guide.
pub fn cyclic<G: Notation + Symmetric + Guide>(game: &G, plays: u64, seed: u64) {
    rules(game, plays, seed);
    notation(game, plays, seed);
    symmetry(game, plays, seed);
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
            let passes = game.turn(&next) != game.turn(pos);
            assert!(passes || !G::ALTERNATES, "ALTERNATES is said, and {mv:?} at {pos:?} keeps the turn");
            game.undo(&mut next, mv, undo);
            assert_eq!(next, *pos, "undo of {mv:?} does not restore the position");
        }
    });
}

/// Every move passes the turn to the other side.
pub fn alternating<G: Alternating>(game: &G, plays: u64, seed: u64) {
    along(game, plays, seed, |pos, _| {
        game.moves(pos, &mut |mv| {
            assert_ne!(game.turn(&game.after(pos, mv)), game.turn(pos), "{mv:?} at {pos:?} keeps the turn");
        });
    });
}

/// Parsing is the inverse of printing, for positions and moves.
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

/// Every play ends, and drawn plays last as long as said.
pub fn acyclic<G: Acyclic>(game: &G, plays: u64, seed: u64) {
    along(game, plays, seed, |pos, rng| {
        let height = game.height(pos);
        game.moves(pos, &mut |mv| {
            let after = game.after(pos, mv);
            assert!(game.height(&after) < height, "the height does not fall by {mv:?} at {pos:?}");
        });
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

/// Ranks are below their bound and one to one, and an update agrees with a fresh ranking. A game without ranks breaks the
/// law.
pub fn ranked<G: Ranked>(game: &G, plays: u64, seed: u64) {
    let ranks = game.ranks().expect("the game has no ranks");
    along(game, plays, seed, |pos, _| {
        let rank = game.rank(pos);
        assert!(rank < ranks, "rank {rank} of {pos:?} is not below {ranks}");
        assert_eq!(game.unrank(rank).as_ref(), Some(pos), "unrank is not the inverse of rank");
        game.moves(pos, &mut |mv| {
            let after = game.after(pos, mv);
            let stepped = game.rank_after(rank, pos, mv, &after);
            assert_eq!(stepped, game.rank(&after), "rank_after is wrong for {mv:?} at {pos:?}");
        });
    });
}
