//! Counts against published numbers, and against plain listing.

use super::*;
use agon_core::{Family, Notation, Rng, collect_moves};
use agon_games::drop::Drop;
use agon_games::impartial::Play;
use agon_games::impartial::circle::Circle;
use agon_games::impartial::heaps::{Heaps, Nim};
use agon_games::impartial::tiles::{Cram, Ellie, Tiles};
use agon_games::impartial::treblecross::Treblecross;
use agon_games::mill::{Men, Mill};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use agon_games::tak::Tak;
use std::collections::{BTreeMap, BTreeSet};

const ALL: Limits = Limits { plies: u32::MAX, bytes: 1 << 30, up_to_symmetry: true };

fn small(n: &BigUint) -> u64 {
    n.try_into().expect("a small number")
}

#[test]
fn tic_tac_toe_counts_match_the_literature() {
    let game = Mnk::new(3, 3, 3);
    let counts = count(&game, &game.start(), ALL, &Ctx::default());
    // Bottomley: 255,168 games, 131,184 / 77,904 / 46,080.
    let games = &counts.games;
    assert_eq!([&games.first, &games.second, &games.draw].map(small), [131_184, 77_904, 46_080]);
    assert_eq!((small(&games.total()), small(&counts.tree_nodes())), (255_168, 549_946));
    // 5,478 positions, 765 up to symmetry; finished: 626 X, 316 O, 16 drawn.
    assert_eq!(counts.positions, (5478, 765));
    assert_eq!(counts.finished.0, ByOutcome { first: 626, second: 316, draw: 16 });
    // Schaefer: 26,830 games when equivalent moves count once: 13,957 / 8,005 / 4,868.
    let by_position = counts.games_by_position.as_ref().unwrap();
    assert_eq!([&by_position.first, &by_position.second, &by_position.draw].map(small), [13_957, 8_005, 4_868]);
    assert_eq!(small(&counts.games_by_sequence.as_ref().unwrap().total()), 31_896);
}

#[test]
fn connect_four_positions_match_the_published_sequence() {
    // OEIS A212693: positions after n plies of Connect Four.
    let game = Drop::new(7, 6, 4);
    let limits = Limits { plies: 8, ..ALL };
    let counts = count(&game, &game.start(), limits, &Ctx::default());
    let positions: Vec<u64> = counts.plies.iter().map(|ply| ply.positions).collect();
    assert_eq!(positions, [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275]);
}

/// Lists every game, and counts orbits of whole sequences by their least image.
fn orbits_by_listing(game: &Mnk) -> usize {
    fn walk(game: &Mnk, pos: &<Mnk as Game>::Position, line: &mut Vec<u8>, seen: &mut BTreeSet<Vec<u8>>) {
        if game.outcome(pos).is_some() {
            let images = (0..game.order()).map(|e| line.iter().map(|&m| game.image_of_move(e, m)).collect());
            seen.extend(images.min());
        }
        game.moves(pos, &mut |mv| {
            line.push(mv);
            walk(game, &game.after(pos, mv), line, seen);
            line.pop();
        });
    }
    let mut seen = BTreeSet::new();
    walk(game, &game.start(), &mut Vec::new(), &mut seen);
    seen.len()
}

#[test]
fn orbits_of_sequences_agree_with_listing_them() {
    for (m, n, k) in [(3, 3, 3), (4, 2, 2), (3, 2, 3)] {
        let game = Mnk::new(m, n, k);
        let counts = count(&game, &game.start(), ALL, &Ctx::default());
        let orbits = counts.games_by_sequence.unwrap().total();
        assert_eq!(small(&orbits) as usize, orbits_by_listing(&game), "{m},{n},{k}");
    }
}

/// Every position that play from `root` leads to, one at a time.
fn reachable<G: Game>(game: &G, root: &G::Position) -> BTreeSet<G::Position> {
    let (mut seen, mut todo) = (BTreeSet::from([root.clone()]), vec![root.clone()]);
    while let Some(pos) = todo.pop() {
        let next = collect_moves(game, &pos).into_iter().map(|mv| game.after(&pos, mv));
        todo.extend(next.filter(|child| seen.insert(child.clone())));
    }
    seen
}

/// Sets that these positions fall into, two being in one set when `images` leads from one to the other.
fn orbits<P: Clone + Ord>(positions: impl IntoIterator<Item = P>, images: impl Fn(&P) -> Vec<P>) -> u64 {
    let mut left: BTreeSet<P> = positions.into_iter().collect();
    let mut number = 0;
    while let Some(pos) = left.pop_first() {
        number += 1;
        for image in images(&pos) {
            left.remove(&image);
        }
    }
    number
}

fn images<G: Symmetric>(game: &G, pos: &G::Position) -> Vec<G::Position> {
    (0..game.order()).map(|element| game.image(element, pos)).collect()
}

/// Roots after the given number of random moves.
fn random_roots<G: Game>(game: &G, plies: u32, roots: u64) -> Vec<G::Position> {
    let root = |seed| {
        let (mut pos, mut rng) = (game.start(), Rng::new(seed));
        for _ in 0..plies {
            if let Some(mv) = rng.pick(&collect_moves(game, &pos)) {
                game.play(&mut pos, *mv);
            }
        }
        pos
    };
    (0..roots).map(root).collect()
}

/// Positions up to symmetry, of all plies and of each, as listing them one by one finds.
fn agrees_with_listing<G: Symmetric>(game: &G, root: &G::Position, counts: &Counts) {
    let all = reachable(game, root);
    let classes = orbits(all.iter().cloned(), |pos| images(game, pos));
    assert_eq!(counts.positions, (all.len() as u64, classes), "from {root:?}");
    let over = |outcome: Outcome| {
        let finished = all.iter().filter(|pos| game.outcome(pos) == Some(outcome)).cloned();
        orbits(finished, |pos| images(game, pos))
    };
    let [first, second, draw] = [Outcome::Win(Player::First), Outcome::Win(Player::Second), Outcome::Draw].map(over);
    assert_eq!(counts.finished.1, ByOutcome { first, second, draw }, "from {root:?}");
    let mut layer = BTreeSet::from([root.clone()]);
    for ply in &counts.plies {
        assert_eq!(ply.classes, orbits(layer.iter().cloned(), |pos| images(game, pos)), "ply {} of {root:?}", ply.ply);
        let next = layer.iter().flat_map(|pos| collect_moves(game, pos).into_iter().map(|mv| game.after(pos, mv)));
        layer = next.collect();
    }
}

/// One meaning of "up to symmetry": `count`, `Strong` and a list of orbits agree, from the start and from anywhere.
fn one_meaning<G: Acyclic + Symmetric>(game: &G, plies: u32) {
    let roots = std::iter::once(game.start()).chain(random_roots(game, plies, 6));
    for root in roots {
        let counts = count(game, &root, Limits { up_to_symmetry: false, ..ALL }, &Ctx::default());
        agrees_with_listing(game, &root, &counts);
        let strong = crate::Strong::solve(game, &root, 1 << 28, &Ctx::default()).expect("a small game(");
        let (positions, classes) = strong.totals();
        assert_eq!(counts.positions, (positions.sum(), classes.sum()), ")from {root:?}");
    }
}

#[test]
fn up_to_symmetry_means_the_same_in_counts_and_strong_solutions() {
    one_meaning(&Mnk::new(3, 3, 3), 1);
    one_meaning(&Mnk::new(4, 2, 3), 2);
    one_meaning(&Mnk::new(3, 2, 3), 3);
    one_meaning(&Drop::new(3, 3, 3), 2);
    one_meaning(&Drop::new(4, 3, 3), 4);
    one_meaning(&OrderChaos::new(3, 2, 3, 2, true, Row::AtLeast), 2);
    one_meaning(&OrderChaos::new(2, 2, 2, 3, false, Row::Exact), 1);
    for spelling in ["cram:3x3", "ellie:3x2", "treblecross:1x5", "nim:1+2+3", "circular-nim:4,2:1+2+1+2"] {
        match spelling.split(':').next() {
            Some("cram") => one_meaning(&Play::<Tiles<Cram>>::from_spelling(spelling).unwrap().0, 1),
            Some("ellie") => one_meaning(&Play::<Tiles<Ellie>>::from_spelling(spelling).unwrap().0, 1),
            Some("treblecross") => one_meaning(&Play::<Treblecross>::from_spelling(spelling).unwrap().0, 1),
            Some("nim") => one_meaning(&Play::<Heaps<Nim>>::from_spelling(spelling).unwrap().0, 1),
            _ => one_meaning(&Play::<Circle>::from_spelling(spelling).unwrap().0, 1),
        }
    }
}

#[test]
fn positions_from_a_root_without_symmetry_are_counted_up_to_those_of_the_board() {
    // 962 and 42 with the symmetries of the root alone.
    let game = Mnk::new(3, 3, 3);
    for (root, positions) in [("X../.../...", (1870, 652)), ("XOX/.O./...", (79, 38))] {
        let counts = count(&game, &game.parse(root).unwrap(), ALL, &Ctx::default());
        assert_eq!(counts.positions, positions, "{root}");
    }
}

#[test]
fn equal_moves_are_those_of_the_current_position_wherever_counting_begins() {
    fn games(game: &Mnk, pos: &<Mnk as Game>::Position) -> u64 {
        let same: Vec<usize> = (0..game.order()).filter(|&e| game.image(e, pos) == *pos).collect();
        let moves = collect_moves(game, pos);
        let first = |mv: &u8| same.iter().all(|&e| game.image_of_move(e, *mv) >= *mv);
        let children = moves.iter().filter(|mv| first(mv));
        if moves.is_empty() { 1 } else { children.map(|mv| games(game, &game.after(pos, *mv))).sum() }
    }
    let game = Mnk::new(3, 3, 3);
    for root in random_roots(&game, 3, 8) {
        let counts = count(&game, &root, ALL, &Ctx::default());
        assert_eq!(small(&counts.games_by_position.unwrap().total()), games(&game, &root), "from {root:?}");
    }
}

#[test]
fn tables_of_mill_games_count_up_to_symmetry_and_exchange_of_sides() {
    let limits = Limits { plies: u32::MAX, bytes: 1 << 30, up_to_symmetry: false };
    for spelling in ["shisima", "tapatan", "antrin:3", "achi"] {
        let game = Mill::from_spelling(spelling).unwrap().0;
        for root in std::iter::once(game.start()).chain(random_roots(&game, 5, 2)) {
            let counts = count_cyclic(&game, &root, limits, Some(&Men::exchanged), &Ctx::default());
            agrees_with_listing(&game, &root, &counts);
            let both = |pos: &Men| images(&game, pos).into_iter().chain(images(&game, &pos.exchanged())).collect();
            let all = reachable(&game, &root);
            let finished = all.iter().copied().filter(|pos| game.outcome(pos).is_some());
            let expected = (orbits(all.iter().copied(), both), orbits(finished, both));
            assert_eq!(counts.exchanging, Some(expected), "{spelling} from {root:?}");
        }
    }
    // Every position of Shisima without a line can be reached, so that the table holds what the count finds.
    let game = Mill::from_spelling("shisima").unwrap().0;
    let counts = count_cyclic(&game, &game.start(), limits, Some(&Men::exchanged), &Ctx::default());
    let solved = crate::retro::Retro::solve(&game, 1 << 28, &Ctx::default()).expect("a small game(");
    let stats = solved.stats(&game, solved.shards()).expect(")no file is read");
    let (all, finished) = counts.exchanging.unwrap();
    assert_eq!(all - finished, stats.classes.win + stats.classes.draw + stats.classes.loss);
    assert_eq!((all - finished, counts.positions.0), (102, 3200));
}

/// The games of Nim with three heaps that end after an even and an odd number of moves, which are won by the second and
/// the first player. Moves in heaps of one size are the same.
fn games_of_nim(heaps: [usize; 3], known: &mut BTreeMap<[usize; 3], [BigUint; 2]>) -> [BigUint; 2] {
    if heaps == [0; 3] {
        return [BigUint::from(1u32), BigUint::default()];
    }
    if let Some(found) = known.get(&heaps) {
        return found.clone();
    }
    let mut found: [BigUint; 2] = Default::default();
    for heap in (0..3).filter(|&heap| !heaps[..heap].contains(&heaps[heap])) {
        for left in 0..heaps[heap] {
            let mut next = heaps;
            next[heap] = left;
            let [even, odd] = games_of_nim(next, known);
            found[0] += odd;
            found[1] += even;
        }
    }
    known.insert(heaps, found.clone());
    found
}

#[test]
fn numbers_beyond_64_bits_are_exact() {
    let game = Play::<Heaps<Nim>>::from_spelling("nim:14+15+16").unwrap().0;
    let counts = count(&game, &game.start(), ALL, &Ctx::default());
    let [second, first] = games_of_nim([14, 15, 16], &mut BTreeMap::new());
    assert!(counts.complete && first > BigUint::from(u64::MAX) && second > BigUint::from(u64::MAX));
    let expected = ByOutcome { first, second, draw: BigUint::default() };
    assert_eq!(counts.games, expected);
    // The rules know no symmetry, so that games up to symmetry are the same.
    assert_eq!((counts.games_by_position, counts.games_by_sequence), (Some(expected.clone()), Some(expected)));
}

#[test]
fn limits_are_kept() {
    let game = Mnk::new(3, 3, 3);
    let ctx = Ctx::default();
    let fast = count(&game, &game.start(), Limits { plies: 4, ..ALL }, &ctx);
    assert_eq!((fast.plies.len(), fast.complete), (5, false));
    let tiny = Limits { bytes: 10_000, ..ALL };
    let little = count(&game, &game.start(), tiny, &ctx);
    assert!(matches!(little.cut, Some(Cut::Memory { .. })) && !little.plies.is_empty() && !little.complete);
    let stopped = count(&Mnk::new(5, 5, 5), &Mnk::new(5, 5, 5).start(), ALL, &Ctx::default().with_budget(20_000));
    assert_eq!(stopped.cut, Some(Cut::Stopped(Stop::Nodes)));
    assert_eq!(small(&stopped.plies[2].sequences), 25 * 24);
    assert_eq!(stopped.positions.0, stopped.plies.iter().map(|ply| ply.positions).sum::<u64>());
}

#[test]
fn where_play_can_cycle_counting_stops_when_nothing_is_new() {
    let limits = Limits { plies: u32::MAX, bytes: 1 << 30, up_to_symmetry: false };
    let game = Tak::new(2, 2).with_reserves(3, 0);
    let counts = count_cyclic(&game, &game.start(), limits, None, &Ctx::default());
    assert!(counts.closed && !counts.complete && counts.cut.is_none());
    agrees_with_listing(&game, &game.start(), &counts);
    let root = &random_roots(&game, 3, 1)[0];
    agrees_with_listing(&game, root, &count_cyclic(&game, root, limits, None, &Ctx::default()));
    // By ply: as many sequences as perft finds, and the classes of Beljaards's Table 5.1.
    let game = Tak::new(3, 3);
    let counts = count_cyclic(&game, &game.start(), Limits { plies: 4, ..limits }, None, &Ctx::default());
    let sequences: Vec<BigUint> = counts.plies.iter().map(|ply| ply.sequences.clone()).collect();
    assert_eq!(sequences, [1u32, 9, 72, 1200, 17792].map(BigUint::from));
    assert_eq!((counts.plies[1].classes, counts.plies[2].classes, counts.closed), (3, 12, false));
}

#[test]
fn placements_of_antrin_are_those_of_the_thesis() {
    let antrin = Mill::from_spelling("antrin:3,early=ignored").unwrap().0;
    let limits = Limits { plies: 6, bytes: 1 << 26, up_to_symmetry: false };
    let counts = count_cyclic(&antrin, &antrin.start(), limits, None, &Ctx::default());
    let by_ply = |of: fn(&Ply) -> u64| counts.plies.iter().map(of).collect::<Vec<_>>();
    assert_eq!(by_ply(|p| u64::try_from(&p.sequences).unwrap()), [1, 9, 72, 504, 3024, 15_120, 60_480]);
    assert_eq!(by_ply(|p| p.classes), [1, 3, 12, 38, 108, 174, 228]);
    assert_eq!(by_ply(|p| p.positions), [1, 9, 72, 252, 756, 1260, 1680]);
}

#[test]
fn where_play_ends_it_counts_what_the_other_counts() {
    let game = Mnk::new(3, 3, 3);
    let limits = Limits { plies: 9, bytes: 1 << 26, up_to_symmetry: false };
    let slow = count_cyclic(&game, &game.start(), limits, None, &Ctx::default());
    let fast = count(&game, &game.start(), limits, &Ctx::default());
    assert_eq!(
        (slow.plies, slow.positions, slow.finished, slow.games),
        (fast.plies, fast.positions, fast.finished, fast.games)
    );
}
