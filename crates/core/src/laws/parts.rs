//! Laws of impartial games.

use super::along;
use crate::code::Code;
use crate::game::collect_moves;
use crate::impartial::Impartial;
use crate::words::Outcome;
use std::collections::{BTreeMap, BTreeSet};

/// The most parts whose nim-value is computed from their options, for one game.
const MAX_PARTS: usize = 4000;
/// The largest heap whose nim-value is compared.
const MAX_HEAP: usize = 40;

/// A sum of parts is the whole: its options are the moves, it is over when there is none, and the values of its parts
/// are those of their options.
pub fn parts<G: Impartial>(game: &G, plays: u64, seed: u64) {
    let mut known = BTreeMap::new();
    along(game, plays, seed, |pos, _| {
        let parts = live(game, game.parts(pos));
        let over = parts.is_empty().then(|| {
            let mover = game.turn(pos);
            Outcome::Win(if game.misere() { mover } else { mover.other() })
        });
        assert_eq!(game.outcome(pos), over, "{pos:?} is over without its parts, or the other way round");
        let moves = collect_moves(game, pos).into_iter();
        let by_moves: BTreeSet<_> = moves.map(|mv| live(game, game.parts(&game.after(pos, mv)))).collect();
        let mut by_parts = BTreeSet::new();
        for at in 0..parts.len() {
            game.options(&parts[at], &mut |option| {
                let others = parts.iter().enumerate().filter(|&(i, _)| i != at).map(|(_, part)| part.clone());
                by_parts.insert(live(game, others.chain(option.iter().cloned()).collect()));
            });
        }
        assert_eq!(by_parts, by_moves, "the options of the parts are not the moves at {pos:?}");
        for part in &parts {
            value_holds(game, part, &mut known);
        }
    });
}

/// The parts that can be moved in, in order.
fn live<G: Impartial>(game: &G, mut parts: Vec<G::Part>) -> Vec<G::Part> {
    parts.retain(|part| {
        let mut movable = false;
        game.options(part, &mut |_| movable = true);
        movable
    });
    parts.sort_unstable();
    parts
}

fn value_holds<G: Impartial>(game: &G, part: &G::Part, known: &mut BTreeMap<G::Part, u32>) {
    let Some(value) = by_options(game, part, known) else { return };
    let known = game.static_nimber(part);
    assert!(known.is_none_or(|seen| seen == value), "{part:?} has value {value}, not {known:?}");
    if let Some((code, size)) = game.heap(part).filter(|(_, size)| *size <= MAX_HEAP) {
        assert_eq!(by_code(code, size), value, "{part:?} as a heap of {size} by the code {code}");
    }
}

/// The value of a part from its options alone, unless there are too many.
fn by_options<G: Impartial>(game: &G, part: &G::Part, known: &mut BTreeMap<G::Part, u32>) -> Option<u32> {
    if let Some(&value) = known.get(part) {
        return Some(value);
    }
    if known.len() >= MAX_PARTS {
        return None;
    }
    let mut options = Vec::new();
    game.options(part, &mut |option| options.push(option.to_vec()));
    let mut values = BTreeSet::new();
    for option in options {
        let sum = option.iter().try_fold(0, |sum, part| Some(sum ^ by_options(game, part, known)?));
        values.insert(sum?);
    }
    let value = mex(&values);
    known.insert(part.clone(), value);
    Some(value)
}

fn mex(values: &BTreeSet<u32>) -> u32 {
    (0..).find(|value| !values.contains(value)).expect("a mex")
}

/// The value of a heap from the digits of its code.
fn by_code(code: &Code, size: usize) -> u32 {
    let mut g: Vec<u32> = Vec::new();
    for n in 0..=size {
        let mut options = BTreeSet::new();
        let rest = |heaps: u32| code.takes(heaps).into_iter().filter(move |&i| i <= n).map(move |i| n - i);
        options.extend(rest(0).filter(|&m| m == 0).map(|_| 0));
        options.extend(rest(1).filter(|&m| m > 0 && m < n).map(|m| g[m]));
        for m in rest(2) {
            options.extend((1..m).filter(|&a| !(code.unequal() && 2 * a == m)).map(|a| g[a] ^ g[m - a]));
        }
        for m in rest(3) {
            options
                .extend((1..m).flat_map(|a| (1..m - a).map(move |b| (a, b))).map(|(a, b)| g[a] ^ g[b] ^ g[m - a - b]));
        }
        g.push(mex(&options));
    }
    g[size]
}
