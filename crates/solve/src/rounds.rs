//! Counting where play can go round: ply by ply, up to a given one. A position may come up at several plies.

use crate::count::{ByOutcome, Counts, Cut, Limits, Ply};
use crate::table::table_bytes;
use agon_core::{Ctx, Outcome, Player, Symmetric};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

/// Counts everything reachable from `root` within the plies given.
pub fn count<G: Symmetric>(game: &G, root: &G::Position, limits: Limits, ctx: &Ctx) -> Counts {
    let none = || ByOutcome { first: BigUint::ZERO, second: BigUint::ZERO, draw: BigUint::ZERO };
    let nothing = || ByOutcome { first: 0, second: 0, draw: 0 };
    let mut counts = Counts {
        plies: Vec::new(),
        complete: false,
        cut: None,
        positions: (0, 0),
        finished: (nothing(), nothing()),
        games: none(),
        games_by_position: None,
        games_by_sequence: None,
    };
    let mut layer: FxHashMap<G::Position, BigUint> = FxHashMap::default();
    layer.insert(root.clone(), BigUint::from(1u8));
    let (mut seen, mut classes) = (FxHashSet::default(), FxHashSet::default());
    let mut meter = ctx.meter();
    for ply in 0..=limits.plies {
        let mut games = none();
        let mut next: FxHashMap<G::Position, BigUint> = FxHashMap::default();
        let mut here = FxHashSet::default();
        for (pos, ways) in &layer {
            if let Err(stop) = meter.tick() {
                counts.cut = Some(Cut::Stopped(stop));
                return counts;
            }
            let slot = size_of::<G::Position>();
            let held = table_bytes(next.len(), next.capacity(), slot + size_of::<BigUint>() + 16)
                + table_bytes(seen.len(), seen.capacity(), slot)
                + 2 * table_bytes(classes.len(), classes.capacity(), slot);
            if held > limits.bytes {
                counts.cut = Some(Cut::Memory { ply: ply + 1 });
                return counts;
            }
            let class = game.canonical(pos).0;
            let outcome = game.outcome(pos);
            let (is_new, is_new_class) = (seen.insert(pos.clone()), classes.insert(class.clone()));
            here.insert(class);
            if let Some(outcome) = outcome {
                *of(&mut games, outcome) += ways;
                *of(&mut counts.finished.0, outcome) += u64::from(is_new);
                *of(&mut counts.finished.1, outcome) += u64::from(is_new_class);
            } else if ply < limits.plies {
                game.moves(pos, &mut |mv| *next.entry(game.after(pos, mv)).or_default() += ways);
            }
        }
        let (positions, sequences) = (layer.len() as u64, layer.values().sum());
        for (sum, part) in [
            (&mut counts.games.first, &games.first),
            (&mut counts.games.second, &games.second),
            (&mut counts.games.draw, &games.draw),
        ] {
            *sum += part;
        }
        counts.plies.push(Ply { ply, sequences, positions, classes: here.len() as u64, games });
        counts.positions = (seen.len() as u64, classes.len() as u64);
        if ply < limits.plies && next.is_empty() {
            counts.complete = true;
            break;
        }
        layer = next;
    }
    counts
}

fn of<N>(by: &mut ByOutcome<N>, outcome: Outcome) -> &mut N {
    match outcome {
        Outcome::Win(Player::First) => &mut by.first,
        Outcome::Win(Player::Second) => &mut by.second,
        Outcome::Draw => &mut by.draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Acyclic, Game};
    use agon_games::mill::Mill;
    use agon_games::mill::presets::ANTRIN;
    use agon_games::mnk::Mnk;

    #[test]
    fn placements_of_antrin_are_those_of_the_thesis() {
        let antrin = Mill::of_family(&ANTRIN, "antrin:3,early=ignored").unwrap().0;
        let limits = Limits { plies: 6, bytes: 1 << 26, up_to_symmetry: false };
        let counts = count(&antrin, &antrin.start(), limits, &Ctx::default());
        let by_ply = |of: fn(&Ply) -> u64| counts.plies.iter().map(of).collect::<Vec<_>>();
        assert_eq!(by_ply(|p| u64::try_from(&p.sequences).unwrap()), [1, 9, 72, 504, 3024, 15_120, 60_480]);
        assert_eq!(by_ply(|p| p.classes), [1, 3, 12, 38, 108, 174, 228]);
        assert_eq!(by_ply(|p| p.positions), [1, 9, 72, 252, 756, 1260, 1680]);
    }

    #[test]
    fn where_play_ends_it_counts_what_the_other_counts() {
        let game = Mnk::new(3, 3, 3);
        let limits = Limits { plies: 9, bytes: 1 << 26, up_to_symmetry: false };
        let slow = count(&game, &game.start(), limits, &Ctx::default());
        let fast = crate::count::count(&game, &game.start(), limits, &Ctx::default());
        assert_eq!(game.height(&game.start()), 9);
        assert_eq!(
            (slow.plies, slow.positions, slow.finished, slow.games),
            (fast.plies, fast.positions, fast.finished, fast.games)
        );
    }

    #[test]
    fn too_little_memory_is_a_cut() {
        let antrin = Mill::of_family(&ANTRIN, "antrin:4").unwrap().0;
        let limits = Limits { plies: 8, bytes: 1 << 18, up_to_symmetry: false };
        let counts = count(&antrin, &antrin.start(), limits, &Ctx::default());
        assert!(matches!(counts.cut, Some(Cut::Memory { .. })) && !counts.plies.is_empty());
    }
}
