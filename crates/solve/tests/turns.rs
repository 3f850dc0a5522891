//! Games in which a side may move several times in a row: every solver against a recursion that shares no code with
//! them, and what they prove against the checker.

use agon_check::{Certificate, Claim, Section};
use agon_core::features::Pictured;
use agon_core::toy::{Dots, FreeGraph, Take, Tree};
use agon_core::{
    Acyclic, Bounds, Ctx, Evaluate, Game, Guide, Notation, Outcome, Player, Rng, Symmetric, Value, Wdl, collect_moves,
};
use agon_solve::cyclic::Cyclic;
use agon_solve::method::{self, Evidence, Method, Request};
use agon_solve::strategy::ListedStrategy;
use agon_solve::{AlphaBeta, Strong, brute, fixpoint};
use std::collections::BTreeMap;

/// The methods that agon has for an acyclic game.
trait Whole: Notation + Symmetric + Acyclic + Evaluate {}
impl<G: Notation + Symmetric + Acyclic + Evaluate> Whole for G {}

/// Values as the first side sees them: `1000 - plies` when it wins, `plies - 1000` when it loses, nought for a draw.
type Truth<P> = BTreeMap<P, i32>;

/// Values every position below `pos`: the first side maximises and the second minimises, however often each moves.
fn minimax<G: Game>(game: &G, pos: &G::Position, known: &mut Truth<G::Position>) -> i32 {
    if let Some(&value) = known.get(pos) {
        return value;
    }
    let value = match game.outcome(pos) {
        Some(Outcome::Win(Player::First)) => 1000,
        Some(Outcome::Win(Player::Second)) => -1000,
        Some(Outcome::Draw) => 0,
        None => {
            let moves = collect_moves(game, pos);
            let values = moves.iter().map(|&mv| minimax(game, &game.after(pos, mv), known));
            let a_ply_more = values.map(|value| value - value.signum());
            if game.turn(pos) == Player::First { a_ply_more.max() } else { a_ply_more.min() }.expect("a move")
        }
    };
    known.insert(pos.clone(), value);
    value
}

/// The same, as the side to move sees it.
fn seen(truth: i32, mover: Player) -> Value {
    match if mover == Player::First { truth } else { -truth } {
        0 => Value::DRAW,
        won @ 1.. => Value::win_in((1000 - won) as u32),
        lost => Value::loss_in((1000 + lost) as u32),
    }
}

fn truth<G: Game>(game: &G) -> BTreeMap<G::Position, Value> {
    let mut known = Truth::new();
    minimax(game, &game.start(), &mut known);
    known.into_iter().map(|(pos, value)| (pos.clone(), seen(value, game.turn(&pos)))).collect()
}

/// Every solver gives every position its value and distance, and a move that keeps it.
fn all_agree<G: Whole>(game: &G, brute_below: u32, name: &str) {
    let (truth, ctx) = (truth(game), Ctx::default());
    let strong = Strong::solve(game, &game.start(), 1 << 30, &ctx).expect("a table");
    assert_eq!(strong.totals().0.sum(), truth.len() as u64, "{name}: positions");
    let mut alphabeta = AlphaBeta::new(1 << 22);
    let listed = Request { evidence: false, totals: true, memory: 1 << 24 };
    for (pos, &value) in &truth {
        assert_eq!(strong.value(pos), Some(value), "{name}: strong at {pos:?}");
        let mut found = vec![("strong", strong.solution(pos).expect("a value"))];
        found.push(("alphabeta", alphabeta.solve(game, pos, &ctx)));
        if game.height(pos) < brute_below {
            for method in method::cyclic::<G>() {
                let mut cyclic = method.solve(game, pos, &listed, &ctx).expect("solved").solution;
                // The length of a draw is not compared if play may cycle.
                cyclic.plies = cyclic.plies.or_else(|| game.draw_plies(pos));
                found.push((method.name(), cyclic));
            }
        }
        if game.height(pos) < brute_below {
            found.push(("brute", brute::solve(game, pos, &ctx)));
        }
        for (solver, found) in found {
            let plies = value.plies().or_else(|| game.draw_plies(pos));
            assert_eq!(
                (found.value, found.plies),
                (Bounds::exactly(value.wdl()), plies),
                "{name}: {solver} at {pos:?}"
            );
            if let Some(mv) = found.best {
                let after = game.after(pos, mv);
                let (child, again) = (truth[&after], game.turn(&after) == game.turn(pos));
                let kept = if again { child.wdl() } else { child.wdl().flip() };
                assert_eq!(kept, value.wdl(), "{name}: {solver} plays {mv:?} at {pos:?}");
                assert_eq!(child.plies().map(|plies| plies + 1), value.plies(), "{name}: {solver} at {pos:?}");
            } else {
                assert!(game.outcome(pos).is_some(), "{name}: {solver} has no move at {pos:?}");
            }
        }
    }
    let slow = fixpoint::solve(game, &game.start(), &ctx).expect("a whole run");
    assert_eq!(slow, truth, "{name}: fixpoint");
}

/// A certificate for the value of the start, by the moves that a method lists.
fn value_certificate<G: Notation + Symmetric>(game: &G, method: &dyn Method<G>, name: &str) -> Option<Certificate> {
    let start = game.start();
    let request = Request { evidence: true, totals: false, memory: 1 << 22 };
    let found = method.solve(game, &start, &request, &Ctx::default()).expect("solved");
    let value = found.solution.value.value().expect("a value");
    let section = |evidence: Evidence<G>| {
        let Evidence::Strategy(ListedStrategy { side, least, within, moves }) = evidence else { return None };
        let entry = |(pos, mv): (G::Position, G::Move)| (game.show(&pos), vec![game.show_move(&pos, mv)]);
        let mut entries: Vec<_> = moves.into_iter().map(entry).collect();
        entries.sort_unstable();
        Some(Section::Strategy { side, least, within, entries })
    };
    let sections: Option<Vec<Section>> = found.evidence.expect("evidence").into_iter().map(section).collect();
    let sections = sections?;
    Some(Certificate {
        game: name.into(),
        rules: None,
        from: game.show(&start),
        claim: Claim::Value(value),
        up_to_symmetry: true,
        sections,
    })
}

/// The evidence of a method is accepted for its value and for no other. A table of values is not a list of moves.
fn proof_is_accepted<G: Notation + Symmetric + Guide>(game: &G, method: &dyn Method<G>, name: &str) -> bool {
    let Some(mut certificate) = value_certificate(game, method, name) else { return false };
    let by = method.name();
    agon_check::check(game, &Pictured::new(game), &certificate, &Ctx::default())
        .unwrap_or_else(|why| panic!("{name} by {by}: {why:?}"));
    let Claim::Value(value) = certificate.claim else { unreachable!("made above") };
    for wrong in [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().filter(|&wrong| wrong != value) {
        certificate.claim = Claim::Value(wrong);
        assert!(
            agon_check::check(game, &Pictured::new(game), &certificate, &Ctx::default()).is_err(),
            "{name} by {by}: {wrong} is accepted"
        );
    }
    true
}

fn proofs_are_accepted<G: Whole>(game: &G, name: &str) {
    // Brute force has no table: on larger games it would take minutes.
    let brute = game.height(&game.start()) < 12;
    let acyclic = method::acyclic().into_iter().filter(|method| brute || method.name() != "brute");
    let accepted =
        acyclic.chain(method::cyclic()).filter(|method| proof_is_accepted(game, method.as_ref(), name)).count();
    assert_eq!(accepted, if brute { 4 } else { 3 }, "{name}");
}

fn random_tree(rng: &mut Rng, depth: usize) -> String {
    let again = ["", "", "*"][rng.below(3)];
    if depth == 0 || rng.below(5) == 0 {
        return format!("{again}{}", ["+", "=", "-"][rng.below(3)]);
    }
    let children: Vec<String> = (0..=rng.below(3)).map(|_| random_tree(rng, depth - 1)).collect();
    format!("{again}({})", children.join(" "))
}

fn random_trees(seed: u64, count: usize) -> Vec<String> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| random_tree(&mut rng, 5).trim_start_matches('*').to_string()).collect()
}

#[test]
fn taking_two_and_moving_again_wins_where_it_should() {
    // From 2 the first side takes both; from 1 it takes the last one; from 3 it takes two and one.
    for n in 1..=3 {
        let game = Take(n);
        assert_eq!(brute::solve(&game, &game.start(), &Ctx::default()).value, Bounds::exactly(Wdl::Win), "{n}");
    }
    for n in 0..=16 {
        all_agree(&Take(n), 12, &format!("take {n}"));
        proofs_are_accepted(&Take(n), "take");
    }
}

#[test]
fn small_boards_of_dots_and_boxes_agree() {
    for (columns, rows, brute_below) in [(1, 1, 9), (2, 1, 9), (3, 1, 7), (1, 3, 7), (2, 2, 7)] {
        let (game, name) = (Dots::new(columns, rows), format!("dots {columns}x{rows}"));
        all_agree(&game, brute_below, &name);
        proofs_are_accepted(&game, &name);
    }
}

#[test]
fn the_second_side_closes_the_only_box() {
    let game = Dots::new(1, 1);
    let found = AlphaBeta::new(1 << 20).solve(&game, &game.start(), &Ctx::default());
    assert_eq!((found.value, found.plies), (Bounds::exactly(Wdl::Loss), Some(4)));
}

#[test]
fn random_trees_with_extra_turns_agree() {
    for text in random_trees(7, 400) {
        all_agree(&Tree::new(&text), 99, &text);
    }
    for text in random_trees(8, 200) {
        proofs_are_accepted(&Tree::new(&text), &text);
    }
}

/// Returns whether `side` can force a win within `n` plies, by the rules alone.
fn wins_within<G: Game>(game: &G, pos: &G::Position, side: Player, n: u32) -> bool {
    match game.outcome(pos) {
        Some(outcome) => outcome == Outcome::Win(side),
        None if n == 0 => false,
        None => {
            let moves = collect_moves(game, pos);
            let mut children = moves.iter().map(|&mv| wins_within(game, &game.after(pos, mv), side, n - 1));
            if game.turn(pos) == side { children.any(|won| won) } else { children.all(|won| won) }
        }
    }
}

#[test]
fn random_graphs_with_extra_turns_agree() {
    const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
    let (mut rng, mut seen) = (Rng::new(5), [0; 3]);
    for _ in 0..300 {
        let target = |rng: &mut Rng| {
            let name = [&NAMES[..], &["+", "=", "-"]].concat()[rng.below(8)];
            format!("{}{name}", ["", "*"][rng.below(2)])
        };
        let row = |name: &&str, rng: &mut Rng| {
            let list: Vec<String> = (0..=rng.below(2)).map(|_| target(rng)).collect();
            format!("{name}:{}", list.join(","))
        };
        let text = NAMES.iter().map(|name| row(name, &mut rng)).collect::<Vec<_>>().join(" ");
        let graph = FreeGraph::with_turns(&text);
        let listed = Cyclic::solve(&graph, &graph.start(), 1 << 20, &Ctx::default()).expect("a small graph");
        for method in method::cyclic() {
            assert!(proof_is_accepted(&graph, method.as_ref(), &text), "{text}");
        }
        for (pos, value) in fixpoint::solve(&graph, &graph.start(), &Ctx::default()).expect("a whole run") {
            // A shortest win passes no position twice, and there are ten with either side to move.
            let (mover, most) = (graph.turn(&pos), 11);
            let soonest = |side| (0..=most).find(|&n| wins_within(&graph, &pos, side, n));
            let truth = match (soonest(mover), soonest(mover.other())) {
                (Some(plies), _) => Value::win_in(plies),
                (_, Some(plies)) => Value::loss_in(plies),
                _ => Value::DRAW,
            };
            assert_eq!((value, listed.value(&pos)), (truth, Some(truth)), "{pos:?} of {text}");
            seen[value.wdl() as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}
