//! Games in which a side may move several times in a row: every solver against a recursion that shares no code with
//! them, and what they prove against the checker.

use agon_check::{Certificate, Claim, Section};
use agon_core::solver::Solver;
use agon_core::toy::{Dots, FreeGraph, Take, Tree};
use agon_core::{
    Acyclic, Bounds, Ctx, Evaluate, Game, Notation, Outcome, Player, Rng, Symmetric, Value, Wdl, collect_moves,
};
use agon_solve::{AlphaBeta, Auto, Strong, brute, fixpoint, proof};
use std::collections::BTreeMap;

/// What agon can do with an acyclic game.
trait Whole: Notation + Symmetric + Acyclic + Evaluate {}
impl<G: Notation + Symmetric + Acyclic + Evaluate> Whole for G {}

/// Values as the first side sees them: `1000 - plies` when it wins, `plies - 1000` when it loses, nought for a draw.
type Truth<P> = BTreeMap<P, i32>;

/// Values every position below `pos`: the first side wants much, the second little, whoever moves how often.
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
    assert_eq!(strong.totals().0.all(), truth.len() as u64, "{name}: positions");
    let (mut alphabeta, mut auto) = (AlphaBeta::new(1 << 22), Auto::new(1 << 22));
    for (pos, &value) in &truth {
        assert_eq!(strong.value(pos), Some(value), "{name}: strong at {pos:?}");
        let mut found = vec![("strong", strong.solution(pos).expect("a value"))];
        found.push(("alphabeta", alphabeta.solve(game, pos, &ctx)));
        found.push(("auto", auto.solve(game, pos, &ctx)));
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

/// A certificate for the value of the start, by the moves that `proof` extracts.
fn value_certificate<G: Whole>(game: &G, name: &str) -> Certificate {
    let (start, ctx) = (game.start(), Ctx::default());
    let mut solver = AlphaBeta::new(1 << 22);
    let found = solver.solve(game, &start, &ctx);
    let (value, mover) = (found.value.value().expect("solved"), game.turn(&start));
    let sides = match value {
        Wdl::Win => vec![(mover, Wdl::Win, found.plies)],
        Wdl::Loss => vec![(mover.other(), Wdl::Win, found.plies)],
        Wdl::Draw => vec![(Player::First, Wdl::Draw, None), (Player::Second, Wdl::Draw, None)],
    };
    let section = |(side, least, within)| {
        let moves = proof::extract(game, &start, side, least, &mut solver, &ctx).expect("a proof");
        let entry = |(pos, mv): (G::Position, G::Move)| (game.show(&pos), vec![game.show_move(&pos, mv)]);
        Section::Strategy { side, least, within, entries: moves.into_iter().map(entry).collect() }
    };
    let sections = sides.into_iter().map(section).collect();
    Certificate {
        game: name.into(),
        rules: None,
        from: game.show(&start),
        claim: Claim::Value(value),
        up_to_symmetry: true,
        sections,
    }
}

fn proofs_are_accepted<G: Whole>(game: &G, name: &str) {
    let mut certificate = value_certificate(game, name);
    agon_check::check(game, &certificate, &Ctx::default()).unwrap_or_else(|why| panic!("{name}: {why:?}"));
    let Claim::Value(value) = certificate.claim else { unreachable!("made above") };
    for wrong in [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().filter(|&wrong| wrong != value) {
        certificate.claim = Claim::Value(wrong);
        assert!(agon_check::check(game, &certificate, &Ctx::default()).is_err(), "{name}: {wrong} is accepted");
    }
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
    for (columns, rows) in [(1, 1), (2, 1), (3, 1), (1, 3), (2, 2)] {
        let (game, name) = (Dots::new(columns, rows), format!("dots {columns}x{rows}"));
        all_agree(&game, 7, &name);
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

/// Whether `side` can force a win within `n` plies, by the rules alone.
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
        for (pos, value) in fixpoint::solve(&graph, &graph.start(), &Ctx::default()).expect("a whole run") {
            // A shortest win passes no position twice, and there are ten with either side to move.
            let (mover, most) = (graph.turn(&pos), 11);
            let soonest = |side| (0..=most).find(|&n| wins_within(&graph, &pos, side, n));
            let truth = match (soonest(mover), soonest(mover.other())) {
                (Some(plies), _) => Value::win_in(plies),
                (_, Some(plies)) => Value::loss_in(plies),
                _ => Value::DRAW,
            };
            assert_eq!(value, truth, "{pos:?} of {text}");
            seen[value.wdl() as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}
