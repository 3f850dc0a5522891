//! Laws of bounds, candidates and heuristics, checked by exhaustive search.

use super::along;
use crate::evaluate::{Evaluate, MAX_EVALUATION};
use crate::game::{Acyclic, Guide, collect_moves};
use crate::tactics::{StaticAnalysis, Tactics};
use crate::words::{Outcome, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The node limit of one exhaustive search; a position that needs more is skipped.
const MAX_NODES: u32 = 3000;
/// Positions with a larger estimated tree (moves to the power of the height) are skipped.
const MAX_TREE: u64 = 10_000_000;

/// Values by exhaustive search, memoised.
struct Values<'a, G: Acyclic> {
    game: &'a G,
    known: BTreeMap<G::Position, Value>,
    left: u32,
}

impl<'a, G: Acyclic> Values<'a, G> {
    fn new(game: &'a G) -> Values<'a, G> {
        Values { game, known: BTreeMap::new(), left: 0 }
    }

    /// The value of a position, unless its tree is too large.
    fn of(&mut self, pos: &G::Position) -> Option<Value> {
        let plays = (self.game.count_moves(pos) as u64).checked_pow(self.game.height(pos));
        plays.filter(|&plays| plays <= MAX_TREE)?;
        self.left = MAX_NODES;
        self.search(pos)
    }

    /// The value of a move for the side that makes it.
    fn of_move(&mut self, pos: &G::Position, mv: G::Move) -> Option<Value> {
        let after = self.game.after(pos, mv);
        let again = self.game.turn(&after) == self.game.turn(pos);
        Some(self.search(&after)?.to_parent_with(again))
    }

    fn search(&mut self, pos: &G::Position) -> Option<Value> {
        if let Some(&value) = self.known.get(pos) {
            return Some(value);
        }
        self.left = self.left.checked_sub(1)?;
        let value = match self.game.outcome(pos) {
            Some(outcome) => Value::finished(outcome.seen_by(self.game.turn(pos))),
            None => {
                let mut best = Value::WORST;
                for mv in collect_moves(self.game, pos) {
                    best = best.max(self.of_move(pos, mv)?);
                }
                best
            }
        };
        self.known.insert(pos.clone(), value);
        Some(value)
    }
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

/// Bounds hold, and a move of best value and distance is among the candidates, where the tree is small.
pub fn static_bounds<G: Acyclic + Guide>(game: &G, plays: u64, seed: u64) {
    let mut values = Values::new(game);
    along(game, plays, seed, |pos, _| {
        let Some(value) = values.of(pos).filter(|_| game.outcome(pos).is_none()) else { return };
        let (bounds, wdl) = (game.bounds(pos), value.wdl());
        assert!(bounds.lo <= wdl && wdl <= bounds.hi, "{pos:?} is a {wdl}, and the bounds are {bounds:?}");
        let mut candidates = Vec::new();
        game.candidates(pos, &mut |mv, _| candidates.push(mv));
        assert_eq!(best_of(&mut values, pos, &candidates), Some(value), "no candidate at {pos:?} is best");
    });
}

/// Static values, forced moves and bounds agree with exhaustive search, a move of best value and distance is promising, and
/// positions with equal keys have equal values, where the tree is small.
pub fn tactics<G: Tactics>(game: &G, plays: u64, seed: u64) {
    let mut values = Values::new(game);
    let mut keys = BTreeMap::new();
    along(game, plays, seed, |pos, _| {
        let Some(value) = values.of(pos).filter(|_| game.outcome(pos).is_none()) else { return };
        match game.static_analysis(pos) {
            StaticAnalysis::Decided(seen) => return assert_eq!(seen, value, "{pos:?} is decided otherwise"),
            StaticAnalysis::Forced(mv) => {
                return assert_eq!(best_of(&mut values, pos, &[mv]), Some(value), "{mv:?} at {pos:?}");
            }
            StaticAnalysis::Open => {}
        }
        let (lo, hi) = game.value_bounds(pos);
        assert!(lo <= value && value <= hi, "{pos:?} is a {value}, and the bounds are {lo} and {hi}");
        let (mut promising, legal) = (Vec::new(), collect_moves(game, pos));
        game.promising(pos, &mut |mv| promising.push(mv));
        assert!(promising.iter().all(|mv| legal.contains(mv)), "a promising move is illegal at {pos:?}");
        assert_eq!(best_of(&mut values, pos, &promising), Some(value), "no promising move at {pos:?} is best");
        for after in promising.iter().map(|&mv| game.after(pos, mv)) {
            let over = game.outcome(&after).map(|outcome| Value::finished(outcome.seen_by(game.turn(&after))));
            assert!(
                over.is_none_or(|value| game.static_analysis(&after) == StaticAnalysis::Decided(value)),
                "{after:?} is over"
            );
        }
        for element in 0..game.order() {
            let image = game.image(element, pos);
            let key = game.key(&image);
            assert!(game.key_bits() == 64 || key >> game.key_bits() == 0, "the key of {image:?} is too long");
            let (other, known) = keys.entry(key).or_insert_with(|| (image.clone(), value));
            assert_eq!(*known, value, "{image:?} and {other:?} have the same key");
        }
    });
}

/// A move of best value and distance is among the ordered moves, where the tree is small.
pub fn order<G: Acyclic + Evaluate>(game: &G, plays: u64, seed: u64) {
    let mut values = Values::new(game);
    along(game, plays, seed, |pos, _| {
        let Some(value) = values.of(pos).filter(|_| game.outcome(pos).is_none()) else { return };
        let mut ordered = Vec::new();
        game.ordered(pos, &mut |mv, _| ordered.push(mv));
        assert_eq!(best_of(&mut values, pos, &ordered), Some(value), "no ordered move at {pos:?} is best");
    });
}

fn best_of<G: Acyclic>(values: &mut Values<'_, G>, pos: &G::Position, moves: &[G::Move]) -> Option<Value> {
    moves.iter().map(|&mv| values.of_move(pos, mv).expect("valued with the position")).max()
}

/// Heuristics are consistent with the rules.
pub fn evaluation<G: Evaluate>(game: &G, plays: u64, seed: u64) {
    let weights = G::default_weights();
    along(game, plays, seed, |pos, rng| {
        let legal: BTreeSet<_> = collect_moves(game, pos).into_iter().collect();
        let weighted = game.weighted_move(pos, &weights, rng);
        assert_eq!(weighted.is_some(), !legal.is_empty(), "weighted_move is wrong at {pos:?}");
        assert!(weighted.is_none_or(|mv| legal.contains(&mv)), "weighted_move is illegal at {pos:?}");
        for &mv in &legal {
            let after = game.after(pos, mv);
            assert_eq!(game.ended(&after, mv), game.outcome(&after), "ended is wrong after {mv:?} at {pos:?}");
        }
        if legal.is_empty() {
            return;
        }
        assert!(game.evaluate(pos).abs() <= MAX_EVALUATION, "the evaluation of {pos:?} is too large");
        let mut ordered = Vec::new();
        game.ordered(pos, &mut |mv, _| ordered.push(mv));
        assert!(!ordered.is_empty() && ordered.iter().all(|mv| legal.contains(mv)), "ordered is wrong at {pos:?}");
        assert_eq!(ordered.iter().collect::<BTreeSet<_>>().len(), ordered.len(), "a move is ordered twice at {pos:?}");
        immediate(game, pos);
    });
}

/// `immediate_win` wins, `in_danger` sees only real threats, and `pass` is a null move.
fn immediate<G: Evaluate>(game: &G, pos: &G::Position) {
    let mut kept = pos.clone();
    let won = game.immediate_win(&mut kept);
    assert_eq!(kept, *pos, "immediate_win changes the position");
    let wins =
        |pos: &G::Position, mv: G::Move| game.outcome(&game.after(pos, mv)) == Some(Outcome::Win(game.turn(pos)));
    assert!(won.is_none_or(|mv| wins(pos, mv)), "{won:?} does not win at {pos:?}");
    let danger = game.in_danger(&mut kept);
    assert_eq!(kept, *pos, "in_danger changes the position");
    if !game.pass(&mut kept) {
        return;
    }
    assert_ne!(game.turn(&kept), game.turn(pos), "passing at {pos:?} keeps the turn");
    let threat = collect_moves(game, &kept).into_iter().any(|mv| wins(&kept, mv));
    assert!(threat || !danger, "in_danger sees a danger at {pos:?} that is none");
    assert!(game.pass(&mut kept) && kept == *pos, "passing twice at {pos:?} does not restore the position");
}
